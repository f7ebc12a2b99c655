"""missing-wait-states: an instruction follows another more closely than a hazard of the target allows.

What it checks

The hazards of the target, along every path: results that are not forwarded to the instruction that reads them,
registers that are overwritten while they are still read, modes that change late. The message names the row of the
hazard table.

Wait states are counted as the hardware counts them: an instruction is one, `s_nop 3` is four, labels and directives are
none. A matrix instruction also counts the wait states that the matrix unit still needs for the one before. The shortest
path decides. Most hazards of gfx10 and later need a certain instruction in between.

- No hazard is pending at the start of a kernel or function, after a call, or after data that control runs through,
  unless it is one instruction in a statement (`.long 0xbf800004`).
- Gaps that only LLVM's compiler keeps, or that only one document requires, are reported as information; many in one
  file are reported once, with the count.

Why it matters

The second instruction uses the register or mode before or in the middle of its change. The result is wrong, often only
now and then.

Example

    ; gcn-lsp: target=gfx90a
    kernel:
      v_readfirstlane_b32 s4, v0
      buffer_load_dword v1, v2, s[8:11], s4 offen
      s_waitcnt vmcnt(0)
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx90a
    kernel:
      v_readfirstlane_b32 s4, v0
      s_nop 4
      buffer_load_dword v1, v2, s[8:11], s4 offen
      s_waitcnt vmcnt(0)
      s_endpgm

Targets

All. Most rows are for gfx6 to gfx9; later hardware waits automatically.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.findings.hazards import hazard_findings
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that follows another too closely."""
    known = hazards.of(program)
    if known is not None:
        found = [hazard for hazard in known.found if not hazard.row.replay]
        yield from hazard_findings(program, known, found, RULE, RULE.severity)


RULE = Rule(
    "missing-wait-states",
    Severity.WARNING,
    __doc__,
    Stage.PATHS,
    check=check,
    found_by=("machine.observations",),
    shown_by=("missing-wait-states",),
)

"""missing-wait-states: an instruction follows so closely on another that the hardware does not keep them apart.

What it checks

The hazards of the target, row by row, along every path: results that are not forwarded to the instruction that reads
them, registers that are still being read when they are overwritten, modes that take a moment to change. What a row asks
for is counted as the hardware counts: an instruction is one wait state, `s_nop 3` is four, labels and directives are
none; a matrix instruction also takes as many as the matrix unit still needs for the one before. Of several paths the
shortest counts. Rows of gfx10 and later mostly ask for a certain instruction in between. Nothing is assumed to be under
way at the start of a kernel or of a function, nor after a call. The message names the row of the tables.

A row that only LLVM's compiler takes care of, and no document asks for, is an information, and so is one of a document
that nobody else follows. Where a file has many places of such a row, the first one is told, with their number.

Why it matters

The second instruction takes the register as it was, or as it is halfway. The result is wrong, often only now and then.

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

All; most rows concern gfx6 to gfx9, whose successors wait by themselves.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.findings.hazards import hazard_findings
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that comes too early."""
    known = hazards.of(program)
    if known is not None:
        found = [hazard for hazard in known.found if not hazard.row.replay]
        yield from hazard_findings(program, known, found, RULE, RULE.severity)


RULE = Rule("missing-wait-states", Severity.WARNING, __doc__, Stage.PATHS, check=check)

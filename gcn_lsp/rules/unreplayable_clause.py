"""unreplayable-clause: consecutive memory instructions cannot be replayed after an XNACK fault.

What it checks

Runs of scalar memory instructions, and on gfx8 and gfx9 of vector memory instructions, with nothing else in between. An
instruction is reported if it overwrites a register that an earlier load of the run reads, or stores after a load. It is
a warning if the target has `+xnack`, information if XNACK is left open, and nothing with `-xnack`.

With `+xnack` also a single scalar load of two or more dwords that overwrites its own address and may cross the end of a
page; where XNACK is left open, `overwritten-address` has a hint.

Why it matters

With XNACK, a memory access that hits a page fault is executed again once the page is there, together with its run. By
then its sources may be overwritten. Any other instruction ends the run, for example `s_nop 0`.

Example

    ; gcn-lsp: target=gfx90a
    kernel:
      s_load_dword s8, s[4:5], 0x0
      s_load_dwordx2 s[4:5], s[6:7], 0x0
      s_waitcnt lgkmcnt(0)
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx90a
    kernel:
      s_load_dword s8, s[4:5], 0x0
      s_nop 0
      s_load_dwordx2 s[4:5], s[6:7], 0x0
      s_waitcnt lgkmcnt(0)
      s_endpgm

Targets

Targets with XNACK: some of gfx8 and gfx9, gfx10.1, gfx1250.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.findings.hazards import hazard_findings
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each memory instruction that must not be in its run."""
    known = hazards.of(program)
    if known is not None and program.target is not None:
        severity = RULE.severity if program.target.replays else Severity.INFORMATION
        found = [hazard for hazard in known.found if hazard.row.replay]
        yield from hazard_findings(program, known, found, RULE, severity)


RULE = Rule(
    "unreplayable-clause", Severity.WARNING, __doc__, Stage.PATHS, check=check, found_by=("instruction.cautions",)
)

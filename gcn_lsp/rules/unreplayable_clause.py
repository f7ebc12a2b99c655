"""unreplayable-clause: memory instructions that follow one another cannot be carried out a second time.

What it checks

Runs of scalar memory instructions, and of vector memory instructions on gfx8 and gfx9, with nothing else between them:
whether one of them overwrites a register that a load before it reads, or stores behind a load. A warning
where the target has `+xnack`, a note where it is left open, nothing with `-xnack`.

Why it matters

With XNACK a memory access that faults on a page is carried out again once the page is there, and with it the run that
it belongs to. By then its sources may be overwritten. Any other instruction ends the run, `s_nop 0` for one.

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

Those with XNACK: some of gfx8 and gfx9, gfx10.1, gfx1250.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.findings.hazards import hazard_findings
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each memory instruction that must not be in the run."""
    known = hazards.of(program)
    if known is not None and program.target is not None:
        severity = RULE.severity if program.target.has("FeatureXNACK") else Severity.INFORMATION
        found = [hazard for hazard in known.found if hazard.row.replay]
        yield from hazard_findings(program, known, found, RULE, severity)


RULE = Rule("unreplayable-clause", Severity.WARNING, __doc__, Stage.PATHS, check=check)

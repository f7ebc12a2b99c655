"""insufficient-wait: a wait before an instruction is too weak for what the instruction needs.

What it checks

The same as missing-wait, where a wait on the right counter is between the operation and the instruction that needs its
result, nothing is issued on that counter after the wait, and its count is too high. Either it allows too many
operations to be outstanding, or the counter is out of order, so that only a wait for zero is certain.

After a FLAT access the only sensible count is 0, say the ISA documents of gfx9 to gfx10: the access may go to LDS or to
memory, and comes back in no order with accesses of either. On gfx7 and gfx8 those to memory count as in order among
themselves, as LLVM has it, but LDS is not in order with them. An old compiler of AMD's counted both alike there
(a code object of version 2 for gfx803), which is reported.

Why it matters

A wait ends as soon as no more operations are outstanding than its count, and the one that matters may be among them.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v1, v0, s[2:3]
      global_load_dword v2, v0, s[4:5]
      s_waitcnt vmcnt(1)
      v_add_f32 v1, v1, v2
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v1, v0, s[2:3]
      global_load_dword v2, v0, s[4:5]
      s_waitcnt vmcnt(0)
      v_add_f32 v1, v1, v2
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.waits import waits
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.findings.waits import wait_findings
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction whose wait is too weak."""
    found = waits.of(program)
    if found is not None:
        missing = [each for each in found.missing if each.too_weak is not None]
        yield from wait_findings(program, found, missing, RULE)


RULE = Rule("insufficient-wait", Severity.ERROR, __doc__, Stage.PATHS, check=check, shown_by=("missing-wait",))

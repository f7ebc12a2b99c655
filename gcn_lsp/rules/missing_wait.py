"""missing-wait: a register is touched while an operation in flight may still write it.

What it checks

Follows what each wait counter counts along every path, and reports an instruction that reads or overwrites a register
which an outstanding load, atomic, LDS or scalar access will write, or which, where the target needs it, an outstanding
export or store still reads. Branches that ask the same question go the same way; a branch at which several ways come
together is taken to know on which it was come to, if either of its ends is right for some of them and wrong for others.
What the hardware forces to complete because a counter is full is not reported, nor are loads of one kind that write a
register one after another. A read of LDS that loads with `lds` fill is reported when nothing else can have put data
there.

Why it matters

The hardware does not stop an instruction whose operand has not arrived yet: it reads what the register held before.
The result is right whenever memory happens to be quick enough.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v1, v0, s[2:3]
      v_add_f32 v1, v1, v1
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v1, v0, s[2:3]
      s_waitcnt vmcnt(0)
      v_add_f32 v1, v1, v1
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
    """A finding at each instruction that has to wait and before which nothing waits for it."""
    found = waits.of(program)
    if found is not None:
        missing = [each for each in found.missing if each.too_weak is None]
        yield from wait_findings(program, found, missing, RULE)


RULE = Rule("missing-wait", Severity.ERROR, __doc__, Stage.PATHS, check=check)

"""missing-wait: a register is read or overwritten while an operation in flight may still write it.

What it checks

The operations that each wait counter counts, along every path. An instruction is reported if it reads or overwrites a
register that an outstanding load, atomic, LDS or scalar access will write, or, on targets that need it, overwrites a
register that an outstanding export or store still reads. A read of LDS is reported while a load with `lds` may still
fill it, if nothing else can have put data there.

- Branches on the same condition go the same way.
- If paths merge before a branch and each target is correct for only some of them, the rule assumes that the branch
  picks the matching one.
- Operations that the hardware forces to complete because a counter is full are not reported.
- Loads of one kind that write a register one after another are not reported.
- Data among the code are read as code, one instruction in a statement (`.long 0xbf8c0f70`). Where they are not and may
  hold a wait, they count as a wait for everything.
- From gfx9 a FLAT access needs the waits for memory and for LDS: AMD's manuals say that it counts in both counters and
  is done only when both have come down. Before gfx9 the wait for memory is enough, since a program has no other way to
  memory by an address. Use `global_load_dword` and the like where the address is never in LDS. If only the wait for LDS
  is missing, the finding is a warning: shipped kernels whose addresses are all in memory do without it.
- From gfx11 a VALU instruction also waits for a load of the other half of its register, since the load may write all of
  it (LLVM's `d16-write-vgpr32`).
- In the expert scheduling mode of gfx12 and later (`s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2`), the
  rule also reports an instruction that needs a VALU result, or overwrites a VGPR that a memory instruction may not have
  read yet, without `s_wait_alu`. Reported as information: only LLVM 23 documents this mode, and some kernels of AMD's
  leave waits out. Where only some paths are in the mode, the rule reports nothing.
- On gfx1250, an access needs its registers again if a page fault replays it (XNACK). Overwriting them before
  translation (`s_wait_xcnt`) is reported as information, since most kernels use memory that is always present.

Why it matters

The hardware does not hold back an instruction whose operand has not arrived: it reads the old value of the register.
The result is right whenever memory happens to be fast enough.

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
from gcn_lsp.findings.dependencies import dependency_findings
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.findings.waits import wait_findings
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that must wait and has no wait."""
    found = waits.of(program)
    if found is not None:
        missing = [each for each in found.missing if each.too_weak is None]
        yield from wait_findings(program, found, missing, RULE)
        yield from dependency_findings(program, found.graph, RULE)


RULE = Rule(
    "missing-wait",
    Severity.ERROR,
    __doc__,
    Stage.PATHS,
    check=check,
    found_by=("machine.observations",),
    shown_by=("missing-wait",),
)

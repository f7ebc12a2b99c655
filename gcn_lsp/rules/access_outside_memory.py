"""access-outside-memory: an access of a run is outside every allocation, or writes what is only to be read.

What it checks

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` check the address of every lane of every access: global, flat, scalar
and scratch memory, buffers, LDS. The finding names the lane, the address, and the closest allocation.

- A buffer access that its V# puts out of range is no access: it reads 0 and writes nothing.
- A read of LDS at an address that the hardware's LDS does not have gives 0: kernels clear registers so.
- An access that stays in a larger allocation is not reported, even if it leaves an array in it.

Why it matters

On the hardware the access reaches whatever is there: another buffer, or a page that does not exist, and then the queue
ends with a memory fault that names no line. Usually a bounds check is missing, or a size is in elements where bytes are
meant.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      v_lshlrev_b32 v1, 2, v0
      global_load_dword v2, v1, s[0:1]

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      v_cmp_gt_u32 vcc, s2, v0
      s_and_saveexec_b64 s[4:5], vcc
      v_lshlrev_b32 v1, 2, v0
      global_load_dword v2, v1, s[0:1]

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("access-outside-memory", Severity.ERROR, __doc__, found_by=("machine.observations",))

"""version-dependent: an older LLVM reads the line otherwise.

What it checks

`v_dot4_i32_i8` and `v_dot8_i32_i4` without `neg_lo:[1,1,0]` from gfx11: the sources are signed, and
unsigned in what LLVM 22 and older make of the line.

Why it matters

The same file gives other results when it is assembled by ROCm 7. With `neg_lo:[1,1,0]` every version gives the same
bytes. `unsigned-dot-product` reports the same lines where the setting `llvm` is 22.

Example

    .amdgcn_target "amdgpu11.00-amd-amdhsa-unknown-gfx1100"
    v_dot4_i32_i8 v5, v1, v2, v3

Use instead

    .amdgcn_target "amdgpu11.00-amd-amdhsa-unknown-gfx1100"
    v_dot4_i32_i8 v5, v1, v2, v3 neg_lo:[1,1,0]

Targets

gfx11 and later.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("version-dependent", Severity.INFORMATION, __doc__, found_by=("instruction.cautions",))

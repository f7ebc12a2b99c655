"""unsigned-dot-product: LLVM 22 and older encode a signed dot product as an unsigned one.

What it checks

`v_dot4_i32_i8` and `v_dot8_i32_i4` without `neg_lo:[1,1,0]` from gfx11, where LLVM 22 decides: the setting `llvm`
is 22, or the file's RUN line has `llvm-mc-22`.

Why it matters

From gfx11 the hardware has one instruction for signed and unsigned bytes, and `neg_lo` says which of the first two
sources are signed. LLVM 22 and older leave both bits at zero for these mnemonics, so that -1 counts as 255. LLVM 23
sets them. With `neg_lo:[1,1,0]` every version gives the same bytes.

Example

    // RUN: llvm-mc-22 -triple=amdgcn -mcpu=gfx1100 %s
    v_dot4_i32_i8 v5, v1, v2, v3

Use instead

    // RUN: llvm-mc-22 -triple=amdgcn -mcpu=gfx1100 %s
    v_dot4_i32_i8 v5, v1, v2, v3 neg_lo:[1,1,0]

Targets

gfx11 and later.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unsigned-dot-product", Severity.WARNING, __doc__, found_by=("instruction.cautions",))

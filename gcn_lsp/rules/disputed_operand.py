"""disputed-operand: AMD's documents forbid an operand that LLVM's compiler writes all the same.

What it checks

Statements of the ISA documents about single instructions, as `forbidden-operand` does, where LLVM's own compiler does
what the document forbids:

- SGPRs as sources of the conversions to 8 bits, and as scales, on gfx950.
- Modifiers that the document says are ignored: `clamp` of dot products on gfx11 and gfx12 and of conversions from 8
  bits on gfx1250, the negation of the third source of `v_dot2_f32_bf16` on gfx950.
- `flat_atomic_cond_sub_u32`, `global_atomic_cond_sub_u32` and `global_atomic_sub_clamp_u32` without a result on gfx12.
- In waves of 64 from gfx10, a scalar source among the registers of the result: the hardware runs such an instruction as
  two of 32 lanes, and the second may read what the first has written.

Why it matters

One of the two is wrong, and no public source says which. Code that must not depend on it keeps to the document.

Example

    ; gcn-lsp: target=gfx950
    v_cvt_sr_fp8_f32 v0, s1, v2

Use instead

    ; gcn-lsp: target=gfx950
    v_mov_b32 v1, s1
    v_cvt_sr_fp8_f32 v0, v1, v2

Targets

Those that the document in the message is about.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("disputed-operand", Severity.HINT, __doc__, found_by=("instruction.cautions",))

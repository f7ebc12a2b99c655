"""forbidden-operand: AMD's documents forbid an operand that every assembler takes.

What it checks

Statements of the ISA documents about single instructions, each with its document, section and page in the message:

- Sources that may only be VGPRs, such as those of conversions with stochastic rounding on gfx950.
- Scales of conversions that may not be SGPRs.
- Constants without a meaning: a shift by more than 4 in `v_lshl_add_u64`, formats of `f8f6f4`, `src0_sel` of
  conversions from 8 bits.
- Modifiers that an instruction does not have: `clamp`, negation and absolute value, `neg_hi`.
- Results that may not be in VCC, M0 or EXEC.
- An atomic without a result that always returns one.

Statements that the code of AMD's own compiler contradicts are not checked.

Why it matters

The bits are in the encoding, so the assembler fills them. What the hardware does with them is written nowhere: it may
ignore them, read another value, or differ from chip to chip.

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

RULE = Rule("forbidden-operand", Severity.WARNING, __doc__, found_by=("instruction.cautions",))

"""forbidden-operand: AMD's documents forbid an operand that every assembler takes.

What it checks

Statements of the ISA documents about single instructions, each with its document, section and page in the message:

- Constants without a meaning: a shift by more than 4 in `v_lshl_add_u64`, formats of `f8f6f4`, `src0_sel` of
  conversions from 8 bits, index sets that a sparse matrix does not have, `s_trap 0`.
- Inline constants as 8-bit floats.
- Modifiers that an instruction does not have: `clamp`, negation and absolute value, `neg_hi`, `cbsz` of doubles.
- Results that may not be in VCC, M0 or EXEC.
- An atomic without a result that always returns one.

Where LLVM's own compiler does what a document forbids, `disputed-operand` reports it.

Why it matters

The bits are in the encoding, so the assembler fills them. Their effect is documented nowhere: the hardware may
ignore them, read another value, or differ from chip to chip.

Example

    ; gcn-lsp: target=gfx942
    v_lshl_add_u64 v[0:1], v[2:3], 5, v[4:5]

Use instead

    ; gcn-lsp: target=gfx942
    v_lshlrev_b64 v[0:1], 5, v[2:3]
    v_lshl_add_u64 v[0:1], v[0:1], 0, v[4:5]

Targets

Those that the document in the message is about.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("forbidden-operand", Severity.WARNING, __doc__, found_by=("instruction.cautions",))

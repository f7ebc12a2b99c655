"""undefined-by-hardware: the assembler takes what the hardware's documentation forbids or leaves undefined.

What it checks

Lengths of `s_clause` that do not exist, bit fields of `s_getreg_b32` and `s_setreg_b32` that end beyond the register,
offset registers of scalar stores on gfx8 other than M0, formats of typed buffer instructions that are reserved or
that no hardware converts.

Why it matters

The bytes are as written, but what they do is not told by any manual and may differ from chip to chip.

Example

    ; gcn-lsp: target=gfx900
    s_getreg_b32 s0, hwreg(HW_REG_MODE, 28, 8)

Use instead

    ; gcn-lsp: target=gfx900
    s_getreg_b32 s0, hwreg(HW_REG_MODE, 24, 8)

Targets

All.
"""

from gcn_lsp.rules.model import Rule, Severity

RULE = Rule("undefined-by-hardware", Severity.WARNING, page=__doc__)

"""modifier-out-of-range: the value of a modifier does not fit its field.

What it checks

Offsets, masks and selections, against the width and the sign of the form's field on this target.

Why it matters

Bits that do not fit would be truncated. Offsets of memory instructions are short: put the rest into the address.

Example

    ; gcn-lsp: target=gfx900
    ds_read_b32 v0, v1 offset:70000

Use instead

    ; gcn-lsp: target=gfx900
    v_add_u32 v1, 0x10000, v1
    ds_read_b32 v0, v1 offset:4464

Targets

All. The widths differ by generation, those of FLAT and GLOBAL offsets most.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "modifier-out-of-range",
    Severity.ERROR,
    __doc__,
    found_by=("instruction.constraints", "instruction.image_checks", "instruction.modifiers", "instruction.special"),
)

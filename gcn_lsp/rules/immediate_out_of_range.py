"""immediate-out-of-range: a constant does not fit its field.

What it checks

The value of a constant operand, against the width and the sign of its field: `s_movk_i32` takes 16 bits, `s_nop` a
small count, `vmcnt(...)` as many bits as the counter has.

Why it matters

Bits that do not fit would be truncated, and the instruction would do something else.

Example

    ; gcn-lsp: target=gfx900
    s_movk_i32 s0, 0x12345

Use instead

    ; gcn-lsp: target=gfx900
    s_mov_b32 s0, 0x12345

Targets

All. The widths differ by target.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "immediate-out-of-range",
    Severity.ERROR,
    __doc__,
    found_by=(
        "instruction.bind",
        "instruction.constraints",
        "instruction.operands",
        "instruction.rejection",
        "instruction.special",
        "instruction.values",
        "program.directives.data",
    ),
)

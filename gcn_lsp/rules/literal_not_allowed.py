"""literal-not-allowed: a constant needs a literal, which this encoding or operand cannot have.

What it checks

A constant that is not an inline constant (integers -16 to 64 and a few floating-point values) needs 32 more bits after
the instruction. It is reported where the encoding has no room for them or the operand may not use them.

Why it matters

DPP and SDWA cannot be followed by a literal on any target, and VOP3 cannot before gfx10. Put the constant in a register
first, or use another instruction that takes it.

Example

    ; gcn-lsp: target=gfx900
    v_add3_u32 v0, v1, v2, 0x12345678

Use instead

    ; gcn-lsp: target=gfx900
    s_mov_b32 s0, 0x12345678
    v_add3_u32 v0, v1, v2, s0

Targets

All. VOP3 and VOP3P take a literal from gfx10.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "literal-not-allowed",
    Severity.ERROR,
    __doc__,
    found_by=("instruction.constraints", "instruction.dual_issue", "instruction.rejection"),
)

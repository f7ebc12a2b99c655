"""wrong-operand-kind: an operand is of a kind that its field cannot hold.

What it checks

A VGPR where the field takes SGPRs, a constant where it takes a register, a register where it takes a constant, a name
where it takes `off`, and similar. The finding says what the field takes.

Why it matters

The scalar unit cannot read VGPRs: a value that differs between lanes has no single value. `v_readlane_b32` and
`v_readfirstlane_b32` copy one lane's value to an SGPR.

Example

    ; gcn-lsp: target=gfx900
    s_mov_b32 s0, v1

Use instead

    ; gcn-lsp: target=gfx900
    v_readfirstlane_b32 s0, v1

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "wrong-operand-kind",
    Severity.ERROR,
    __doc__,
    found_by=(
        "instruction.assembler",
        "instruction.bind",
        "instruction.constraints",
        "instruction.operands",
        "instruction.rejection",
        "instruction.special",
        "instruction.values",
    ),
)

"""unknown-modifier: a modifier does not exist, or this instruction does not take it.

What it checks

Each `name:value` and each flag after the operands, against the modifiers of the mnemonic's forms.

Why it matters

A modifier is a field of the encoding. Without the field, the modifier would have no effect.

Example

    ; gcn-lsp: target=gfx900
    ds_read_b32 v0, v1 offset0:4

Use instead

    ; gcn-lsp: target=gfx900
    ds_read_b32 v0, v1 offset:4

Targets

All. Cache policy modifiers in particular differ by generation.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "unknown-modifier",
    Severity.ERROR,
    __doc__,
    found_by=("instruction.assembler", "instruction.constraints", "instruction.dual_issue", "instruction.rejection"),
)

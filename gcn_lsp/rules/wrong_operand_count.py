"""wrong-operand-count: an instruction has more or fewer operands than its encoding has fields.

What it checks

The number of operands, against the forms of the mnemonic. Modifiers such as `glc` or `offset:16` are not operands;
`off` and `null` are.

Why it matters

Every operand is a field of the encoding. A missing one has no default, and an additional one has no field. The count of
a mnemonic may differ between generations.

Example

    ; gcn-lsp: target=gfx900
    v_add_f32 v0, v1

Use instead

    ; gcn-lsp: target=gfx900
    v_add_f32 v0, v0, v1

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("wrong-operand-count", Severity.ERROR, __doc__, found_by=("instruction.rejection", "instruction.special"))

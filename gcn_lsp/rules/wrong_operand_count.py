"""wrong-operand-count: an instruction has more or fewer operands than its encoding has fields.

What it checks

The operands are counted against the forms of the mnemonic. Modifiers such as `glc` or `offset:16` are not operands;
`off` and `null` are.

Why it matters

Every operand is a field of the encoding. A missing one has no default, an additional one has no place to go. Forms
of one mnemonic on several generations may differ in their count.

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

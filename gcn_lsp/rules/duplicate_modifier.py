"""duplicate-modifier: a modifier is given twice.

What it checks

A modifier that appears twice on an instruction, with the same value or with another.

Why it matters

The encoding has one field for it. Which of two values was meant is unknown, and the assembler accepts neither.

Example

    ; gcn-lsp: target=gfx900
    ds_read_b32 v0, v1 offset:4 offset:8

Use instead

    ; gcn-lsp: target=gfx900
    ds_read_b32 v0, v1 offset:8

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "duplicate-modifier",
    Severity.ERROR,
    __doc__,
    found_by=("instruction.operands", "instruction.rejection", "instruction.special"),
)

"""syntax-error: a statement or an operand does not follow the assembler's syntax.

What it checks

Brackets that are not closed, text that cannot start an operand, tuples whose last register is lower than the first,
expressions without an operand, and characters that are not part of the language.

Why it matters

The assembler stops reading the line there. The rest of the file is still checked.

Example

    ; gcn-lsp: target=gfx900
    v_mov_b32 v0, (1

Use instead

    ; gcn-lsp: target=gfx900
    v_mov_b32 v0, (1)

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "syntax-error",
    Severity.ERROR,
    __doc__,
    found_by=(
        "instruction.assembler",
        "instruction.operands",
        "instruction.rejection",
        "instruction.special",
        "instruction.values",
        "preproc.interpreter",
    ),
)

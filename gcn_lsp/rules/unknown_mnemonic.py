"""unknown-mnemonic: a word at the start of a statement is no mnemonic, directive or macro.

What it checks

The first word of a statement is looked up among the mnemonics of every known target and among the macros defined so
far. When nothing has that name the finding says so and offers the nearest name that the file's target has.

Why it matters

The assembler stops at such a line. Most often it is a slip of the finger, a macro whose file was not included, or a
name from another vendor's or another generation's manual.

Example

    ; gcn-lsp: target=gfx900
    v_mov_b33 v0, v1

Use instead

    ; gcn-lsp: target=gfx900
    v_mov_b32 v0, v1

Targets

All. Without a known target a mnemonic is unknown only when no supported target has it.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unknown-mnemonic", Severity.ERROR, __doc__, found_by=("instruction.rejection",))

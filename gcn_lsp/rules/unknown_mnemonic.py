"""unknown-mnemonic: the first word of a statement is not a mnemonic, a directive or a macro.

What it checks

The first word of a statement, against the mnemonics of every supported target and the macros defined so far. The
finding offers the nearest name that the file's target has.

Why it matters

The assembler stops at such a line. Usually it is a typing mistake, a macro whose file was not included, or a name from
the manual of another vendor or generation.

Example

    ; gcn-lsp: target=gfx900
    v_mov_b33 v0, v1

Use instead

    ; gcn-lsp: target=gfx900
    v_mov_b32 v0, v1

Targets

All. If the target is unknown, a mnemonic is unknown only if no supported target has it.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unknown-mnemonic", Severity.ERROR, __doc__, found_by=("instruction.rejection",))

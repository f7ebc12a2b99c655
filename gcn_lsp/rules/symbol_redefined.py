"""symbol-redefined: a symbol that cannot change gets a second value.

What it checks

`.equiv` and `==` for a name that has a value, and assignments to a label.

Why it matters

The assembler rejects it. Symbols set by `.set`, `.equ` and `=` may be set again; the others are constant.

Example

    ; gcn-lsp: target=gfx900
    .equiv unroll, 4
    .equiv unroll, 8

Use instead

    ; gcn-lsp: target=gfx900
    .set unroll, 4
    .set unroll, 8

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("symbol-redefined", Severity.ERROR, __doc__, found_by=("preproc.symbols",))

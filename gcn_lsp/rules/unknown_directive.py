"""unknown-directive: a word with a leading dot is not a directive.

What it checks

The first word of a statement, if it starts with a dot, against the assembler's directives, those for AMD GPUs among
them, and the macros defined so far.

Why it matters

The assembler stops at such a line. Directives of other assemblers, or of older code object versions, have other names
here.

Example

    ; gcn-lsp: target=gfx900
    .dwrod 4

Use instead

    ; gcn-lsp: target=gfx900
    .long 4

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unknown-directive", Severity.ERROR, __doc__, found_by=("preproc.interpreter", "program.builder"))

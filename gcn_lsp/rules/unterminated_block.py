"""unterminated-block: a macro, a repetition, a conditional or a comment has no end.

What it checks

Each `.macro`, `.rept`, `.irp`, `.irpc`, `.if`, `.amdhsa_kernel`, metadata block and `/*` must be closed in the same
file. The finding is at the line that opens it.

Why it matters

The block swallows everything after its opening line.

Example

    ; gcn-lsp: target=gfx900
    .if 1
    s_nop 0

Use instead

    ; gcn-lsp: target=gfx900
    .if 1
    s_nop 0
    .endif

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unterminated-block", Severity.ERROR, __doc__, found_by=("preproc.interpreter", "program.problems"))

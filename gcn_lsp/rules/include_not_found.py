"""include-not-found: an included file cannot be found.

What it checks

The file named by `.include` or `.incbin`, beside the including file and in the include paths (option `-I`, setting
`include`).

Why it matters

Macros and symbols of the missing file are unknown in the rest of the file. Findings which only follow from that are
held back.

Example

    ; gcn-lsp: target=gfx900
    .include "does_not_exist.inc"

Use instead

    ; gcn-lsp: target=gfx900
    s_nop 0

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("include-not-found", Severity.ERROR, __doc__, found_by=("preproc.interpreter",))

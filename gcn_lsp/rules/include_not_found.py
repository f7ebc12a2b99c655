"""include-not-found: an included file cannot be found.

What it checks

Whether the file named by `.include`, `.incbin` or `#include` is next to the including file or in an include
path (option `-I`, setting `include-paths`).

Why it matters

The macros and symbols of the missing file are unknown in the rest of the file. Follow-on findings are suppressed.

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

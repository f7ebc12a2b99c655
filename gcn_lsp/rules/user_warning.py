"""user-warning: the file itself reports a warning.

What it checks

A `.warning` directive that is reached with the conditions as they are. One in a macro is told at the call, with the way
to it behind.

Why it matters

The author of the file wants it to be looked at. The text of the directive is the message.

Example

    ; gcn-lsp: target=gfx900
    .warning "not tested with this size"

Use instead

    ; gcn-lsp: target=gfx900
    s_nop 0

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("user-warning", Severity.WARNING, __doc__, found_by=("preproc.interpreter",), at_call=True)

"""user-warning: the file itself reports a warning.

What it checks

A `.warning` directive that is reached under the current conditions. One in a macro is reported at the call, and the
related places lead to the directive.

Why it matters

The author of the file asks for a look at it. The text of the directive is the message.

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

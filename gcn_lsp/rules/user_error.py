"""user-error: the file itself reports an error.

What it checks

An `.error`, `.err` or `.abort` directive that is reached under the current conditions. One in a macro is reported at
the call, and the related places lead to the directive.

Why it matters

The author of the file says that it cannot be assembled like this. The text of the directive is the message.

Example

    ; gcn-lsp: target=gfx900
    .set wavefronts, 3
    .if wavefronts > 2
      .error "at most two wavefronts"
    .endif

Use instead

    ; gcn-lsp: target=gfx900
    .set wavefronts, 2
    .if wavefronts > 2
      .error "at most two wavefronts"
    .endif

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("user-error", Severity.ERROR, __doc__, found_by=("preproc.interpreter",), at_call=True)

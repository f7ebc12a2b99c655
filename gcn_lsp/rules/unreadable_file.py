"""unreadable-file: a file cannot be read.

What it checks

Whether files that are included or named on the command line exist, are files, and may be read, and whether those named
are assembly: a file of another language or of binary data, or assembly with signs of another processor alone and no
target, has this one finding.

Why it matters

Nothing is known about a file that cannot be read, and a check that skips it would look like success.

Example

    ; gcn-lsp: target=gfx900
    .include "a_directory"

Use instead

    ; gcn-lsp: target=gfx900
    s_nop 0

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unreadable-file", Severity.ERROR, __doc__, found_by=("project.report", "project.setup"))

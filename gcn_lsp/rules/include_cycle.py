"""include-cycle: a file includes itself, directly or through others.

What it checks

The chain of open files at each `.include` or `#include`. A file may be included several times, but not while it is
being read, unless a conditional ends the recursion.

Why it matters

The assembler would read the files over and over until it gives up. Move what both files need into a third.

Example

    ; gcn-lsp: target=gfx900
    .include "example.s"

Use instead

    ; gcn-lsp: target=gfx900
    s_nop 0

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("include-cycle", Severity.ERROR, __doc__, found_by=("preproc.interpreter",))

"""duplicate-macro: a macro is defined twice.

What it checks

A `.macro` with the name of a macro that is already defined and was not removed by `.purgem`.

Why it matters

The assembler rejects the second definition and keeps the first. Usually a file was included twice.

Example

    ; gcn-lsp: target=gfx900
    .macro wait
      s_nop 0
    .endm
    .macro wait
      s_nop 1
    .endm

Use instead

    ; gcn-lsp: target=gfx900
    .macro wait
      s_nop 0
    .endm
    .purgem wait
    .macro wait
      s_nop 1
    .endm

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("duplicate-macro", Severity.ERROR, __doc__, found_by=("preproc.calls",))

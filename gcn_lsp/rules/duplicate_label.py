r"""duplicate-label: a label is defined twice.

What it checks

A label with the name of an earlier label or symbol. Local labels (`1:`) may be repeated. In a macro, `\@` makes a name
that differs in every call.

Why it matters

A branch to the label would have two possible targets, so the assembler rejects the second definition.

Example

    ; gcn-lsp: target=gfx900
    loop:
    s_nop 0
    loop:
    s_branch loop

Use instead

    ; gcn-lsp: target=gfx900
    loop:
    s_nop 0
    loop_2:
    s_branch loop

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("duplicate-label", Severity.ERROR, __doc__, found_by=("program.problems",))

"""expansion-limit: macros, repetitions or includes expand to more than is interpreted.

What it checks

The depth of macro calls and includes and the number of expanded lines. What lies beyond the limit is not looked at,
and the finding stands where it was reached. Macros nest 20 deep, as for LLVM, includes 64; how many lines there may be,
300,000 as a rule, is the setting `expansion-limit`.

Why it matters

A recursion without an end, or a repetition with a count out of all proportion, would keep the assembler busy until
memory ends.

Example

    ; gcn-lsp: target=gfx900
    .rept 1000000000
    s_nop 0
    .endr

Use instead

    ; gcn-lsp: target=gfx900
    .rept 10
    s_nop 0
    .endr

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("expansion-limit", Severity.ERROR, __doc__, found_by=("preproc.interpreter",))

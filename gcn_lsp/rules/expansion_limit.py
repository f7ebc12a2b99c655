"""expansion-limit: macros, repetitions, includes or conditionals expand or nest beyond the limit.

What it checks

The depth of macro calls, includes and conditionals, and the number of expanded lines. Macros nest up to 20 deep, as in
LLVM, includes up to 64, and conditionals up to 1,000. The setting `expansion-limit` is the number of lines, by default
300,000, of which one with more than 63 characters counts as several. An expansion makes no line of more than 1,048,576
characters. The finding is where the limit was reached; lines beyond it are not checked. In a repetition longer than
the limit, 100 steps are checked. In a function of a code object, the first 1,048,576 bytes are read.

Why it matters

An endless recursion, or a repetition with an absurd count, would keep the assembler busy until memory runs out.

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

RULE = Rule("expansion-limit", Severity.ERROR, __doc__, found_by=("preproc.interpreter", "project.setup"))

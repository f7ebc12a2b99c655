"""invalid-expression: an expression has no value here.

What it checks

Division by zero, shifts by impossible amounts, operations between labels that only the linker could do, and symbols
without a value where the value is needed at once.

Why it matters

Conditions, counts, register numbers and sizes must be known while the file is read. Everything that depends on them
would be a guess.

Example

    ; gcn-lsp: target=gfx900
    .set unroll, 0
    .set steps, 64 / unroll

Use instead

    ; gcn-lsp: target=gfx900
    .set unroll, 4
    .set steps, 64 / unroll

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "invalid-expression",
    Severity.ERROR,
    __doc__,
    found_by=(
        "preproc.blocks",
        "preproc.symbols",
        "program.directives",
        "program.emitter",
        "program.layout",
        "program.problems",
    ),
)

"""malformed-directive: a directive's arguments are not what it takes.

What it checks

Missing commas and arguments, names where a number belongs, impossible sizes and alignments, and text after the last
argument.

Why it matters

The assembler ignores or rejects the directive, and its effect is missing in the rest of the file.

Example

    ; gcn-lsp: target=gfx900
    .set v_acc

Use instead

    ; gcn-lsp: target=gfx900
    .set v_acc, 4

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "malformed-directive",
    Severity.ERROR,
    __doc__,
    found_by=(
        "preproc.blocks",
        "preproc.calls",
        "preproc.conditionals",
        "preproc.interpreter",
        "preproc.streamer",
        "preproc.symbols",
        "program.builder",
        "program.directives",
        "program.emitter",
    ),
)

"""stray-block-end: a block is closed that is not open.

What it checks

`.endm`, `.endr`, `.else`, `.elseif`, `.endif` and the ends of descriptors and metadata blocks, without an earlier line
that opens the block.

Why it matters

Usually a block was closed too early further up.

Example

    ; gcn-lsp: target=gfx900
    s_nop 0
    .endif

Use instead

    ; gcn-lsp: target=gfx900
    .if 1
    s_nop 0
    .endif

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "stray-block-end",
    Severity.ERROR,
    __doc__,
    found_by=(
        "preproc.conditionals",
        "preproc.interpreter",
        "program.directives",
    ),
)

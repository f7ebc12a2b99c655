r"""macro-arguments: the arguments of a macro call do not fit the macro's parameters.

What it checks

Too many arguments, a missing value for a required parameter (`name:req`), a keyword that is not a parameter, a
parameter given twice, a positional argument after keywords.

Why it matters

The assembler rejects the call. A missing optional argument is empty text, which is not a mistake.

Example

    ; gcn-lsp: target=gfx900
    .macro copy to, from
      v_mov_b32 \to, \from
    .endm
    copy v0, v1, v2

Use instead

    ; gcn-lsp: target=gfx900
    .macro copy to, from
      v_mov_b32 \to, \from
    .endm
    copy v0, v1

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "macro-arguments",
    Severity.ERROR,
    __doc__,
    found_by=(
        "preproc.blocks",
        "preproc.interpreter",
    ),
)

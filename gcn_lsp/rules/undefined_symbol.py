"""undefined-symbol: a name is used that nothing defines.

What it checks

Names whose value must be known when the line is assembled, or that the build cannot supply, such as the target of a
branch. The rule build-defined-symbols lists the names that the build may define with `-defsym`.

Why it matters

The assembler cannot give the field a value, or it leaves a relocation that the linker cannot resolve.

Example

    ; gcn-lsp: target=gfx900
    s_branch loop_end

Use instead

    ; gcn-lsp: target=gfx900
    s_branch loop_end
    loop_end:
    s_endpgm

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "undefined-symbol",
    Severity.ERROR,
    __doc__,
    found_by=(
        "instruction.operands",
        "instruction.rejection",
        "instruction.values",
        "program.links",
        "program.problems",
    ),
)

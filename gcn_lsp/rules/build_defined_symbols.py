"""build-defined-symbols: the file uses symbols that only the build can define.

What it checks

Names that neither the file nor its includes define, but that a `-defsym` option of the build may. They are listed once
for the file.

Why it matters

Their values are unknown, so lines and conditions that depend on them are not checked. Give the values that the build
uses, with `--defsym NAME=VALUE` or the setting `defines`, and the whole file is checked.

Example

    ; gcn-lsp: target=gfx900
    .if batch_size > 1
    s_nop 0
    .endif

Use instead

    ; gcn-lsp: target=gfx900
    .ifndef batch_size
    .set batch_size, 16
    .endif
    .if batch_size > 1
    s_nop 0
    .endif

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings import build_symbols
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program

_LISTED = 8  # names in the message; the first ones are enough to see what is missing


def check(program: Program) -> Iterator[Finding]:
    """One finding for the file, at the first use of such a symbol."""
    names = program.build_defined
    if not names:
        return
    listed = ", ".join(f"`{name}`" for name in names[:_LISTED])
    if len(names) > _LISTED:
        listed += f" and {len(names) - _LISTED} more"
    plural = len(names) > 1
    message = (
        f"only the build can define {listed}: lines that depend on {'them' if plural else 'it'} are not checked; "
        f"give {'values' if plural else 'a value'} with --defsym {names[0]}=VALUE or the setting `defines`"
    )
    yield RULE.at(build_symbols.first_use(program), message)


RULE = Rule("build-defined-symbols", Severity.INFORMATION, __doc__, Stage.PROGRAM, check=check, any_target=True)

"""constraint-mismatch: a constraint gives an operand a register that its instruction does not take.

What it checks

Inline assembly: an operand that is the reason for which the assembler rejects the statement, if another constraint
makes it right: `"v"` where the instruction reads a scalar register, `"s"` where it reads a vector register, a register
where it has an immediate. Also registers named in a constraint that are more or fewer than the value has: `"{v31}"` of
a variable of 128 bits.

Why it matters

Clang reports such a statement only when it generates code, at a line of its own output.

Example

    // gcn-lsp: target=gfx90a
    void f() {
      int a = 3, x;
      asm volatile("s_add_i32 %0, %1, 4" : "=s"(x) : "v"(a) : "scc");
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f() {
      int a = 3, x;
      asm volatile("s_add_i32 %0, %1, 4" : "=s"(x) : "s"(a) : "scc");
    }

Targets

All.
"""

from collections.abc import Iterator

import msgspec

from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.text import TextEdit
from gcn_lsp.views.inline import document

_OTHERS = ("v", "s", "a", "n")
_NAMES = {"v": "a VGPR", "s": "an SGPR", "a": "an AGPR", "n": "a constant"}


def check(about: Judged) -> Iterator[Finding]:
    """A finding at each constraint that alone makes the statement wrong."""
    yield from _of_another_size(about)
    text = about.document
    if text.accepted or text.unknown or not about.statement.is_complete:
        return
    for number, operand in about.operands():
        read = about.constraint(number)
        letters = operand.constraint.lstrip("=+&")
        if letters not in ("v", "s", "a", "r", "n", "i") or number in about.tied:
            continue
        for other in _OTHERS:
            if other == letters or (other == "n" and (read.is_output or letters == "i")):
                continue
            changed = operand.constraint.replace(letters, other)
            if _with(about, number, changed).accepted:
                span = operand.constraint_span
                where = about.at(span)
                message = (
                    f"{about.name(number)} must be {_NAMES[other]} here, but its constraint is `{operand.constraint}`"
                )
                edit = TextEdit(where, f'"{changed}"')
                fixes = (Fix(f'Change to `"{changed}"`', (edit,), is_certain=other == "v" and letters == "s"),)
                yield RULE.at(where, message, fixes=fixes if other != "n" else ())
                break


def _of_another_size(about: Judged) -> Iterator[Finding]:
    """A finding at each constraint that names too many or too few registers for its value."""
    for number, operand in about.operands():
        fixed = about.constraint(number).fixed
        if fixed is None or fixed[0] not in _NAMES or operand.width in (0, fixed[2]):
            continue
        message = f"{about.name(number)} has {32 * operand.width} bits, but `{operand.constraint}` {32 * fixed[2]}"
        yield RULE.at(about.at(operand.constraint_span), message)


def _with(about: Judged, number: int, constraint: str) -> document.StatementAssembly:
    """The text of the statement with another constraint for one operand."""
    operands = list(about.statement.operands)
    symbol = operands[number].expression or "?"
    operands[number] = msgspec.structs.replace(operands[number], constraint=constraint, symbol=symbol)
    changed = msgspec.structs.replace(about.statement, operands=tuple(operands))
    return document.of(changed, about.document.target, about.document.mattr)


RULE = Rule(
    "constraint-mismatch",
    Severity.ERROR,
    __doc__,
    Stage.TEXT,
    found_by=("findings.inline_run",),
    check_inline=check,
)

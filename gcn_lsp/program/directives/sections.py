"""Directives that choose the section, or its part, for what follows."""

from collections.abc import Callable

from gcn_lsp.program import declarations
from gcn_lsp.program.data_bytes import split_arguments
from gcn_lsp.program.emitter import Emitter
from gcn_lsp.syntax.directives import Family, words
from gcn_lsp.syntax.expressions import PART, section_of
from gcn_lsp.syntax.statement import Statement

MAX_PART = 0x7FFFFFFF  # of a section


def _section(out: Emitter, statement: Statement) -> None:
    _switch_to_part(out, statement, statement.word)


def _subsection(out: Emitter, statement: Statement) -> None:
    _switch_to_part(out, statement, out.section)


def _switch_to_part(out: Emitter, statement: Statement, section: str) -> None:
    """Switch to the part of a section whose number is the argument; without one, to the first."""
    number: int | None = 0
    if statement.rest.strip():
        number = out.symbols.absolute(statement, statement.rest_start, statement.end)
    if number is not None and not 0 <= number <= MAX_PART:
        message = f"subsection {number} is out of range (0 to {MAX_PART})"
        out.reporter.problem("invalid-expression", statement.rest_start, statement.end, message)
    elif number is not None:
        _switch(out, _part_of(section, number))


def _named_section(out: Emitter, statement: Statement) -> None:
    arguments = split_arguments(statement)
    if statement.word == ".pushsection" and len(arguments) == 2 and statement.line[arguments[1][0]] not in b'"#':
        _push(out)
        name = statement.line[slice(*arguments[0])].strip(b'"').decode("utf-8", "replace")
        number = out.symbols.absolute(statement, *arguments[1])
        _switch(out, _part_of(name, number or 0))
        return
    found = declarations.section(statement.rest.decode("utf-8", "replace"))
    if isinstance(found, str):
        out.reporter.whole("malformed-directive", statement, found)
        return
    name = found.name
    out.note(name, statement, found)
    if statement.word == ".pushsection":
        _push(out)
    _switch(out, name)


def _push(out: Emitter) -> None:
    pushed = (out.section, out.previous_section)
    out.section_stack = (*out.section_stack, pushed)


def _switch(out: Emitter, name: str) -> None:
    out.previous_section = out.section
    out.section = name


def _popsection(out: Emitter, statement: Statement) -> None:
    if not out.section_stack:
        out.reporter.whole("stray-block-end", statement, "`.popsection` ends nothing: no section was pushed")
        return
    out.section, out.previous_section = out.section_stack[-1]
    out.section_stack = out.section_stack[:-1]


def _previous(out: Emitter, statement: Statement) -> None:
    if not out.previous_section:
        out.reporter.whole("stray-block-end", statement, "`.previous` needs an earlier section")
        return
    _switch(out, out.previous_section)


def _part_of(section: str, number: int) -> str:
    """Part `number` of a section; parts are in the order of their names."""
    return f"{section_of(section)}{PART}{number:010}" if number else section_of(section)


HANDLERS: dict[str, Callable[[Emitter, Statement], None]] = {
    **dict.fromkeys(words(Family.SECTION), _section),
    ".section": _named_section,
    ".pushsection": _named_section,
    ".popsection": _popsection,
    ".previous": _previous,
    ".subsection": _subsection,
}

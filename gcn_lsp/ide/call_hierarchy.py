"""Finds the callers of a macro or a function, and what it calls.

A macro is called by its name at the start of a statement; a function by an instruction that names its label: a call, a
branch, or the arithmetic that makes its address.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

import msgspec

from gcn_lsp.ide.reading import cursors, functions, mentions, scope
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Statement, StatementKind
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.preproc.macros import Macro
    from gcn_lsp.program.program import Program


CallableKind = Literal["macro", "function", "kernel", "file"]


class Callable(msgspec.Struct, frozen=True):
    """A caller or something called. kind: `file` for code outside of the others.

    where: its name; it covers lines `first` to `last` of that file (inclusive).
    """

    kind: CallableKind
    name: str
    where: Location
    first: int
    last: int


class Calls(msgspec.Struct, frozen=True):
    """The places of calls between the callable in question and `other`."""

    other: Callable
    places: tuple[Location, ...]


def prepare(program: "Program", line: int, column: int) -> Callable | None:
    """The macro or function that the cursor names."""
    if not 0 <= line < len(program.source.lines):
        return None
    cursor = cursors.locate(program.line(line), column)
    if cursor.place == "comment":
        return None
    return find(program, cursor.word.text)


def find(program: "Program", name: str) -> Callable | None:
    """The macro or function of that name."""
    macro = program.macros.get(name)
    if macro is not None:
        return _of_macro(program, macro)
    function = next((each for each in functions.functions(program) if each.name == name), None)
    return _of_function(function) if function is not None else None


def incoming_calls(program: "Program", name: str) -> list[Calls]:
    """The callers of the macro or function `name`."""
    called = find(program, name)
    if called is None:
        return []
    found: dict[Callable, list[Location]] = {}
    for mention in mentions.mentions(program, name):
        is_call = mention.role == ("word" if called.kind == "macro" else "use")
        if is_call and (called.kind == "macro" or _is_in_instruction(program, mention.where)):
            caller = _around(program, mention.where)
            # A branch to its own label is a loop.
            if caller != called or called.kind == "macro":
                found.setdefault(caller, []).append(mention.where)
    return [Calls(caller, tuple(places)) for caller, places in found.items()]


def outgoing_calls(program: "Program", name: str) -> list[Calls]:
    """The macros and functions that the macro or function `name` calls."""
    caller = find(program, name)
    if caller is None:
        return []
    macros = program.macros
    known = {each.name: each for each in functions.functions(program)}
    found: dict[str, list[Location]] = {}
    bodies = [] if caller.kind == "macro" else _bodies(program, caller)
    for number, statement in _statements(program, caller):
        if any(number in lines for lines in bodies):
            continue  # a macro that is defined in a function is not called there
        if statement.name in macros and statement.kind is StatementKind.COMMAND:
            where = Location(caller.where.path, number, statement.name_start, statement.name_end)
            found.setdefault(statement.name, []).append(where)
        elif statement.kind is StatementKind.COMMAND and not statement.word.startswith("."):
            for operand in statement.operands:
                for node in cursors.walk(operand):
                    label = node.name.partition("@")[0] if isinstance(node, nodes.Name) else ""
                    if label in known and label != caller.name:
                        end = node.start + len(label.encode())
                        place = Location(caller.where.path, number, node.start, end)
                        found.setdefault(label, []).append(place)
    called = ((find(program, each), places) for each, places in found.items())
    return [Calls(other, tuple(places)) for other, places in called if other is not None]


def _of_macro(program: "Program", macro: "Macro") -> Callable | None:
    where = scope.macro_name_place(program, macro)
    if where is None:
        return None
    return Callable("macro", macro.name, where, where.line, where.line + len(macro.body) + 1)


def _of_function(function: functions.FunctionLines) -> Callable:
    kind: CallableKind = "kernel" if function.is_kernel else "function"
    return Callable(kind, function.name, function.where, function.first, function.last)


def _around(program: "Program", where: Location) -> Callable:
    """The callable that the code at a place belongs to."""
    inside = [
        each for each in _macros(program) if each.where.path == where.path and each.first < where.line < each.last
    ]
    if inside:
        return max(inside, key=lambda each: each.first)
    if where.path == program.path:
        function = functions.function_at(program, where.line)
        if function is not None:
            return _of_function(function)
    name = where.file_name
    source = program.source if where.path == program.path else program.included[where.path]
    return Callable("file", name, Location(where.path, 0, 0, 0), 0, len(source.lines) - 1)


def _macros(program: "Program") -> Iterator[Callable]:
    for macro in program.macros.values():
        found = _of_macro(program, macro)
        if found is not None:
            yield found


def _bodies(program: "Program", caller: Callable) -> list[range]:
    return [
        range(each.first, each.last + 1)
        for each in _macros(program)
        if each.where.path == caller.where.path and caller.first < each.first <= caller.last
    ]


def _is_in_instruction(program: "Program", where: Location) -> bool:
    text = program.line_text(where.path, where.line)
    return any(
        statement.kind is StatementKind.COMMAND
        and not statement.word.startswith(".")
        and statement.start <= where.start
        for statement in parse_line(text).statements
    )


def _statements(program: "Program", caller: Callable) -> Iterable[tuple[int, Statement]]:
    path = caller.where.path
    for number in range(caller.first, caller.last + 1):
        line = program.line(number) if path == program.path else parse_line(program.line_text(path, number))
        for statement in line.statements:
            yield number, statement

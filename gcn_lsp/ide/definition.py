"""Finds the definition of what is under the cursor: a label, symbol, macro, macro parameter or included file.

A register is defined by the instructions that may have written it last.
"""

from typing import TYPE_CHECKING

from gcn_lsp.ide import source_lines
from gcn_lsp.ide.reading import cursors, mentions, registers, scope
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement, StatementKind
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


def definition(program: "Program", line: int, column: int) -> list[Location]:
    """The places that define what is at byte `column` of `line`; several for a symbol with several assignments.

    The assignment whose value holds on this line comes first.
    """
    if not 0 <= line < len(program.source.lines):
        return []
    cursor = cursors.locate(program.line(line), column)
    statement = cursor.statement
    if statement is not None and statement.word == ".include" and cursor.place != "name":
        return _included(program, statement.rest)
    if statement is not None and (statement.word == ".loc" or _is_instruction(program, statement, cursor)):
        return source_lines.definition(program, line)
    name = cursor.word.text.removesuffix(".kd")
    if cursor.place == "comment" or not (name or cursor.path):
        return []
    declared = _parameter(program, cursor, line, name)
    if declared is not None:
        return [declared]
    macro = program.macros.get(name)
    if macro is not None:
        place = scope.macro_name_place(program, macro)
        return [place] if place is not None else []
    if isinstance(cursor.node, nodes.LocalLabel):
        return _local(program, cursor.node, line)
    wanted = _registers(program, line, cursor)
    if wanted:
        return _written(program, line, cursor, wanted)
    if name[:1].isdigit() or cursors.is_register(cursor, program.target):
        return []
    return _symbol(program, name, line)


def _registers(program: "Program", line: int, cursor: cursors.Cursor) -> int:
    """The registers under the cursor; none if that is on a symbol in `v[v_acc]`."""
    if isinstance(cursor.node, nodes.Name) and not cursors.is_register(cursor, program.target):
        return 0
    return registers.registers_at(program, line, cursor)


def _written(program: "Program", line: int, cursor: cursors.Cursor, wanted: int) -> list[Location]:
    """What wrote a register that is read here; a result is its own definition."""
    assert cursor.statement is not None
    assert cursor.index is not None
    node = registers.register_node(cursor.statement.operands[cursor.index])
    here = Location(program.path, line, node.start, node.end)
    found = registers.writers(program, wanted, line)
    return [here] if registers.is_written_at(program, line, node.start, wanted) else found


def _parameter(program: "Program", cursor: cursors.Cursor, line: int, name: str) -> Location | None:
    """The declaration of a macro's parameter: of the macro around the line, or of the one that it calls."""
    around = scope.parameter_at(program, line, name)
    declared = scope.parameter_place(program, around[0].macro, around[1]) if around is not None else None
    if declared is not None or cursor.statement is None or cursor.place != "operands":
        return declared
    called = program.macros.get(cursor.statement.name)
    is_set = program.source.lines[line][cursor.word.end :].lstrip()[:1] == b"="  # `name=value` in a call
    return scope.parameter_place(program, called, name) if called is not None and is_set else None


def _is_instruction(program: "Program", statement: Statement, cursor: cursors.Cursor) -> bool:
    """Whether the cursor is on the name of an instruction, which only the source of a compiler can define."""
    is_name = cursor.place == "name" and statement.kind is StatementKind.COMMAND
    return is_name and not statement.word.startswith(".") and statement.name not in program.macros


def _included(program: "Program", argument: bytes) -> list[Location]:
    name = argument.strip().strip(b'"').decode("utf-8", "surrogateescape")
    source = program.options.include(program.path, name)
    return [Location(source.path, 0, 0, 0)] if source is not None else []


def _symbol(program: "Program", name: str, line: int) -> list[Location]:
    places = mentions.definitions(program, name)
    before = [place for place in places if place.path == program.path and place.line <= line]
    if not before:
        return places
    nearest = before[-1]
    return [nearest, *(place for place in places if place != nearest)]


def _local(program: "Program", label: nodes.LocalLabel, line: int) -> list[Location]:
    """`1b` is the nearest `1:` at or above the line, `1f` the nearest one below."""
    name = str(label.number)
    places = [
        mention.where
        for mention in mentions.mentions(program, name)
        if mention.role == "label" and mention.where.path == program.path
    ]
    if label.forward:
        return [place for place in places if place.line > line][:1]
    return [place for place in places if place.line <= line][-1:]

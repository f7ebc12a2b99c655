"""Every place that names the thing under the cursor: labels, symbols, macros, macro parameters, registers."""

import re
from typing import TYPE_CHECKING

from gcn_lsp.ide.definition import definition
from gcn_lsp.ide.reading import cursors, mentions, registers, scope
from gcn_lsp.ide.reading.mentions import Mention
from gcn_lsp.ide.reading.scope import MacroBody
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.names import NameRole
from gcn_lsp.syntax.statement import StatementKind
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


def references(program: "Program", line: int, column: int, *, include_declaration: bool = True) -> list[Location]:
    """The places that name what is at byte `column` of `line`, in the order of the text.

    A register has no declaration: the result is all places in its kernel or function that touch it.
    """
    found = find(program, line, column)
    is_register = registers_under(program, line, column)
    return [each.where for each in found if include_declaration or is_register or not each.is_write]


def registers_under(program: "Program", line: int, column: int) -> bool:
    """Whether a register is at the place."""
    cursor = cursors.locate(program.line(line), column) if 0 <= line < len(program.source.lines) else None
    return cursor is not None and bool(registers.registers_at(program, line, cursor))


def find(program: "Program", line: int, column: int) -> list[Mention]:
    """The places, each with its role."""
    if not 0 <= line < len(program.source.lines):
        return []
    cursor = cursors.locate(program.line(line), column)
    name = cursor.word.text.removesuffix(".kd")
    if not name or cursor.place == "comment":
        return []
    parameter = scope.parameter_at(program, line, name)
    if parameter is not None:
        return parameter_references(program, *parameter)
    statement = cursor.statement
    if isinstance(cursor.node, nodes.LocalLabel) or (
        statement is not None and statement.kind is StatementKind.LABEL and cursor.place == "name" and name.isdigit()
    ):
        return _local(program, line, column)
    wanted = registers.registers_at(program, line, cursor)
    if wanted:
        return [Mention(_WRITE if use.is_write else _USE, use.where) for use in registers.uses(program, wanted, line)]
    if name[:1].isdigit() or cursors.is_register(cursor, program.target):
        return []
    if statement is not None and statement.kind is StatementKind.COMMAND and cursor.place == "name":
        return _named(program, name) if name in program.macros else []  # else a mnemonic or a directive
    return _named(program, name)


def _named(program: "Program", name: str) -> list[Mention]:
    """The places of a name: a macro's calls are commands, a symbol's uses are words in arguments."""
    found = list(mentions.mentions(program, name))
    if not any(mention.is_write for mention in found) and name not in program.final_state.symbols:
        return []
    return found


_WRITE: NameRole = "assignment"
_USE: NameRole = "use"


def parameter_references(program: "Program", body: MacroBody, name: str) -> list[Mention]:
    """A parameter's place in its macro's header, and its uses in defaults and in the body."""
    declared = scope.parameter_place(program, body.macro, name)
    found = [Mention(_WRITE, declared)] if declared is not None else []
    pattern = re.compile(rb"\\" + re.escape(name.encode("utf-8", "surrogateescape")) + rb"(?![A-Za-z0-9_.$?])")
    for number in range(body.header, min(body.header + 1 + len(body.macro.body), len(program.source.lines))):
        for match in pattern.finditer(program.source.lines[number]):
            found.append(Mention(_USE, Location(program.path, number, match.start(), match.end())))
    return found


def _local(program: "Program", line: int, column: int) -> list[Mention]:
    """A local label and the `1b` and `1f` that refer to exactly this one."""
    statement = cursors.locate(program.line(line), column)
    if isinstance(statement.node, nodes.LocalLabel):
        target = next(iter(definition(program, line, column)), None)
        number = statement.node.number
    else:
        number = int(statement.word.text)
        target = Location(program.path, line, statement.word.start, statement.word.end)
    if target is None:
        return []
    uses = [
        mention.where
        for suffix in "bf"
        for mention in mentions.mentions(program, f"{number}{suffix}")
        if mention.where.path == program.path
    ]
    found = [Mention(_USE, use) for use in uses if definition(program, use.line, use.start)[:1] == [target]]
    return sorted([Mention(_WRITE, target), *found], key=lambda each: each.where)

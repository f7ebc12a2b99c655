"""Shows the syntax of an instruction or a macro call while its operands are typed, and the current operand."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.ide import mnemonics
from gcn_lsp.ide.describe import directive, syntax
from gcn_lsp.ide.describe import macro as macros
from gcn_lsp.ide.describe import operand as operands
from gcn_lsp.ide.reading import cursors, next_operand
from gcn_lsp.isa import documentation
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.syntax.statement import Statement, StatementKind

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


class SignatureParameter(msgspec.Struct, frozen=True):
    """An operand: characters `start` to `end` of the signature, and its possible values."""

    start: int
    end: int
    documentation: str


class Signature(msgspec.Struct, frozen=True):
    """A syntax. active: the number of the current parameter; None after the last."""

    label: str
    documentation: str
    parameters: tuple[SignatureParameter, ...]
    active: int | None


# Images have dozens of forms; nobody reads more than a few.
_MAX_SIGNATURES = 8


def signature_help(program: "Program", line: int, column: int) -> list[Signature]:
    """The syntaxes that fit the text before the cursor, the most likely first; none outside of operands."""
    if not 0 <= line < len(program.source.lines):
        return []
    parsed = program.line(line)
    if cursors.in_comment(parsed, column):
        return []
    statement = cursors.statement_at(parsed, column)
    if statement is None or statement.kind is not StatementKind.COMMAND or column <= statement.name_end:
        return []
    called = program.macros.get(statement.name)
    if called is not None:
        return [_of_macro(called, statement, column)]
    if statement.word.startswith("."):
        row = directive.lookup(statement.word)
        return [Signature(row.syntax, row.text, (), None)] if row is not None else []
    return _of_instruction(program, statement, column) if program.target is not None else []


def _of_instruction(program: "Program", statement: Statement, column: int) -> list[Signature]:
    target = program.target
    assert target is not None
    start = _operand_start(statement, column)
    values = {name: value if type(value) is int else None for name, value in program.final_state.symbols.items()}
    viable = next_operand.viable(target, statement, start, values)
    if not viable:  # no form accepts the operands so far: all forms, without a current operand
        viable = [(form, len(form.slots)) for form in mnemonics.candidates(target, statement.word)]
    entry = documentation.entry(statement.word, target)
    summary = entry.summary if entry is not None else ""
    found: dict[str, Signature] = {}
    for form, place in viable:
        label, places = syntax.syntax_and_places(form, target)
        if label not in found:
            parameters = tuple(
                SignatureParameter(first, end, operands.role(slot, form, target))
                for (first, end), slot in zip(places, form.slots, strict=True)
            )
            found[label] = Signature(label, summary, parameters, place if place < len(form.slots) else None)
            if len(found) == _MAX_SIGNATURES:
                break
    return list(found.values())


def _operand_start(statement: Statement, column: int) -> int:
    """The start of the operand that the cursor is in or after; `column` if none has begun."""
    start = column
    line = statement.line.ljust(column)
    for node in statement.operands:
        if node.start < column <= node.end:
            start = node.start
    if start == column:  # after a comma or a blank, or in text that is not yet an operand
        while start > statement.rest_start and line[start - 1 : start] not in (b" ", b",", b"\t"):
            start -= 1
    return start


def _of_macro(macro: Macro, call: Statement, column: int) -> Signature:
    label = macros.signature(macro).removeprefix(".macro ")
    parameters = tuple(_macro_parameters(macro, label))
    given = call.line[call.rest_start : column]
    name = given.rpartition(b",")[2].rpartition(b"=")[0].split()
    names = [each.name for each in macro.parameters]
    said = name[-1].decode("utf-8", "replace") if name else ""
    active: int | None = names.index(said) if said in names else _arguments_before(given)
    if names and active is not None and active >= len(names):
        active = len(names) - 1 if macro.parameters[-1].vararg else None
    return Signature(label, "", parameters, active if names else None)


def _macro_parameters(macro: Macro, label: str) -> Iterator[SignatureParameter]:
    position = len(macro.name) + 1
    for parameter in macro.parameters:
        end = label.find(", ", position)
        end = len(label) if end < 0 else end
        yield SignatureParameter(position, end, macros.parameter(macro, parameter.name) or "")
        position = end + 2


def _arguments_before(given: bytes) -> int:
    """The number of complete arguments: each comma outside brackets and strings ends one."""
    depth = count = 0
    in_string = False
    for byte in given:
        in_string ^= byte == 0x22
        depth += (byte in b"([") - (byte in b")]")
        count += byte == 0x2C and depth <= 0 and not in_string
    return count

"""The type of refactorings, and their common questions about a line."""

from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.instruction.model import Instruction
from gcn_lsp.syntax.expressions import Address, MissingSymbol
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Statement

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Item
    from gcn_lsp.program.program import Program

EXTRACT, REWRITE = "refactor.extract", "refactor.rewrite"


class Selection(msgspec.Struct, frozen=True, gc=False):
    """From byte `start` of line `first` to byte `end` of line `last`."""

    first: int
    start: int
    last: int
    end: int


class Edit(msgspec.Struct, frozen=True, gc=False):
    """Text that replaces the part between two places of the main file; `text` may contain line ends."""

    first: int
    start: int
    last: int
    end: int
    text: str


class Refactoring(msgspec.Struct, frozen=True):
    """A change that keeps the bytes. kind: `EXTRACT` or `REWRITE`.

    named: a name that was made up for it and that the user may want to change. named_at: line and byte column of it
    after the change, if it is to be renamed where an edit cannot say so. solves: the rule whose finding it resolves.
    """

    title: str
    kind: str
    edits: tuple[Edit, ...]
    named_at: "tuple[int, int] | None" = None
    named: str = ""
    solves: str = ""


def instruction_on(program: "Program", line: int) -> "Item | None":
    """The one instruction that is written on a line of the main file and assembled there, outside macros."""
    number = program.chunk_at(line)
    in_chunk = line - program.bases[number]
    found = [
        item
        for item in program.chunks[number].items_on(in_chunk)
        if item.instruction is not None and item.written.frame is None and item.written.line == in_chunk
    ]
    return found[0] if len(found) == 1 and found[0].instruction is not None else None


def reassembled(
    program: "Program", line: int, text: bytes, defined: "dict[str, int] | None" = None
) -> Instruction | None:
    """The instruction of the statement `text` on `line`, given further symbols; None if it has a problem."""
    statements = parse_line(text).statements
    if len(statements) != 1 or program.target is None:
        return None

    def lookup(name: str) -> "int | Address | MissingSymbol":
        if defined is not None and name in defined:
            return defined[name]
        value = program.symbol_value(name, line)
        if value is not None:
            return value
        return program.layout.labels.get(name, MissingSymbol(False))

    found = program.assembler.instruction(statements[0], lookup)
    return found if found.code and found.judged and not found.problems else None


def text_of(statement: Statement) -> bytes:
    """A statement without its comment."""
    return statement.line[statement.start : statement.end]


def decoded(text: bytes) -> str:
    """Text for an edit."""
    return text.decode("utf-8", "surrogateescape")


def free_name(program: "Program", wanted: str) -> str:
    """`wanted`, with a number appended if that name exists."""
    taken = program.final_state.symbols
    name, number = wanted, 1
    while name in taken or name in program.layout.labels or name in program.macros or _stands(program, name):
        number += 1
        name = f"{wanted}_{number}"
    return name


def _stands(program: "Program", name: str) -> bool:
    return any(name.encode() in line for line in program.source.lines)

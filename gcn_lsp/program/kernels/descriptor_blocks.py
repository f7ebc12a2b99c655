"""The `.amdhsa_kernel` blocks of a program, and the values of their fields.

A `DescriptorBlock` contains no absolute line, so it is kept over edits with its chunk. `Program.kernels` adds their
places.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import latest
from gcn_lsp.isa.kernels import descriptor as isa_descriptor
from gcn_lsp.preproc.provenance import Written
from gcn_lsp.preproc.state import Deferred, SymbolValue
from gcn_lsp.program.chunk import Chunk, DescriptorLine
from gcn_lsp.program.kernels import descriptor
from gcn_lsp.program.kernels.resources import FieldValues, Resources
from gcn_lsp.program.layout import MAX_LATE
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import expressions, nodes
from gcn_lsp.syntax.expressions import MissingSymbol
from gcn_lsp.text import Location

OPENING, ENDING = ".amdhsa_kernel", ".end_amdhsa_kernel"

Place = tuple[Chunk, DescriptorLine]


class DescriptorBlock:
    """The lines of an `.amdhsa_kernel` block, each with its chunk: the opening one, fields, and the ending one.

    is_closed: whether the last line is the ending one. strays: statements in it that are not fields. written: the
    fields, the first of each name, with their values; is_late: some have a value only at the end of the program.
    repeated: fields that occur earlier in it.
    """

    __slots__ = ("lines", "is_closed", "strays", "name", "fields", "written", "repeated", "is_late", "memo")

    def __init__(self, lines: tuple[Place, ...], is_closed: bool, strays: tuple[Place, ...] = ()) -> None:
        self.lines = lines
        self.is_closed = is_closed
        self.strays = strays
        self.name = lines[0][1].kernel
        self.fields = lines[1:-1] if is_closed else lines[1:]
        written: dict[str, int | None] = {}
        repeated = []
        for place in self.fields:
            name = field_name(place[1])
            if name in written:
                repeated.append(place)
            else:
                written[name] = place[1].value
        self.repeated = tuple(repeated)
        self.written: FieldValues = tuple(written.items())
        self.is_late = None in written.values()
        self.memo: dict[Any, Any] = {}  # see `flow.kept`

    def line_of(self, name: str) -> Place:
        """The line of a field (without the prefix); the opening line if it is not written."""
        return next((place for place in self.fields if field_name(place[1]) == name), self.lines[0])


def field_name(line: DescriptorLine) -> str:
    """The field that a line sets, without the prefix."""
    return line.statement.word.removeprefix(isa_descriptor.PREFIX)


def of(chunks: Sequence[Chunk]) -> tuple[DescriptorBlock, ...]:
    """The descriptor blocks in order. A chunk keeps those that lie entirely in it."""
    found: list[DescriptorBlock] = []
    opened: _Opened | None = None
    for number, chunk in enumerate(chunks):
        if chunk.descriptors:
            own = _own(chunk, chunk) if opened is None else None
            if own is None:
                opened = _read(chunks, number, opened, found)
            else:
                found += own
    if opened is not None:
        found.append(DescriptorBlock(tuple(opened.lines), False))
    return tuple(found)


class _Opened(NamedTuple):
    """The lines of a block that is not closed so far, and the number of the chunk in which it begins."""

    number: int
    lines: list[Place]


@latest
def _own(chunk: Chunk, _: Chunk) -> "tuple[DescriptorBlock, ...] | None":
    """The blocks of a chunk, if it has all of their lines. The key is the chunk: a copy of it has its memo."""
    if any(line.written.line < 0 for line in chunk.descriptors):
        return None  # from an earlier chunk, where a repetition begins
    found: list[DescriptorBlock] = []
    return tuple(found) if _read((chunk,), 0, None, found) is None else None


def _read(
    chunks: Sequence[Chunk], number: int, opened: "_Opened | None", found: list[DescriptorBlock]
) -> "_Opened | None":
    """Add the blocks that a chunk closes to those found; the one that it leaves open. opened: the one before it."""
    chunk = chunks[number]
    for line in chunk.descriptors:
        word = line.statement.word
        if word == OPENING:
            if opened is not None:
                found.append(DescriptorBlock(tuple(opened.lines), False))
            opened = _Opened(number, [(chunk, line)])
        elif opened is not None:
            opened.lines.append((chunk, line))
            if word == ENDING:
                strays = _strays(opened.lines, chunks[: number + 1], opened.number)
                found.append(DescriptorBlock(tuple(opened.lines), True, tuple(strays)))
                opened = None
    return opened


def _strays(lines: Sequence[Place], chunks: Sequence[Chunk], opened_in: int) -> Iterator[Place]:
    """The statements between the first and the last of `lines` that are not fields, if these are in the main file.

    The assembler reads nothing but fields there, not even conditionals. `opened_in` is the number of the first one's
    chunk, the last of `chunks` has the last one.
    """
    opening, ending = lines[0][1].written, lines[-1][1].written
    if opening.container is not None or ending.container is not None:
        return
    # In a repetition from an earlier chunk, lines are counted backward from the chunk in which it ends.
    first, number = opening.line + 1, opened_in
    while first < 0:
        number -= 1
        first += len(chunks[number].lines)
    end = sum(len(chunk.lines) for chunk in chunks[number:-1]) + ending.line
    for chunk in chunks[number:]:
        for line in range(first, min(end, len(chunk.lines))):
            for statement in chunk.line(line).statements:
                if not statement.word.startswith(isa_descriptor.PREFIX):
                    yield chunk, DescriptorLine(lines[0][1].kernel, statement, Written(None, line, None, line))
        first = 0
        end -= len(chunk.lines)


def written(block: DescriptorBlock, symbols: "Mapping[str, SymbolValue]") -> FieldValues:
    """The fields of a block with their values; `symbols` gives those that are known late."""
    if not block.is_late:
        return block.written
    return tuple(
        (name, late_value(block.line_of(name)[1], symbols) if value is None else value) for name, value in block.written
    )


def late_value(line: DescriptorLine, symbols: "Mapping[str, SymbolValue]") -> "int | None":
    """The value of a field whose symbols are set only after the block, possibly by symbols set even later."""
    statement = line.statement
    return evaluated(statement.expression(statement.rest_start, statement.end), symbols)


def evaluated(node: nodes.Node, symbols: "Mapping[str, SymbolValue]") -> "int | None":
    """The value of an expression, whose symbols may be set by later ones."""
    followed: list[str] = []

    def lookup(name: str) -> "int | MissingSymbol":
        value = symbols.get(name)
        if isinstance(value, Deferred) and len(followed) < MAX_LATE:
            followed.append(name)
            found = expressions.evaluate(value.expression, lookup)
            return found if type(found) is int else MissingSymbol(False)
        return value if type(value) is int else MissingSymbol(False)

    value = expressions.evaluate(node, lookup)
    return value if type(value) is int else None


class DescriptorField(NamedTuple):
    """A written field: the directive, its value (None: not known), its place, and the place of its value.

    movable: whether the text at `argument` belongs to the field, not to a macro argument.
    """

    word: str
    value: int | None
    where: Location
    argument: Location
    movable: bool


class KernelDescriptor(msgspec.Struct, frozen=True):
    """An `.amdhsa_kernel` block: its name, its start, its fields in order, and what follows from them.

    where: the opening line's statement. resources: None if the target is not known.
    """

    name: str
    where: Location
    fields: tuple[DescriptorField, ...]
    resources: "Resources | None" = None

    def field(self, name: str) -> "DescriptorField | None":
        """A written field by its name without the prefix."""
        return next((field for field in self.fields if field.word == isa_descriptor.PREFIX + name), None)


def code(target: "isa.Target | None", fields: FieldValues) -> bytes:
    """The bytes of a descriptor without the entry's offset, which the linker fills in; zeros without a target."""
    return bytes(isa_descriptor.SIZE) if target is None else descriptor.encode(target, dict(fields))


def ending_items(chunks: Sequence[Chunk], word: str) -> Iterator[tuple[int, int]]:
    """The chunk and item number of the bytes of every block that ends with `word`, in order."""
    for number, chunk in enumerate(chunks):
        if chunk.descriptors or chunk.headers:
            for index, item in enumerate(chunk.items):
                if item.kind == "data" and item.statement.word == word:
                    yield number, index

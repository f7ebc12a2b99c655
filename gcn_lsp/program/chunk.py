"""The result of assembling one chunk of the main file: items, pieces, problems, and what it depends on.

A chunk's result depends only on its lines, on the state before it, and on the addresses it asked for (`reads`); it
contains no absolute line and no absolute address. So it is reused as long as those are the same.
"""

from bisect import bisect_left, bisect_right
from copy import copy
from operator import attrgetter
from typing import Any, Literal, TypeAlias

import msgspec

from gcn_lsp.instruction.model import Fixup, Instruction, Problem
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.preproc.provenance import Written
from gcn_lsp.preproc.state import State, SymbolValue
from gcn_lsp.program import registers_named
from gcn_lsp.program.declarations import Declaration
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.expressions import Address
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Line, Statement
from gcn_lsp.text import SourceText


class Piece:
    """Consecutive bytes of a section; only its start moves when the size of something before it changes.

    align: its start is a multiple of this many bytes, unless that takes more than `max_skip` bytes. fill: the pattern
    of the padding, None for the section's default (`s_nop` in code). size: bytes without the padding; the minimum if
    `Chunk.growing` names the piece.
    """

    __slots__ = ("section", "align", "fill", "max_skip", "size", "target")

    def __init__(self, section: str, align: int = 1, fill: "bytes | None" = None, max_skip: int = 0) -> None:
        self.section = section
        self.align = align
        self.fill = fill
        self.max_skip = max_skip
        self.size = 0
        self.target: int | None = None  # `.org`: the piece starts here or later


def piece_start(piece: Piece, offset: int) -> int:
    """The start of `piece` in its section, given `offset` bytes before it."""
    if piece.target is not None:
        return max(offset, piece.target)
    padding = -offset % piece.align
    return offset if piece.max_skip and padding > piece.max_skip else offset + padding


_top_line = attrgetter("written.top_line")

ItemKind: TypeAlias = Literal["instruction", "label", "data", "assignment", "expansion", "unknown"]
"""What an item is; `unknown` is code that depends on values that only the build knows. mypy knows the names."""


class Item(msgspec.Struct, frozen=True, gc=False):
    """One interpreted statement.

    written: where. piece, offset: its bytes start `offset` bytes into that piece of the chunk. data: the bytes of a
    data directive. value: of an assignment.
    """

    kind: ItemKind
    statement: Statement
    instruction: Instruction | None
    written: Written
    piece: int
    offset: int
    data: bytes = b""
    value: "SymbolValue | None" = None
    fixups: tuple[Fixup, ...] = ()


class ChunkProblem(msgspec.Struct, frozen=True):
    """A problem and its line: `statement_line` is the line as interpreted."""

    problem: Problem
    written: Written
    statement_line: bytes


class Unresolved(msgspec.Struct, frozen=True):
    """A name without a value where interpretation needed one: the build defines it, or it is defined too late.

    problem: what is wrong then, if an operand needed it.
    """

    name: str
    written: Written
    statement: Statement
    problem: Problem | None = None


class DescriptorLine(msgspec.Struct, frozen=True):
    """A line of an `.amdhsa_kernel` block: its statement and, for a field, its value."""

    kernel: str
    statement: Statement
    written: Written
    value: int | None = None


class Metadata(msgspec.Struct, frozen=True):
    """A metadata block: the directive and its lines, starting at line `first_line` of the container."""

    word: str
    lines: tuple[bytes, ...]
    container: "Macro | str | None"
    first_line: int


class Asked(msgspec.Struct):
    """What a chunk wanted to know of the program before it: it stays valid while the answers are the same.

    addresses: of labels, by name. sizes: bytes of sections so far; None if nothing depends on them. includes: texts by
    includer and name. registers: those named so far; None if nothing depends on them. symbols, macros: names looked up
    in the state before; None: all names. calls: macro calls so far; None if nothing depends on them.
    """

    addresses: "dict[str, Address | None]" = {}
    sizes: "dict[str, int] | None" = None
    includes: "dict[tuple[str, str], SourceText | None]" = {}
    registers: "registers_named.Usage | None" = None
    symbols: frozenset[str] = frozenset()
    macros: "frozenset[str] | None" = frozenset()
    calls: "int | None" = None


class Changed(msgspec.Struct):
    """What a chunk changes for the program after it.

    symbols, macros: names whose values differ from those before. made: lines that change a symbol without assigning it.
    registers: the counts of registers that are set. calls: macro calls. lines: lines expanded; infinite if there were
    too many.
    """

    symbols: frozenset[str] = frozenset()
    macros: frozenset[str] = frozenset()
    made: "tuple[tuple[int, str, SymbolValue], ...]" = ()
    registers: "list[registers_named.Setting]" = []
    calls: int = 0
    lines: float = 0


class Chunk:
    """The result for one chunk. Everything is relative to it; see the module's docstring."""

    __slots__ = (
        "lines", "before", "after", "asked", "changed", "memo",
        "items", "pieces", "labels", "fixups", "growing", "is_divided",
        "problems", "unresolved", "commented", "raw", "reached", "unreached",
        "definitions", "assigned", "defaults", "first_values", "late", "declared", "exported", "declarations",
        "former", "descriptors", "headers", "metadata", "kernels", "__weakref__",
    )  # fmt: skip

    def __init__(self, lines: tuple[bytes, ...], before: State) -> None:
        self.lines = lines
        self.before = before
        self.after = before
        self.asked = Asked()
        self.changed = Changed()
        self.items: list[Item] = []
        self.pieces: list[Piece] = []
        self.labels: list[tuple[str, int, int, int]] = []  # name, piece, offset, item
        self.problems: list[ChunkProblem] = []
        self.fixups: list[int] = []  # items with fixups
        self.definitions: list[
            tuple[Macro, Macro | str | None, int, int]
        ] = []  # macro, container, header line, top line
        self.unresolved: list[Unresolved] = []
        self.first_values: dict[str, SymbolValue | None] = {}  # the first value of each symbol in this chunk
        self.descriptors: list[DescriptorLine] = []
        # Fields of `.amd_kernel_code_t`, with an expression where the value is known only at the end; after each block
        # ("", None).
        self.headers: list[tuple[str, int | nodes.Node | None]] = []
        self.metadata: list[Metadata] = []
        self.commented: frozenset[int] = frozenset()  # lines that begin inside a block comment
        self.raw: frozenset[int] = frozenset()  # lines that are not assembly
        self.assigned: set[str] = set()  # symbols that were set
        self.defaults: set[str] = set()  # those that were set because nothing had defined them (`.ifndef`)
        self.declared: set[str] = set()  # names that may be defined in another file
        self.exported: set[str] = set()  # other files may see or replace them: the linker fills in branches
        self.declarations: list[Declaration] = []
        self.former: tuple[Declaration, ...] = ()  # directives that LLVM no longer knows
        self.late: set[str] = set()  # symbols set to an expression without a value
        self.growing: dict[int, int] = {}  # pieces whose size depends on the layout, and the item in each
        self.is_divided = False  # whether a piece is in a numbered part of its section
        # Branches of conditionals, by container and line: those of macros that some call took, and those not taken here
        # with the line that ends each (-1: it is in a later chunk).
        self.reached: frozenset[tuple[Macro | str | None, int]] = frozenset()
        self.unreached: tuple[tuple[Macro | str | None, int, int], ...] = ()
        self.memo: dict[Any, Any] = {}  # results about the lines and items, see `flow.kept`

    def moved(self, before: State, after: State) -> "Chunk":
        """The same result between other states, which differ only in what the chunk does not depend on."""
        copy_ = copy(self)
        copy_.before, copy_.after = before, after
        copy_.memo = self.memo.copy()
        return copy_

    def line(self, line: int) -> Line:
        """Line `line` of the chunk, parsed; a line that is not assembly has no statements."""
        if line in self.raw:
            return Line(self.lines[line], (), None, False)
        return parse_line(self.lines[line], line in self.commented)

    def instructions(self) -> dict[int, Statement]:
        """The statements of its own lines that were assembled as instructions, by line."""
        return {
            item.written.line: item.statement
            for item in self.items
            if item.instruction is not None and item.written.frame is None and item.written.container is None
        }

    def items_on(self, line: int) -> "tuple[Item, ...]":
        """The items that line `line` of the chunk leads to. All are in the order of these lines."""
        first = bisect_left(self.items, line, key=_top_line)
        return tuple(self.items[first : bisect_right(self.items, line, first, key=_top_line)])

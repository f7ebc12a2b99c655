"""Puts the results of statements into the pieces of a chunk; all directives and instructions write through it."""

from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec

from gcn_lsp.instruction.memo import Assembler
from gcn_lsp.instruction.model import Fixup, Problem
from gcn_lsp.preproc.interpreter import Interpreter
from gcn_lsp.preproc.state import State, SymbolValue
from gcn_lsp.preproc.streamer import Reporter
from gcn_lsp.preproc.symbols import Symbols
from gcn_lsp.program import declarations, registers_named
from gcn_lsp.program.chunk import Chunk, ChunkProblem, Item, ItemKind, Piece, piece_start
from gcn_lsp.program.declarations import Declaration
from gcn_lsp.syntax.expressions import PART, Address, section_of
from gcn_lsp.syntax.statement import Statement

# A `.space` or `.fill` of more bytes is a mistake, not a program; nothing that large is kept in memory.
MAX_SPACE = 1 << 28


class Surroundings(msgspec.Struct):
    """The program before a chunk, as far as the chunk may ask: addresses of labels and sizes of sections so far."""

    address: Callable[[str], "Address | None"]
    sizes: Mapping[str, int]
    registers: Callable[[], registers_named.Usage] = registers_named.Usage


class Emitter:
    """The chunk under construction and its current section.

    symbols, reporter: those of the interpreter. section, previous_section, section_stack, descriptor, local_names: as
    in `State`. items, labels: so far. piece, piece_index: the current piece. pending: bytes of the current directive so
    far. pads_branches: the target needs `s_nop` after branches of one distance.
    """

    symbols: Symbols
    reporter: Reporter

    def __init__(self, chunk: Chunk, surroundings: Surroundings, assembler: Assembler) -> None:
        state = chunk.before
        self.chunk = chunk
        self.assembler = assembler
        self.section = state.section
        self.section_stack = state.stack
        self.previous_section = state.previous
        self.descriptor = state.descriptor
        self.local_names = state.local_names
        self.pending = 0
        self.pads_branches = assembler.target is not None and assembler.target.jumps_wrongly_by_3f
        self.items = chunk.items
        self.labels: dict[str, tuple[int, int]] = {}
        self.piece: Piece | None = None
        self.piece_index = 0
        self._pieces = chunk.pieces
        self._open: dict[str, int] = {}  # the current piece by section
        self._surroundings = surroundings

    def attach(self, interpreter: Interpreter) -> None:
        """The interpreter whose statements are emitted."""
        self.symbols = interpreter.symbols
        self.reporter = interpreter.reporter

    def detach(self) -> None:
        """Drop the interpreter, which holds this object: a circle would keep each chunk until the next collection."""
        del self.symbols, self.reporter

    def finished(self, state: State) -> State:
        """`state` with what this object keeps for the lines after the chunk."""
        return msgspec.structs.replace(
            state,
            section=self.section,
            stack=self.section_stack,
            previous=self.previous_section,
            descriptor=self.descriptor,
            local_names=self.local_names,
        )

    # Pieces and items

    def select(self) -> Piece:
        """The current piece of the current section."""
        section = self.section
        piece = self.piece
        if piece is not None and piece.section == section:
            return piece
        index = self._open.get(section)
        if index is None:
            return self.new_piece(Piece(section))
        self.piece_index = index
        self.piece = piece = self._pieces[index]
        return piece

    def new_piece(self, piece: Piece) -> Piece:
        """Continue in a new piece."""
        self._pieces.append(piece)
        self.chunk.is_divided = self.chunk.is_divided or PART in piece.section
        self.piece_index = len(self._pieces) - 1
        self.piece = piece
        self._open[piece.section] = self.piece_index
        return piece

    def item(
        self,
        kind: ItemKind,
        statement: Statement,
        data: bytes = b"",
        value: "SymbolValue | None" = None,
        fixups: tuple[Fixup, ...] = (),
    ) -> Item:
        """Note a statement at the current address."""
        piece = self.select()
        written = self.reporter.written
        item = Item(kind, statement, None, written, self.piece_index, piece.size, data, value, fixups)
        self.items.append(item)
        return item

    def data(self, statement: Statement, data: bytes, fixups: tuple[Fixup, ...] = ()) -> None:
        """Put bytes at the current address."""
        if is_without_bytes(self.section) and (any(data) or fixups):
            self.no_bytes(statement)
        self.item("data", statement, data, fixups=fixups)
        if fixups:
            self.chunk.fixups.append(len(self.items) - 1)
        self.select().size += len(data)

    def grow(self) -> None:
        """Begin a piece for the next item alone, whose size depends on the layout."""
        self.new_piece(Piece(self.section))
        self.chunk.growing[self.piece_index] = len(self.items)

    def place_label(self, name: str, item: int) -> None:
        """Put a label at the current address; `item` is the number of its item."""
        piece = self.select()
        self.chunk.labels.append((name, self.piece_index, piece.size, item))
        self.labels.setdefault(name, (self.piece_index, piece.size))

    # Addresses

    def address(self, name: str) -> "Address | None":
        """The address of a label that is defined so far; `.` is the current one."""
        if name == ".":
            piece = self.select()
            start = self._start_of(self.piece_index, piece.section)
            return Address(piece.section, start + piece.size + self.pending)
        address = self.chunk.asked.addresses[name] = self._surroundings.address(name)
        known = self.labels.get(name)
        if address is None and known is not None:
            piece_index, offset = known
            section = self._pieces[piece_index].section
            return Address(section, self._start_of(piece_index, section) + offset)
        return address

    def _start_of(self, piece_index: int, section: str) -> int:
        """The start of a piece of this chunk, from the sizes of sections before it (which are noted as read)."""
        size = self._surroundings.sizes.get(section, 0)
        self.chunk.asked.sizes = {**(self.chunk.asked.sizes or {}), section: size}
        start = size
        for index, piece in enumerate(self._pieces):
            if piece.section == section:
                start = piece_start(piece, start)
                if index == piece_index:
                    return start
                start += piece.size
        return start

    def registers_named(self, name: str) -> int:
        """The value of a symbol that counts the registers named by instructions."""
        before = self.chunk.asked.registers = self._surroundings.registers()
        instructions = [item.instruction for item in self.items]
        return registers_named.after(before, instructions, self.chunk.changed.registers).of(name)

    def set_registers_named(self, name: str, value: int) -> None:
        """Set such a symbol; it counts from there."""
        self.chunk.changed.registers.append(registers_named.Setting(len(self.items), name, value))

    # Problems and declarations

    def report(self, problem: Problem, line: bytes) -> None:
        """Note a problem in the current line, which is `line` as interpreted."""
        self.chunk.problems.append(ChunkProblem(problem, self.reporter.written, line))

    def no_bytes(self, statement: Statement) -> None:
        """Report bytes in a section that holds none."""
        message = f"section `{section_of(self.section)}` can hold only zeros"
        self.reporter.whole("malformed-directive", statement, message)

    def note(self, name: str, statement: Statement, section: "declarations.Section | None" = None) -> None:
        """Note a declaration of a symbol or a section."""
        self.chunk.declarations.append(Declaration(name, statement, self.reporter.written, section))


def sane_size(out: Emitter, size: int, statement: Statement, where: tuple[int, int]) -> bool:
    """Whether a directive may emit `size` bytes; reports at columns `where` if not."""
    if 0 <= size <= MAX_SPACE:
        return True
    message = f"`{statement.name}` of {size} bytes is out of range (0 to {MAX_SPACE})"
    out.reporter.problem("invalid-expression", *where, message)
    return False


@lru_cache(maxsize=256)  # asked for each instruction
def is_without_bytes(section: str) -> bool:
    """Whether a section is zero at run time and takes no room in the file."""
    section = section_of(section)
    return section.startswith((".bss", ".tbss")) and section.partition("bss")[2][:1] in ("", ".")

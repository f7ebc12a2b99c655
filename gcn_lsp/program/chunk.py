"""Assembles one chunk of the main file: the streamer that turns statements into items, pieces and problems.

A chunk's result depends on its lines, on the state before it, and on the addresses it asked for (`reads`), and on
nothing else; it holds no absolute line and no absolute address. So it is reused as long as those stay the same.
"""

import base64
import difflib
import re
import struct
from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

import msgspec

from gcn_lsp.instruction.memo import Assembler
from gcn_lsp.instruction.model import Fix, Fixup, Instruction, Problem
from gcn_lsp.isa import allocation, kernel_code
from gcn_lsp.preproc import interpreter as preproc
from gcn_lsp.preproc import macros
from gcn_lsp.preproc.interpreter import Interpreter
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.preproc.provenance import Frame
from gcn_lsp.preproc.state import Deferred, State, SymbolValue
from gcn_lsp.preproc.streamer import Streamer
from gcn_lsp.program import declarations, directives, registers_named
from gcn_lsp.program.declarations import Declaration
from gcn_lsp.program.kernels import descriptor
from gcn_lsp.syntax import expressions, nodes, operands
from gcn_lsp.syntax.expressions import UNKNOWN, Address, Missing
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Line, Statement
from gcn_lsp.text import SourceText

if TYPE_CHECKING:
    from gcn_lsp.program.kernels.kernel import Block

# `.space` and `.fill` beyond this many bytes are a mistake, not a program; nothing that large is kept in memory.
MAX_SPACE = 1 << 28
MAX_ALIGNMENT_LOG2 = 29
MAX_PART = 0x7FFFFFFF  # of a section


class Piece:
    """Consecutive bytes of a section; only its start moves when something before it changes size.

    align: its start is a multiple of this many bytes, unless that takes more than `max_skip` bytes. fill: the
    pattern of the padding, None for what the section takes (`s_nop` among code). size: bytes without the padding; the
    least that it may be where `Chunk.growing` names the piece.
    """

    __slots__ = ("section", "align", "fill", "max_skip", "size", "target")

    def __init__(self, section: str, align: int = 1, fill: "bytes | None" = None, max_skip: int = 0) -> None:
        self.section = section
        self.align = align
        self.fill = fill
        self.max_skip = max_skip
        self.size = 0
        self.target: int | None = None  # `.org`: where the piece starts at least


class Item(msgspec.Struct, frozen=True):
    """One statement that was interpreted.

    kind: `instruction`, `label`, `data`, `assignment` or `expansion`. top_line: the line of the chunk that leads to
    it. container, line: where it is written (see `preproc.provenance.Place`). piece, offset: its bytes start
    `offset` bytes into that piece of the chunk. data: the bytes of a data directive. value: of an assignment.
    """

    kind: str
    statement: Statement
    instruction: Instruction | None
    top_line: int
    container: "Macro | str | None"
    line: int
    frame: Frame | None
    piece: int
    offset: int
    data: bytes = b""
    value: "SymbolValue | None" = None
    fixups: tuple[Fixup, ...] = ()


class ChunkProblem(msgspec.Struct, frozen=True):
    """A problem and the line it is in: `statement_line` is that line as it was interpreted."""

    problem: Problem
    top_line: int
    container: "Macro | str | None"
    line: int
    frame: Frame | None
    statement_line: bytes


class Unresolved(msgspec.Struct, frozen=True):
    """A name that had no value where one was needed to go on: the build defines it, or it comes too late."""

    name: str
    top_line: int
    container: "Macro | str | None"
    line: int
    frame: Frame | None
    statement: Statement


class DescriptorLine(msgspec.Struct, frozen=True):
    """A line of an `.amdhsa_kernel` block: its statement and, for a field, the value it evaluated to."""

    kernel: str
    statement: Statement
    top_line: int
    container: "Macro | str | None"
    line: int
    frame: Frame | None
    value: int | None = None


class Metadata(msgspec.Struct, frozen=True):
    """A metadata block: the directive and its lines, the first of which is line `first_line` of the container."""

    word: str
    lines: tuple[bytes, ...]
    container: "Macro | str | None"
    first_line: int


class Chunk:
    """The result for one chunk. Everything is relative to it; see the module's docstring."""

    __slots__ = (
        "lines", "before", "after", "items", "pieces", "labels", "problems", "fixups", "definitions", "unresolved",
        "reads", "position_read", "descriptors", "headers", "metadata", "includes", "expanded", "by_line",
        "memo", "assigned", "declared", "kernels", "calls", "counter_read",
        "reads_symbols", "reads_macros", "writes_symbols", "writes_macros", "commented", "raw",
        "first_values", "register_settings", "registers_read", "reached", "unreached",
        "declarations", "exported", "late", "growing", "is_divided", "__weakref__",
    )  # fmt: skip

    def __init__(self, lines: tuple[bytes, ...], before: State) -> None:
        self.lines = lines
        self.before = before
        self.after = before
        self.items: list[Item] = []
        self.pieces: list[Piece] = []
        self.labels: list[tuple[str, int, int, int]] = []  # name, piece, offset, item
        self.problems: list[ChunkProblem] = []
        self.fixups: list[int] = []  # items with fixups
        self.definitions: list[
            tuple[Macro, Macro | str | None, int, int]
        ] = []  # macro, container, header line, top line
        self.unresolved: list[Unresolved] = []
        self.first_values: dict[str, SymbolValue | None] = {}  # what each symbol was set to first in here
        self.register_settings: list[registers_named.Setting] = []
        self.registers_read: registers_named.Usage | None = (
            None  # registers named before the chunk, if something depends on it
        )
        self.reads: dict[str, Address | None] = {}
        self.position_read: dict[str, int] | None = None  # section sizes that something depends on
        self.descriptors: list[DescriptorLine] = []
        # Fields of `.amd_kernel_code_t`, with what is to be evaluated at the end where there is no value yet; after
        # each block ("", None).
        self.headers: list[tuple[str, int | nodes.Node | None]] = []
        self.metadata: list[Metadata] = []
        self.includes: dict[tuple[str, str], SourceText | None] = {}  # what includer and name were resolved to
        self.expanded = 0
        self.calls = 0  # of macros
        # Names that were looked up in the state before, and those that are not what they were there. None: all names.
        self.reads_symbols: frozenset[str] = frozenset()
        self.reads_macros: frozenset[str] | None = frozenset()
        self.writes_symbols: frozenset[str] = frozenset()
        self.writes_macros: frozenset[str] = frozenset()
        self.counter_read: int | None = None  # macro calls before the chunk, if something depends on that
        self.commented: frozenset[int] = frozenset()  # lines that begin inside a block comment
        self.raw: frozenset[int] = frozenset()  # lines that are no assembly
        self.kernels: tuple[Block, ...] | None = None  # what `kernel.blocks` found, if all of them end here
        self.assigned: set[str] = set()  # symbols that were set
        self.declared: set[str] = set()  # names that may be defined in another file
        self.exported: set[str] = set()  # names that another file may see or replace: branches to them are the linker's
        self.declarations: list[Declaration] = []
        self.late: set[str] = set()  # symbols that were set to something without a value
        self.growing: dict[int, int] = {}  # pieces whose size follows from the layout, and the item in each
        self.is_divided = False  # whether a piece is in a numbered part of its section
        # Branches of conditionals, by container and line: those of macros that were taken in some call, and those that
        # were not taken here with the line that ends each (-1: it is in a later chunk).
        self.reached: frozenset[tuple[Macro | str | None, int]] = frozenset()
        self.unreached: tuple[tuple[Macro | str | None, int, int], ...] = ()
        self.by_line: dict[int, list[Item]] | None = None
        self.memo: dict[Any, Any] = {}  # what others found in the lines and items, see `flow.kept`

    def moved(self, before: State, after: State) -> "Chunk":
        """The same result between other states that differ only in what the chunk does not depend on."""
        copy_ = copy(self)
        copy_.before, copy_.after = before, after
        copy_.memo = self.memo.copy()
        copy_.kernels = None  # blocks know the chunk that they are in
        return copy_

    def line(self, line: int) -> Line:
        """Line `line` of the chunk, parsed; one that is no assembly has no statements."""
        if line in self.raw:
            return Line(self.lines[line], (), None, False)
        return parse_line(self.lines[line], line in self.commented)

    def items_on(self, line: int) -> "tuple[Item, ...]":
        """The items that line `line` of the chunk leads to."""
        if self.by_line is None:
            index: dict[int, list[Item]] = {}
            for item in self.items:
                index.setdefault(item.top_line, []).append(item)
            self.by_line = index
        return tuple(self.by_line.get(line, ()))


class Surroundings(msgspec.Struct):
    """What a chunk may ask about the program before it: addresses of labels and the sizes of sections so far."""

    address: Callable[[str], "Address | None"]
    sizes: Mapping[str, int]
    registers: Callable[[], registers_named.Usage] = registers_named.Usage


def assemble_chunk(
    lines: tuple[bytes, ...],
    before: State,
    surroundings: Surroundings,
    assembler: Assembler,
    include: preproc.IncludeResolver,
    path: str,
    budget: preproc.Budget,
    counter: int,
) -> Chunk:
    """Interpret and assemble `lines` from the state `before` them and after `counter` macro calls."""
    chunk = Chunk(lines, before)
    builder = _Builder(chunk, surroundings, assembler, include)
    interpreter = builder.interpreter = Interpreter(before, builder, builder.include, path, budget, counter)
    interpreter.register_count = builder
    left = budget.left
    chunk.after = interpreter.run_chunk(lines)
    chunk.expanded = left - budget.left
    chunk.reads_symbols = frozenset(interpreter.symbols.read)
    chunk.reads_macros = None if interpreter.macro_names_read else frozenset(interpreter.macros.read)
    chunk.writes_symbols = frozenset(interpreter.symbols.written)
    chunk.writes_macros = frozenset(interpreter.macros.written)
    chunk.calls = interpreter.counter - counter
    chunk.counter_read = counter if interpreter.counter_read else None
    chunk.commented = frozenset(interpreter.commented)
    chunk.raw = frozenset(interpreter.raw)
    if interpreter.branches:
        chunk.reached, chunk.unreached = _branches(interpreter)
    return chunk


def replay(
    chunk: Chunk,
    assembler: Assembler,
    path: str,
    budget: preproc.Budget,
    counter: int,
    watch: Callable[[Streamer], Streamer],
) -> None:
    """Interpret the lines of `chunk` once more, just as they were, with the streamer that `watch` makes of its own.

    Everything that interpretation asked of its surroundings is in the chunk, so the answers are the same.
    """
    builder = _Builder(
        Chunk(chunk.lines, chunk.before),
        Surroundings(
            chunk.reads.get, chunk.position_read or {}, lambda: chunk.registers_read or registers_named.Usage()
        ),
        assembler,
        lambda includer, name: chunk.includes.get((includer, name)),
    )
    streamer = watch(builder)
    interpreter = builder.interpreter = Interpreter(chunk.before, streamer, builder.include, path, budget, counter)
    interpreter.register_count = builder
    interpreter.run_chunk(chunk.lines)


_Branch = tuple["Macro | str | None", int]


def _branches(interpreter: Interpreter) -> "tuple[frozenset[_Branch], tuple[tuple[Macro | str | None, int, int], ...]]":
    """The branches that were taken in macros, and those that were not taken."""
    ends = interpreter.branch_ends
    reached = frozenset(branch for branch, taken in interpreter.branches.items() if taken and branch[0] is not None)
    unreached = tuple((*branch, ends.get(branch, -1)) for branch, taken in interpreter.branches.items() if not taken)
    return reached, unreached


class _Builder:
    """The streamer of one chunk."""

    def __init__(
        self, chunk: Chunk, surroundings: Surroundings, assembler: Assembler, include: preproc.IncludeResolver
    ) -> None:
        self._chunk = chunk
        self._surroundings = surroundings
        self._assembler = assembler
        self._include = include
        self._items = chunk.items
        self._pieces = chunk.pieces
        self._open: dict[str, int] = {}  # the piece that is growing, by section
        self._labels: dict[str, tuple[int, int]] = {}
        self.interpreter: Interpreter  # set once it exists
        self._pads_branches = assembler.target is not None and assembler.target.has("FeatureOffset3fBug")
        self._pending = 0  # bytes of the current directive so far
        self._current: Piece | None = None
        self._current_index = 0
        self._current_section = ""

    def include(self, includer: str, name: str) -> "SourceText | None":
        source = self._include(includer, name)
        self._chunk.includes[(includer, name)] = source
        return source

    # Instructions

    def instruction(self, statement: Statement, interpreter: Interpreter) -> None:
        instruction = self._assembler.instruction(statement, interpreter.lookup_symbol)
        if not instruction.judged:
            self._note_unknown(statement, interpreter)
        if self._current is None or interpreter.section != self._current_section:
            self._select(interpreter.section)
        is_padded = self._pads_branches and _is_short_branch(instruction)
        if is_padded:
            self._new_piece(Piece(interpreter.section))
            self._chunk.growing[self._current_index] = len(self._items)
        piece = self._current
        assert piece is not None
        self._items.append(
            Item(
                "instruction",
                statement,
                instruction,
                interpreter.top_line,
                interpreter.container,
                interpreter.line_number,
                interpreter.frame,
                self._current_index,
                piece.size,
            )
        )
        if instruction.fixups:
            self._chunk.fixups.append(len(self._items) - 1)
            bound = tuple(_bound(fixup, interpreter) for fixup in instruction.fixups)
            if bound != instruction.fixups:
                self._items[-1] = msgspec.structs.replace(self._items[-1], fixups=bound)
        piece.size += instruction.size
        if is_padded:
            self._new_piece(Piece(interpreter.section))
        if directives.is_without_bytes(interpreter.section):
            self._no_bytes(statement, interpreter)
        for problem in instruction.problems:
            if problem.rule != "unknown-mnemonic":
                self._report(problem, interpreter, statement.line)
            elif not interpreter.incomplete:  # else it may be a macro of the file that was not found
                self._report(with_nearest_macro(problem, statement, interpreter), interpreter, statement.line)

    def _note_unknown(self, statement: Statement, interpreter: Interpreter) -> None:
        """An instruction that is not judged: note the names without a value that this is due to."""
        for name in self._assembler.names(statement):
            value = interpreter.lookup_symbol(name)
            if isinstance(value, Missing) and value.unknown:
                for missing in value.because:
                    self.unknown_symbol(missing, interpreter, statement)

    def _item(
        self,
        kind: str,
        statement: Statement,
        interpreter: Interpreter,
        *,
        instruction: Instruction | None = None,
        data: bytes = b"",
        value: "SymbolValue | None" = None,
        fixups: tuple[Fixup, ...] = (),
    ) -> Item:
        self._select(interpreter.section)
        piece = self._current
        assert piece is not None
        item = Item(
            kind,
            statement,
            instruction,
            interpreter.top_line,
            interpreter.container,
            interpreter.line_number,
            interpreter.frame,
            self._current_index,
            piece.size,
            data,
            value,
            fixups,
        )
        self._items.append(item)
        return item

    def _select(self, section: str) -> None:
        index = self._open.get(section)
        if index is None:
            self._new_piece(Piece(section))
            return
        self._current_index = index
        self._current = self._pieces[index]
        self._current_section = section

    def _new_piece(self, piece: Piece) -> None:
        self._pieces.append(piece)
        self._chunk.is_divided = self._chunk.is_divided or expressions.PART in piece.section
        self._current_index = len(self._pieces) - 1
        self._current = piece
        self._current_section = piece.section
        self._open[piece.section] = self._current_index

    # Labels, assignments, macros

    def label(self, statement: Statement, interpreter: Interpreter) -> None:
        item = self._item("label", statement, interpreter)
        name = statement.name
        self._chunk.labels.append((name, item.piece, item.offset, len(self._items) - 1))
        self._labels.setdefault(name, (item.piece, item.offset))
        if interpreter.symbols.get(name) is UNKNOWN:
            del interpreter.symbols[name]

    def assignment(self, statement: Statement, name: str, interpreter: Interpreter) -> None:
        if name == ".":
            self._org(statement, interpreter)
        else:
            self._chunk.assigned.add(name)
            if isinstance(interpreter.symbols.get(name), Deferred):
                self._chunk.late.add(name)
            self._chunk.first_values.setdefault(name, interpreter.symbols.get(name))
            self._item("assignment", statement, interpreter, value=interpreter.symbols.get(name))

    def header_field(self, statement: Statement, interpreter: Interpreter) -> None:
        node = operands.parse_expression(statement.line, statement.rest_start, statement.end)
        name = statement.name
        if name not in kernel_code.FIELDS:
            near = difflib.get_close_matches(name, kernel_code.FIELDS, 1, 0.7)
            fixes = tuple(
                Fix(f"Change to `{near[0]}`", statement.name_start, statement.name_end, near[0]) for _ in near
            )
            message = f"`{name}` is no field of a kernel header"
            problem = Problem("descriptor-field", statement.name_start, statement.name_end, message, fixes)
            self._report(problem, interpreter, statement.line)
        elif isinstance(node, nodes.Malformed):
            interpreter.problem("descriptor-field", node.start, max(node.end, node.start), node.message)
        else:
            value = interpreter.evaluate(node)
            self._chunk.headers.append((name, value if type(value) is int else node))
            if type(value) is int:
                self._header_value(statement, value, interpreter)

    def _header_value(self, statement: Statement, value: int, interpreter: Interpreter) -> None:
        """What is wrong with the value of a field of an `.amd_kernel_code_t` block."""
        name, target = statement.name, self._assembler.target
        start, end = statement.rest_start, statement.end
        wrong = kernel_code.mistake(name, value, target) if target is not None else ""
        bits = kernel_code.FIELDS[name].bits or 8 * kernel_code.FIELDS[name].size
        if wrong:
            interpreter.problem("descriptor-field", start, end, f"`{name}` is {value}, but {wrong}")
        elif not -(1 << (bits - 1)) <= value < 1 << bits:
            message = f"`{name}` has {bits} bits: of {value} it keeps {value & ((1 << bits) - 1)}"
            interpreter.problem("silently-truncated", start, end, message)

    def macro_defined(self, macro: Macro, header_line: int, interpreter: Interpreter) -> None:
        self._chunk.definitions.append((macro, interpreter.container, header_line, interpreter.top_line))

    def expansion(self, statement: Statement, interpreter: Interpreter, frame: Frame) -> None:
        self._item("expansion", statement, interpreter)

    def raw_block(self, word: str, lines: tuple[bytes, ...], first_line: int, interpreter: Interpreter) -> None:
        self._chunk.metadata.append(Metadata(word, lines, interpreter.container, first_line))

    def unknown_symbol(self, name: str, interpreter: Interpreter, statement: Statement) -> None:
        self._chunk.unresolved.append(
            Unresolved(
                name,
                interpreter.top_line,
                interpreter.container,
                interpreter.line_number,
                interpreter.frame,
                statement,
            )
        )

    def registers_named(self, name: str) -> int:
        before = self._chunk.registers_read = self._surroundings.registers()
        return registers_named.after(before, self._items, self._chunk.register_settings).of(name)

    def set_registers_named(self, name: str, value: int) -> None:
        self._chunk.register_settings.append(registers_named.Setting(len(self._items), name, value))

    def address(self, name: str) -> "Address | None":
        if name == ".":
            self._select(self.interpreter.section)
            piece = self._current
            assert piece is not None
            start = self._start_of(self._current_index, piece.section)
            return Address(piece.section, start + piece.size + self._pending)
        address = self._chunk.reads[name] = self._surroundings.address(name)
        known = self._labels.get(name)
        if address is None and known is not None:
            piece_index, offset = known
            section = self._pieces[piece_index].section
            return Address(section, self._start_of(piece_index, section) + offset)
        return address

    def _start_of(self, piece_index: int, section: str) -> int:
        """Where a piece of this chunk starts, given the sizes of sections before it (which are noted as read)."""
        size = self._surroundings.sizes.get(section, 0)
        self._chunk.position_read = {**(self._chunk.position_read or {}), section: size}
        start = size
        for index, piece in enumerate(self._pieces):
            if piece.section == section:
                start = piece_start(piece, start)
                if index == piece_index:
                    return start
                start += piece.size
        return start

    # Problems

    def problem(self, rule: str, start: int, end: int, message: str, interpreter: Interpreter) -> None:
        self._report(Problem(rule, start, end, message), interpreter, b"")

    def _report(self, problem: Problem, interpreter: Interpreter, line: bytes) -> None:
        self._chunk.problems.append(
            ChunkProblem(
                problem, interpreter.top_line, interpreter.container, interpreter.line_number, interpreter.frame, line
            )
        )

    # Directives

    def directive(self, statement: Statement, interpreter: Interpreter) -> bool:
        word = statement.word
        if interpreter.descriptor and word.startswith(".amdhsa_") and word != ".amdhsa_kernel":
            self._descriptor_field(statement, interpreter)
            return True
        handler = _HANDLERS.get(word)
        if handler is None:
            wrong = directives.malformed(word, statement.rest)
            if wrong:
                interpreter.problem("malformed-directive", statement.start, statement.end, wrong)
            elif word in directives.LINKAGE or word in declarations.BINDINGS:
                self._declare(statement, interpreter)
            return word in directives.DECLARATIONS
        handler(self, statement, interpreter)
        return True

    def _declare(self, statement: Statement, interpreter: Interpreter) -> None:
        """Names that `.globl` and its kind say something of."""
        chunk = self._chunk
        names = statement.rest.decode("utf-8", "surrogateescape").split(",")
        for name in filter(None, (name.strip().strip('"') for name in names)):
            if statement.word in directives.LINKAGE:
                chunk.declared.add(name)
            binding = declarations.BINDINGS.get(statement.word)
            if binding is None:
                continue
            if binding == "local":
                interpreter.local_names |= {name}
            else:
                chunk.exported.add(name)
            self._note(name, statement, interpreter)

    def _note(
        self, name: str, statement: Statement, interpreter: Interpreter, section: "declarations.Section | None" = None
    ) -> None:
        place = (interpreter.top_line, interpreter.container, interpreter.line_number, interpreter.frame)
        self._chunk.declarations.append(Declaration(name, statement, *place, section))

    def _integers(self, statement: Statement, interpreter: Interpreter) -> None:
        size = directives.INTEGERS[statement.word]
        data = bytearray()
        fixups: list[Fixup] = []
        for start, end in split_arguments(statement):
            node = operands.parse_expression(statement.line, start, end)
            if isinstance(node, nodes.Malformed):
                interpreter.problem("invalid-expression", node.start, node.end, node.message)
                continue
            self._pending = len(data)
            value = interpreter.evaluate(node)
            if type(value) is not int or (size and self._pads_branches and _has_labels(node, interpreter)):
                if isinstance(value, expressions.Unresolved) and value.message and not value.unknown:
                    message = f"no value: {value.message}"
                    interpreter.problem("invalid-expression", node.start, node.end, message)
                elif not size:
                    if data:
                        self._data(statement, interpreter, bytes(data))
                    data.clear()
                    self._late_leb(statement, interpreter, node)
                else:
                    fixups.append(Fixup(f"data{8 * size}", len(data), interpreter.bound(node), node.start, node.end))
                    data += bytes(size)
                continue
            if size == 16 and not isinstance(node, nodes.Integer):
                message = "`.octa` takes plain numbers"
                interpreter.problem("invalid-expression", node.start, node.end, message)
            if size == 0:
                data += leb128(value, signed=statement.word == ".sleb128")
                continue
            if not -(1 << (8 * size - 1)) <= value < 1 << (8 * size) and size < 8:
                interpreter.problem(
                    "immediate-out-of-range",
                    start,
                    end,
                    f"{value} does not fit in the {8 * size} bits of `{statement.name}`",
                )
            wide = node.value if isinstance(node, nodes.Integer) else value
            if isinstance(node, nodes.Integer) and size <= 8 and wide >> 64:
                message = f"{wide} does not fit in 64 bits"
                interpreter.problem("immediate-out-of-range", start, end, message)
            data += (wide & ((1 << (8 * size)) - 1)).to_bytes(size, "little")
        self._pending = 0
        self._data(statement, interpreter, bytes(data), tuple(fixups))

    def _late_leb(self, statement: Statement, interpreter: Interpreter, node: nodes.Node) -> None:
        """A number in LEB128 whose value follows from the layout, and with it how many bytes it takes."""
        self._new_piece(Piece(interpreter.section))
        self._chunk.growing[self._current_index] = len(self._items)
        kind = statement.word[1:]
        self._data(statement, interpreter, b"\0", (Fixup(kind, 0, interpreter.bound(node), node.start, node.end),))
        self._new_piece(Piece(interpreter.section))

    def _floats(self, statement: Statement, interpreter: Interpreter) -> None:
        size = directives.FLOATS[statement.word]
        data = bytearray()
        for start, end in split_arguments(statement):
            text = statement.line[start:end].strip().decode("utf-8", "replace")
            encoded = float_bytes(text, size)
            if encoded is not None:
                data += encoded
            else:
                interpreter.problem(
                    "invalid-expression", start, end, f"`{text}` is no {8 * size}-bit floating-point number"
                )
        self._data(statement, interpreter, bytes(data))

    def _repeated(self, statement: Statement, interpreter: Interpreter) -> None:
        """`.dcb` and `.ds`: the same value, or zeros, so many times."""
        word, arguments = statement.word, split_arguments(statement)
        is_zero = word in directives.REPEATED_ZEROS
        if len(arguments) != 2 - is_zero:
            form = "a count" if is_zero else "a count and a value"
            message = f"`{statement.name}` takes {form}"
            interpreter.problem("malformed-directive", statement.start, statement.end, message)
            return
        count = interpreter.absolute(statement, *arguments[0])
        one: bytes | None = bytes(directives.REPEATED_ZEROS.get(word, 0))
        if not is_zero:
            one = self._repeated_value(statement, arguments[1], interpreter)
        if one is None or count is None or count < 0:  # LLVM warns of a negative count
            return
        if self._sane_size(count * len(one), statement, arguments[0], interpreter):
            self._data(statement, interpreter, one * count)

    def _repeated_value(self, statement: Statement, where: tuple[int, int], interpreter: Interpreter) -> "bytes | None":
        start, end = where
        size = directives.REPEATED_FLOATS.get(statement.word)
        if size is not None:
            text = statement.line[start:end].decode("utf-8", "replace")
            encoded = float_bytes(text, size)
            if encoded is None:
                message = f"`{text}` is no {8 * size}-bit floating-point number"
                interpreter.problem("invalid-expression", start, end, message)
            return encoded
        size = directives.REPEATED_INTEGERS[statement.word]
        value = interpreter.absolute(statement, start, end)
        if value is None:
            return None
        if not -(1 << (8 * size - 1)) <= value < 1 << (8 * size):
            message = f"{value} does not fit in the {8 * size} bits of `{statement.name}`"
            interpreter.problem("immediate-out-of-range", start, end, message)
        return (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")

    def _base64(self, statement: Statement, interpreter: Interpreter) -> None:
        data = bytearray()
        for start, end in split_arguments(statement):
            try:
                decoded = base64.b64decode(operands.unescape(statement.line[start:end]), validate=True)
            except ValueError:
                decoded = b""
            if not decoded or statement.line[start : start + 1] != b'"':
                message = "`.base64` takes strings in Base64 that stand for at least a byte"
                interpreter.problem("malformed-directive", start, end, message)
            data += decoded
        self._data(statement, interpreter, bytes(data))

    def _lds(self, statement: Statement, interpreter: Interpreter) -> None:
        """`.amdgpu_lds`: room in LDS that the linker places."""
        arguments = split_arguments(statement)
        name = statement.line[slice(*arguments[0])].strip(b'"') if arguments else b""
        if not 2 <= len(arguments) <= 3 or not macros.is_identifier(name):
            message = "`.amdgpu_lds` takes a name, a size and an alignment"
            interpreter.problem("malformed-directive", statement.start, statement.end, message)
            return
        self._chunk.declared.add(name.decode("utf-8", "surrogateescape"))
        size = interpreter.absolute(statement, *arguments[1])
        target = self._assembler.target
        limit = allocation.lds_limit(target.features) if target is not None else None
        if size is not None and (size < 0 or (limit is not None and size > limit)):
            most = "any number" if limit is None or target is None else f"{limit} on {target.name}"
            message = f"`.amdgpu_lds` of {size} bytes: 0 to {most} are possible"
            interpreter.problem("invalid-expression", *arguments[1], message)
        align = interpreter.absolute(statement, *arguments[2]) if len(arguments) > 2 else 4
        if align is not None and (not 0 < align < 1 << 31 or align & (align - 1)):
            message = f"an alignment of {align} bytes is no power of two below 2**31"
            interpreter.problem("invalid-expression", *arguments[2], message)

    def _strings(self, statement: Statement, interpreter: Interpreter) -> None:
        data = bytearray()
        for start, end in split_arguments(statement):
            ends_with_zero = directives.STRINGS[statement.word]
            strings = operands.strings_in(statement.line[start:end])
            if not strings or (ends_with_zero and len(strings) > 1):
                interpreter.problem(
                    "malformed-directive",
                    start,
                    end,
                    f"`{statement.name}` takes strings in quotes, with commas between",
                )
                continue
            for string in strings:
                if wrong := operands.bad_escape(string):
                    interpreter.problem("malformed-directive", start, end, wrong)
                data += operands.unescape(string) + (b"\0" if ends_with_zero else b"")
        self._data(statement, interpreter, bytes(data))

    def _data(
        self, statement: Statement, interpreter: Interpreter, data: bytes, fixups: tuple[Fixup, ...] = ()
    ) -> None:
        if directives.is_without_bytes(interpreter.section) and (any(data) or fixups):
            self._no_bytes(statement, interpreter)
        self._item("data", statement, interpreter, data=data, fixups=fixups)
        if fixups:
            self._chunk.fixups.append(len(self._items) - 1)
        assert self._current is not None
        self._current.size += len(data)

    def _no_bytes(self, statement: Statement, interpreter: Interpreter) -> None:
        message = (
            f"section `{expressions.section_of(interpreter.section)}` is zeros at run time and can hold nothing else"
        )
        interpreter.problem("malformed-directive", statement.start, statement.end, message)

    def _space(self, statement: Statement, interpreter: Interpreter) -> None:
        arguments = split_arguments(statement)
        numbers = [interpreter.absolute(statement, start, end) for start, end in arguments[:2]]
        if not 1 <= len(arguments) <= 2:
            interpreter.problem(
                "malformed-directive", statement.start, statement.end, f"`{statement.name}` takes a size and a value"
            )
            return
        size = numbers[0]
        if size is not None and self._sane_size(size, statement, arguments[0], interpreter):
            fill = numbers[1] if len(numbers) > 1 and numbers[1] is not None else 0
            if fill & 0xFF and not size and directives.is_without_bytes(interpreter.section):
                self._no_bytes(statement, interpreter)
            self._data(statement, interpreter, bytes((fill & 0xFF,)) * size)

    def _common(self, statement: Statement, interpreter: Interpreter) -> None:
        """`.comm`: room that the linker makes, and `.lcomm`: a label with zeros behind it in `.bss`."""
        arguments = split_arguments(statement)
        is_local = statement.word == ".lcomm"
        if directives.malformed(statement.word, statement.rest) or len(arguments) > 3 - is_local:
            form = "a name and a size" if is_local else "a name, a size and an alignment"
            message = f"`{statement.word}` takes {form}"
            interpreter.problem("malformed-directive", statement.start, statement.end, message)
            return
        size = interpreter.absolute(statement, *arguments[1])
        exponent = interpreter.absolute(statement, *arguments[2]) if len(arguments) > 2 else 0
        if size is None or not self._sane_size(size, statement, arguments[1], interpreter):
            return
        if exponent is None:
            return
        if not 0 <= exponent < MAX_ALIGNMENT_LOG2:
            message = f"an alignment of 2**{exponent} bytes: the exponent is 0 to {MAX_ALIGNMENT_LOG2 - 1}"
            interpreter.problem("invalid-expression", *arguments[2], message)
            return
        start, end = arguments[0]
        name = statement.line[start:end].strip(b'"').decode("utf-8", "surrogateescape")
        if not is_local:
            self._note(name, statement, interpreter)
            if name not in interpreter.local_names:
                self._chunk.declared.add(name)
                return
        current, interpreter.section = interpreter.section, ".bss"
        self._new_piece(Piece(".bss", 1 << exponent))
        self._chunk.labels.append((name, self._current_index, 0, len(self._items)))
        self._labels.setdefault(name, (self._current_index, 0))
        self._data(statement, interpreter, bytes(size))
        interpreter.section, interpreter.previous_section = current, ".bss"

    def _fill(self, statement: Statement, interpreter: Interpreter) -> None:
        arguments = split_arguments(statement)
        if not 1 <= len(arguments) <= 3:
            interpreter.problem(
                "malformed-directive", statement.start, statement.end, "`.fill` takes a count, a size and a value"
            )
            return
        numbers = [interpreter.absolute(statement, start, end) for start, end in arguments]
        if None in numbers:
            return
        count, size, value = (number for number in ([*numbers, None, None])[:3])
        assert count is not None
        size = 1 if size is None else min(size, 8)
        if size >= 0 and count >= 0 and self._sane_size(count * size, statement, arguments[0], interpreter):
            # Only the low four bytes of the value are used, whatever the size (LLVM and GNU alike).
            pattern = ((value or 0) & 0xFFFF_FFFF).to_bytes(8, "little")[:size]
            self._data(statement, interpreter, pattern * count)

    def _sane_size(self, size: int, statement: Statement, where: tuple[int, int], interpreter: Interpreter) -> bool:
        if 0 <= size <= MAX_SPACE:
            return True
        interpreter.problem(
            "invalid-expression",
            where[0],
            where[1],
            f"`{statement.name}` of {size} bytes: 0 to {MAX_SPACE} are possible",
        )
        return False

    def _align(self, statement: Statement, interpreter: Interpreter) -> None:
        is_exponent, fill_size = directives.ALIGNMENTS[statement.word]
        arguments = split_arguments(statement)
        if not arguments:
            return  # LLVM ignores it too
        if len(arguments) > 3:
            interpreter.problem(
                "malformed-directive", statement.start, statement.end, f"`{statement.name}` takes an alignment"
            )
            return
        numbers = [
            interpreter.absolute(statement, start, end) if statement.line[start:end].strip() else None
            for start, end in arguments
        ]
        alignment = numbers[0]
        if alignment is None:
            return
        start, end = arguments[0]
        if is_exponent:
            if not 0 <= alignment < MAX_ALIGNMENT_LOG2:
                interpreter.problem(
                    "invalid-expression", start, end, f"an alignment of 2**{alignment} bytes: the exponent is 0 to 28"
                )
                return
            alignment = 1 << alignment
        elif alignment < 0 or alignment & (alignment - 1) or alignment >= 1 << MAX_ALIGNMENT_LOG2:
            interpreter.problem(
                "invalid-expression", start, end, f"an alignment of {alignment} bytes is no power of two"
            )
            return
        fill: bytes | None = None
        if len(numbers) > 1 and numbers[1] is not None:
            fill = (numbers[1] & ((1 << (8 * fill_size)) - 1)).to_bytes(fill_size, "little")
        max_skip = numbers[2] if len(numbers) > 2 and numbers[2] is not None else 0
        self._new_piece(Piece(interpreter.section, max(1, alignment), fill, max_skip))

    def _org(self, statement: Statement, interpreter: Interpreter) -> None:
        arguments = split_arguments(statement)
        if not arguments:
            interpreter.problem("malformed-directive", statement.start, statement.end, "`.org` takes an address")
            return
        node = operands.parse_expression(statement.line, arguments[0][0], arguments[0][1])
        value = interpreter.evaluate(node)
        address = value.offset if isinstance(value, Address) else value if type(value) is int else None
        if address is None or not self._sane_size(address, statement, arguments[0], interpreter):
            return
        fill = interpreter.absolute(statement, *arguments[1]) if len(arguments) > 1 else 0
        if fill is None:
            return
        here = self.address(".")
        is_relative = isinstance(value, Address)
        if here is not None and address < here.offset and (is_relative or expressions.PART not in here.section):
            message = f"`.org` cannot go back: byte {address} of the section is before the current one, {here.offset}"
            interpreter.problem("invalid-expression", *arguments[0], message)
            return
        if fill & 0xFF and directives.is_without_bytes(interpreter.section):
            self._no_bytes(statement, interpreter)
        if is_relative and here is not None:  # so many bytes from here, wherever that will be
            self._data(statement, interpreter, bytes((fill & 0xFF,)) * (address - here.offset))
            return
        piece = Piece(interpreter.section, 1, bytes((fill & 0xFF,)))
        piece.target = address
        self._new_piece(piece)

    def _section(self, statement: Statement, interpreter: Interpreter) -> None:
        self._switch_to_part(statement, interpreter, directives.SECTIONS[statement.word])

    def _subsection(self, statement: Statement, interpreter: Interpreter) -> None:
        self._switch_to_part(statement, interpreter, interpreter.section)

    def _switch_to_part(self, statement: Statement, interpreter: Interpreter, section: str) -> None:
        """Go on in the part of a section whose number is the argument; without one, in the first."""
        number: int | None = 0
        if statement.rest.strip():
            number = interpreter.absolute(statement, statement.rest_start, statement.end)
        if number is not None and not 0 <= number <= MAX_PART:
            message = f"part {number} of a section: 0 to {MAX_PART} are possible"
            interpreter.problem("invalid-expression", statement.rest_start, statement.end, message)
        elif number is not None:
            self._switch(interpreter, directives.part_of(section, number))

    def _named_section(self, statement: Statement, interpreter: Interpreter) -> None:
        arguments = split_arguments(statement)
        if statement.word == ".pushsection" and len(arguments) == 2 and statement.line[arguments[1][0]] not in b'"#':
            self._push(interpreter)
            name = statement.line[slice(*arguments[0])].strip(b'"').decode("utf-8", "replace")
            number = interpreter.absolute(statement, *arguments[1])
            self._switch(interpreter, directives.part_of(name, number or 0))
            return
        found = declarations.section(statement.rest.decode("utf-8", "replace"))
        if isinstance(found, str):
            interpreter.problem("malformed-directive", statement.start, statement.end, found)
            return
        name = found.name
        self._note(name, statement, interpreter, found)
        if statement.word == ".pushsection":
            self._push(interpreter)
        self._switch(interpreter, name)

    def _push(self, interpreter: Interpreter) -> None:
        pushed = (interpreter.section, interpreter.previous_section)
        interpreter.section_stack = (*interpreter.section_stack, pushed)

    def _switch(self, interpreter: Interpreter, name: str) -> None:
        interpreter.previous_section = interpreter.section
        interpreter.section = name

    def _popsection(self, statement: Statement, interpreter: Interpreter) -> None:
        if not interpreter.section_stack:
            interpreter.problem(
                "stray-block-end", statement.start, statement.end, "`.popsection` ends nothing: no section was pushed"
            )
            return
        interpreter.section, interpreter.previous_section = interpreter.section_stack[-1]
        interpreter.section_stack = interpreter.section_stack[:-1]

    def _previous(self, statement: Statement, interpreter: Interpreter) -> None:
        if not interpreter.previous_section:
            interpreter.problem(
                "stray-block-end", statement.start, statement.end, "`.previous`: no other section was used before"
            )
            return
        self._switch(interpreter, interpreter.previous_section)

    def _kernel(self, statement: Statement, interpreter: Interpreter) -> None:
        name = statement.rest.strip().decode("utf-8", "replace")
        if not name:
            interpreter.problem(
                "malformed-directive", statement.start, statement.end, "`.amdhsa_kernel` takes the name of the kernel"
            )
            return
        interpreter.descriptor = name
        self._descriptor_line(statement, interpreter, None)

    def _end_kernel(self, statement: Statement, interpreter: Interpreter) -> None:
        if not interpreter.descriptor:
            interpreter.problem(
                "stray-block-end",
                statement.start,
                statement.end,
                "`.end_amdhsa_kernel` ends nothing: no `.amdhsa_kernel` is open",
            )
            return
        self._descriptor_line(statement, interpreter, None)
        interpreter.descriptor = None
        self._data(statement, interpreter, bytes(directives.KERNEL_DESCRIPTOR_SIZE))

    def _descriptor_field(self, statement: Statement, interpreter: Interpreter) -> None:
        node = operands.parse_expression(statement.line, statement.rest_start, statement.end)
        if isinstance(node, nodes.Malformed):
            interpreter.problem("descriptor-field", node.start, max(node.end, node.start), node.message)
            self._descriptor_line(statement, interpreter, None)
            return
        value = interpreter.evaluate(node)
        number = value if type(value) is int else None
        for problem in descriptor.field_problems(self._assembler.target, statement, number):
            self._report(problem, interpreter, statement.line)
        self._descriptor_line(statement, interpreter, number)

    def _descriptor_line(self, statement: Statement, interpreter: Interpreter, value: "int | None") -> None:
        assert interpreter.descriptor is not None
        self._chunk.descriptors.append(
            DescriptorLine(
                interpreter.descriptor,
                statement,
                interpreter.top_line,
                interpreter.container,
                interpreter.line_number,
                interpreter.frame,
                value,
            )
        )

    def _open_kernel_code(self, statement: Statement, interpreter: Interpreter) -> None:
        interpreter.descriptor = ""

    def _kernel_code(self, statement: Statement, interpreter: Interpreter) -> None:
        interpreter.descriptor = None
        self._chunk.headers.append(("", None))
        self._data(statement, interpreter, bytes(directives.KERNEL_CODE_T_SIZE))


def with_nearest_macro(problem: Problem, statement: Statement, interpreter: Interpreter) -> Problem:
    """The problem of an unknown word, its sentence naming a macro if one is spelled much the same."""
    near = difflib.get_close_matches(statement.name, list(interpreter.defined_macros()), 1, 0.8)
    if not near:
        return problem
    message = f"`{statement.name}` is neither a mnemonic nor a macro; there is a macro `{near[0]}`"
    fix = Fix(f"Change to `{near[0]}`", statement.name_start, statement.name_end, near[0])
    return Problem(problem.rule, problem.start, problem.end, message, (fix,))


def _bound(fixup: Fixup, interpreter: Interpreter) -> Fixup:
    """The fixup with the values that the symbols in its expression have now."""
    if isinstance(fixup.expression, nodes.Name) and fixup.expression.name not in interpreter.symbols:
        return fixup
    expression = interpreter.bound(fixup.expression)
    return fixup if expression is fixup.expression else msgspec.structs.replace(fixup, expression=expression)


def piece_start(piece: Piece, offset: int) -> int:
    """Where `piece` starts in its section when `offset` bytes stand before it."""
    if piece.target is not None:
        return max(offset, piece.target)
    padding = -offset % piece.align
    return offset if piece.max_skip and padding > piece.max_skip else offset + padding


def split_arguments(statement: Statement) -> list[tuple[int, int]]:
    """The byte columns of the arguments of a directive, cut at commas outside strings and brackets."""
    found: list[tuple[int, int]] = []
    line, start = statement.line, statement.rest_start
    depth = 0
    in_string = False
    position = start
    while position < statement.end:
        character = line[position]
        if in_string:
            if character == 0x5C:
                position += 1
            elif character == 0x22:
                in_string = False
        elif character == 0x22:
            in_string = True
        elif character in b"([":
            depth += 1
        elif character in b")]":
            depth -= 1
        elif character == 0x2C and depth <= 0:
            found.append(_trim(line, start, position))
            start = position + 1
        position += 1
    if start < statement.end or found:
        found.append(_trim(line, start, statement.end))
    return found


def _trim(line: bytes, start: int, end: int) -> tuple[int, int]:
    text = line[start:end]
    return start + len(text) - len(text.lstrip()), end - (len(text) - len(text.rstrip()))


_FLOAT = re.compile(
    r"([-+]?)\s*(?:(nan)|(inf|infinity)|(0x[0-9a-f]*\.?[0-9a-f]*p[-+]?\d+)|(\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?))",
    re.IGNORECASE,
)


def float_bytes(text: str, size: int) -> "bytes | None":
    """A floating-point number of 4 or 8 bytes; None when `text` is none."""
    match = _FLOAT.fullmatch(text)
    if match is None or text.lower().startswith("0b"):
        return None
    sign, nan, infinite, hexadecimal, decimal = match.groups()
    if nan:  # LLVM sets all bits of the fraction
        pattern = (1 << (8 * size - 1)) - 1 | (sign == "-") << (8 * size - 1)
        return pattern.to_bytes(size, "little")
    try:
        value = float("inf") if infinite else float.fromhex(hexadecimal) if hexadecimal else float(decimal)
    except OverflowError:
        value = float("inf")
    value = -value if sign == "-" else value
    try:
        return struct.pack("<f" if size == 4 else "<d", value)
    except OverflowError:
        return struct.pack("<f", float("-inf") if value < 0 else float("inf"))


def _has_labels(node: nodes.Node, interpreter: Interpreter) -> bool:
    """Whether a value follows from the places of labels, between which branches may yet grow."""
    return any(name not in interpreter.symbols for name in expressions.names_in(node))


def _is_short_branch(instruction: Instruction) -> bool:
    """Whether it is a branch behind which `s_nop` may be put, by its distance."""
    fixups, form = instruction.fixups, instruction.form
    return bool(fixups) and fixups[0].kind == "branch" and form is not None and "SOPP" in form.flags


def leb128(value: int, *, signed: bool, size: int = 1) -> bytes:
    """`value` in DWARF's variable-length encoding, in at least `size` bytes."""
    data = bytearray()
    value = value if signed else value & 0xFFFF_FFFF_FFFF_FFFF
    while True:
        byte = value & 0x7F
        value >>= 7
        is_last = value == (-1 if byte & 0x40 else 0) if signed else value == 0
        if is_last and len(data) + 1 >= size:
            data.append(byte)
            return bytes(data)
        data.append(byte | 0x80)


_Handler = Callable[[_Builder, Statement, Interpreter], None]

_HANDLERS: dict[str, _Handler] = {
    **dict.fromkeys(directives.INTEGERS, _Builder._integers),
    **dict.fromkeys(directives.FLOATS, _Builder._floats),
    **dict.fromkeys(directives.STRINGS, _Builder._strings),
    **dict.fromkeys(directives.SPACES, _Builder._space),
    **dict.fromkeys(directives.ALIGNMENTS, _Builder._align),
    **dict.fromkeys(directives.SECTIONS, _Builder._section),
    **dict.fromkeys(
        (*directives.REPEATED_INTEGERS, *directives.REPEATED_FLOATS, *directives.REPEATED_ZEROS), _Builder._repeated
    ),
    ".amdgpu_lds": _Builder._lds,
    ".base64": _Builder._base64,
    ".fill": _Builder._fill,
    **dict.fromkeys(directives.COMMONS, _Builder._common),
    ".org": _Builder._org,
    ".section": _Builder._named_section,
    ".pushsection": _Builder._named_section,
    ".popsection": _Builder._popsection,
    ".previous": _Builder._previous,
    ".subsection": _Builder._subsection,
    ".amdhsa_kernel": _Builder._kernel,
    ".end_amdhsa_kernel": _Builder._end_kernel,
    ".amd_kernel_code_t": _Builder._open_kernel_code,
    ".end_amd_kernel_code_t": _Builder._kernel_code,
}

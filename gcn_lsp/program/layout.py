"""Places chunks one after another: the addresses of pieces and labels, and the bytes of fixups."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from gcn_lsp.instruction.model import Fixup, Problem
from gcn_lsp.preproc.state import Deferred, State, SymbolValue
from gcn_lsp.program.chunk import Chunk, Item, piece_start
from gcn_lsp.program.data_bytes import leb128
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import expressions
from gcn_lsp.syntax.expressions import PART, Address, MissingSymbol, section_of

# LLVM pads code with `s_nop 0`.
CODE_FILL = bytes.fromhex("000080bf")

# A larger section comes from `.space` and `.p2align`, and is not put into memory.
MAX_SECTION = 1 << 30

# The longest chain of symbols set to one another after their use; a longer one is circular.
MAX_LATE = 32

_MISSING = MissingSymbol(False)
_MISSING_UNKNOWN = MissingSymbol(True)


class Label(NamedTuple):
    """The place of a label: its chunk, a piece of it and the offset in the piece, and its item in the chunk."""

    chunk: Chunk
    piece: int
    offset: int
    item: int


class Layout:
    """The addresses of one version of a program; filled chunk by chunk, in program order.

    Labels are kept by chunk and not by address, so an edit costs nothing for the labels after it.

    sizes: bytes in each section so far. starts: for each chunk, the start of each of its pieces. ends: for each chunk,
    the sizes after it. numbers: the chunks placed so far. known: labels by name, including those of chunks not yet
    placed; local: those with a number for a name. repeated: names that may be defined more than once. grown: sizes of
    pieces above their minimum. parts: the starts of the numbered parts of sections; None during the assembly of chunks,
    when each counts from 0.
    """

    __slots__ = (
        "_exported",
        "_first_values",
        "_labels",
        "_orders",
        "ends",
        "grown",
        "known",
        "local",
        "numbers",
        "parts",
        "repeated",
        "sizes",
        "starts",
    )

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.starts: list[list[int]] = []
        self.ends: list[dict[str, int]] = []
        self.numbers: dict[Chunk, int] = {}
        self.known: dict[str, Label] = {}
        self.local: dict[str, list[Label]] = {}
        self.repeated: set[str] = set()
        self._labels: dict[str, Address] | None = None
        self._first_values: dict[str, SymbolValue | None] | None = None
        self._exported: frozenset[str] | None = None
        self._orders: dict[str, list[tuple[int, int, Label]]] = {}
        self.grown: dict[tuple[Chunk, int], int] = {}
        self.parts: dict[str, int] | None = None

    def adopt(self, previous: "Layout", chunks: "list[Chunk]", removed: "list[Chunk]") -> None:
        """Start from an earlier version: `chunks` are those at the start of both, `removed` those no longer there."""
        count = len(chunks)
        self.starts = previous.starts[:count]
        self.ends = previous.ends[:count]
        self.sizes = dict(self.ends[-1]) if count else {}
        self.numbers = {chunk: number for number, chunk in enumerate(chunks)}
        if previous.repeated:
            for chunk in previous.numbers:
                if chunk not in removed:
                    self._add_labels(chunk)
            return
        self.known = previous.known.copy()
        self.local = previous.local
        for chunk in removed:
            self.forget(chunk)

    def rest_is_same(self, previous: "Layout", new: "list[Chunk]", old: "list[Chunk]", back: int) -> bool:
        """Whether the last `back` chunks of `previous` keep their places and see the same labels.

        `new` are the chunks placed last, `old` those that they replace.
        """
        at = len(previous.ends) - back - 1
        if back == 0 or at < 0 or not self.ends or self.ends[-1] != previous.ends[at] or self.repeated:
            return False
        return self._label_places(new) == previous._label_places(old)

    def _label_places(self, chunks: "list[Chunk]") -> "list[tuple[str, Address]]":
        return [
            (name, self._address(Label(chunk, piece, offset, item)))
            for chunk in chunks
            for name, piece, offset, item in chunk.labels
        ]

    def adopt_rest(self, previous: "Layout", rest: "list[Chunk]") -> None:
        """Reuse the places of the last chunks of `previous`."""
        count = len(self.starts)
        self.starts += previous.starts[-len(rest) :]
        self.ends += previous.ends[-len(rest) :]
        self.sizes = dict(self.ends[-1])
        self.numbers.update((chunk, count + number) for number, chunk in enumerate(rest))

    def forget(self, chunk: Chunk) -> None:
        """Remove a chunk of the earlier version that this one does not have."""
        if any(name[:1].isdigit() for name, *_ in chunk.labels):
            self.local = {
                name: [label for label in labels if label.chunk is not chunk] for name, labels in self.local.items()
            }
        for name, *_ in chunk.labels:
            label = self.known.get(name)
            if label is not None and label.chunk is chunk and name not in self.repeated:
                del self.known[name]

    def place(self, chunk: Chunk, *, is_new: bool) -> None:
        """Put `chunk` after those placed so far; `is_new` says that the earlier version did not have it."""
        sizes = self.sizes
        starts: list[int] = []
        for piece in chunk.pieces:
            start = sizes.get(piece.section, 0)
            if piece.align != 1 or piece.target is not None:
                start = piece_start(piece, start)
            starts.append(start)
            sizes[piece.section] = start + piece.size
            if self.grown:
                sizes[piece.section] = start + self.size_of(chunk, len(starts) - 1)
        self.numbers[chunk] = len(self.starts)
        self.starts.append(starts)
        self.ends.append(sizes.copy())
        if is_new and chunk.labels:
            self._add_labels(chunk)

    def _add_labels(self, chunk: Chunk) -> None:
        for name, piece, offset, item in chunk.labels:
            label = Label(chunk, piece, offset, item)
            if name[:1].isdigit():
                self.local = {**self.local, name: [*self.local.get(name, ()), label]}
            elif name in self.known:
                self.repeated.add(name)
            else:
                self.known[name] = label

    def settle(self) -> None:
        """Settle which names are defined more than once, after all chunks are placed."""
        for name in sorted(self.repeated):
            labels = list(self._all(name))
            if labels:
                self.known[name] = labels[0]
            else:
                self.known.pop(name, None)
            if len(labels) < 2:
                self.repeated.discard(name)

    def size_of(self, chunk: Chunk, piece: int) -> int:
        """The bytes in a piece."""
        return self.grown.get((chunk, piece), chunk.pieces[piece].size) if self.grown else chunk.pieces[piece].size

    @property
    def exported(self) -> frozenset[str]:
        """Names that other files may see or replace; the linker fills in branches to them."""
        if self._exported is None:
            self._exported = frozenset().union(*(chunk.exported for chunk in self.numbers if chunk.exported))
        return self._exported

    def address(self, name: str) -> "Address | None":
        """The address of a label in the chunks placed so far; the first of several with the name."""
        label = self._first(name) if name in self.repeated else self.known.get(name)
        return self._address(label) if label is not None and label.chunk in self.numbers else None

    def _address(self, label: Label) -> Address:
        start = self.starts[self.numbers[label.chunk]][label.piece]
        section = label.chunk.pieces[label.piece].section
        return Address(section_of(section) if self.parts else section, start + label.offset)

    def _first(self, name: str) -> "Label | None":
        return next(self._all(name), None)

    def _all(self, name: str) -> "Iterator[Label]":
        for chunk in self.numbers:
            for other, piece, offset, item in chunk.labels:
                if other == name:
                    yield Label(chunk, piece, offset, item)

    def repetitions(self) -> "Iterator[tuple[str, Label, Label]]":
        """Every label whose name is already defined before it, with the first of that name."""
        for name in sorted(self.repeated):
            first, *others = (*self._all(name), None)
            for other in others:
                if first is not None and other is not None:
                    yield name, other, first

    def first_value(self, name: str) -> "SymbolValue | None":
        """The first value of a symbol: an expression before that place refers to it."""
        if self._first_values is None:
            self._first_values = {}
            for chunk in self.numbers:
                for symbol, value in chunk.first_values.items():
                    self._first_values.setdefault(symbol, value)
        return self._first_values.get(name)

    @property
    def labels(self) -> "dict[str, Address]":
        """The addresses of all labels."""
        if self._labels is None:
            self._labels = {name: address for name in self.known if (address := self.address(name)) is not None}
        return self._labels

    def local_label(self, name: str, chunk: Chunk, item: int) -> "Address | None":
        """The address of `1b` or `1f` as seen from an item."""
        places = self.local.get(name[:-1])
        if not places:
            return None
        order = self._orders.get(name[:-1])
        if order is None:  # needed only after all chunks are placed
            order = sorted((self.numbers[label.chunk], label.item, label) for label in places)
            self._orders[name[:-1]] = order
        index = bisect_left(order, (self.numbers[chunk], item), key=lambda place: place[:2])
        index = index if name[-1] == "f" else index - 1
        return self._address(order[index][2]) if 0 <= index < len(order) else None


_FAR = 1 << 62


class FixupResult(NamedTuple):
    """The result of a fixup: the bytes of its field, or a problem. `undefined` names have no address anywhere.

    margin: how many bytes the target may move before a branch no longer reaches it.
    """

    data: bytes
    problem: Problem | None = None
    undefined: tuple[str, ...] = ()
    margin: int = _FAR


def resolve(
    fixup: Fixup, item: Item, chunk: Chunk, index: int, layout: Layout, final: State, size: int, section: str
) -> FixupResult:
    """The bytes of the field of `fixup`, which belongs to item `index` of `chunk`.

    `size` is that of the whole instruction in bytes: branches count from its end. `section` is the section of the item.
    """
    start = layout.starts[layout.numbers[chunk]][item.piece] + item.offset

    late: list[str] = []  # symbols set only after this place; those set before are values by now

    def lookup(name: str) -> "int | Address | MissingSymbol":
        address = layout.address(name)
        if address is not None:
            return address
        if name in final.symbols:
            late.append(name)
            value = layout.first_value(name)
            if isinstance(value, Deferred) and len(late) < MAX_LATE:
                return _or_missing(expressions.evaluate(value.expression, lookup))
            return value if type(value) is int else _MISSING_UNKNOWN
        if name[:1].isdigit():
            address = layout.local_label(name, chunk, index)
        elif name == ".":
            address = Address(section, start + (fixup.offset if fixup.kind.startswith("data") else 0))
        return _MISSING if address is None else address

    width = _FIELD_BYTES.get(fixup.kind, 4)
    value = expressions.evaluate(fixup.expression, lookup)
    if fixup.kind in _LEBS:
        return _leb(fixup, value, layout.size_of(chunk, item.piece))
    if len(set(late)) == 1 and fixup.kind == "pcrel32":  # left to the linker, as in LLVM
        return FixupResult(bytes(width), _made_relative(fixup, late[0], value) if type(value) is int else None)
    if isinstance(value, expressions.Unresolved):
        return FixupResult(bytes(width), None, () if value.unknown else value.names)
    if fixup.kind == "branch":
        return _branch_to(fixup, value, start + size, section, layout.exported)
    if isinstance(value, Address):
        if fixup.kind != "pcrel32" or value.section != section:
            return FixupResult(bytes(width))  # only the linker knows the address
        value = value.offset - (start + fixup.offset)
    return FixupResult((value & ((1 << (8 * width)) - 1)).to_bytes(width, "little"))


def _or_missing(value: expressions.Value) -> "int | Address | MissingSymbol":
    return value if not isinstance(value, expressions.Unresolved) else _MISSING_UNKNOWN


def _branch_to(fixup: Fixup, value: "int | Address", end: int, section: str, exported: Collection[str]) -> FixupResult:
    if type(value) is int:
        return FixupResult((value & 0xFFFF).to_bytes(2, "little"))
    assert isinstance(value, Address)
    is_linked = value.section != section or fixup.name in exported
    return FixupResult(_LINKED_BRANCH) if is_linked else _branch(fixup, value.offset - end)


# LLVM's value for the field of a branch that the linker fills in.
_LINKED_BRANCH = b"\xff\xff"
# A distance that some targets get wrong (`FeatureOffset3fBug`): LLVM puts `s_nop 0` after such a branch.
_TROUBLED_BRANCH = b"\x3f\x00"
_LEBS = frozenset(("uleb128", "sleb128"))


def _leb(fixup: Fixup, value: expressions.Value, size: int) -> FixupResult:
    """A number in LEB128 that takes at least `size` bytes."""
    if isinstance(value, expressions.Unresolved):
        return FixupResult(bytes(size), None, () if value.unknown else value.names)
    if type(value) is int:
        return FixupResult(leb128(value, signed=fixup.kind == "sleb128", size=size))
    message = f"`.{fixup.kind}` takes a number, not an address"
    return FixupResult(bytes(size), Problem("invalid-expression", fixup.start, fixup.end, message))


def _made_relative(fixup: Fixup, name: str, value: int) -> Problem:
    """The assembler takes a name without a value for a label, and leaves its distance to the linker."""
    message = f"`{name}` is set only after this line, so the linker puts {value} minus this address here; set it before"
    return Problem("relative-constant", fixup.start, fixup.end, message)


_FIELD_BYTES = {
    "branch": 2, "literal32": 4, "literal64": 8, "pcrel32": 4,
    "data8": 1, "data16": 2, "data32": 4, "data64": 8, "data128": 16,
}  # fmt: skip


def _branch(fixup: Fixup, distance: int) -> FixupResult:
    dwords, rest = divmod(distance, 4)
    if rest:
        message = f"the target is {distance} bytes away, which is not a multiple of 4"
        return FixupResult(bytes(2), Problem("branch-out-of-range", fixup.start, fixup.end, message))
    if not -0x8000 <= dwords <= 0x7FFF:
        message = f"the target is {dwords} dwords away; the range of a branch is -32768 to 32767"
        return FixupResult(bytes(2), Problem("branch-out-of-range", fixup.start, fixup.end, message))
    return FixupResult((dwords & 0xFFFF).to_bytes(2, "little"), margin=4 * (0x7FFF - abs(dwords)))


def resolve_item(
    chunks: "Sequence[Chunk]", layout: Layout, final: State, number: int, index: int
) -> "tuple[bytes, list[FixupResult]]":
    """The final bytes of item `index` of chunk `number`, and the result of each of its fixups."""
    chunk = chunks[number]
    item = chunk.items[index]
    fixups = item.fixups or (item.instruction.fixups if item.instruction is not None else ())
    plain = plain_code(item)
    size = item.instruction.size if item.instruction is not None else len(plain)
    section = section_of(chunk.pieces[item.piece].section)
    code = bytearray(plain)
    results: list[FixupResult] = []
    for fixup in fixups:
        fixed = resolve(fixup, item, chunk, index, layout, final, size, section)
        code[fixup.offset : fixup.offset + len(fixed.data)] = fixed.data
        results.append(fixed)
    if chunk.growing and item.instruction is not None and item.piece in chunk.growing:
        field = results[0].data
        # A distance from the linker may be the faulty one; a branch that was padded once stays padded.
        if field is _LINKED_BRANCH or field == _TROUBLED_BRANCH or layout.size_of(chunk, item.piece) > size:
            code += CODE_FILL
    return bytes(code), results


def relaxed(draft: Layout, chunks: Sequence[Chunk], final: State) -> Layout:
    """`draft` with every piece as large as its value needs, after all values are known."""
    layout, parts = draft, _part_starts(draft.sizes)
    growing = [(number, place) for number, chunk in enumerate(chunks) for place in chunk.growing.items()]
    for _ in range(_MAX_ROUNDS):
        grown = dict(layout.grown)
        for number, (piece, index) in growing:
            chunk = chunks[number]
            if _is_plain_branch(chunk, number, piece, index, layout):
                continue
            code, _ = resolve_item(chunks, layout, final, number, index)
            if len(code) > layout.size_of(chunk, piece):
                grown[chunk, piece] = len(code)
        if grown == layout.grown and parts == (layout.parts or {}):
            break
        layout = Layout()
        layout.grown, layout.parts = grown, parts
        layout.sizes = dict(parts)
        for chunk in chunks:
            layout.place(chunk, is_new=True)
        layout.settle()
        parts = _part_starts(layout.sizes, parts)
    for part in sorted(layout.parts or ()):
        layout.sizes[section_of(part)] = layout.sizes.pop(part)
    return layout


def _is_plain_branch(chunk: Chunk, number: int, piece: int, index: int, layout: Layout) -> bool:
    """Whether it is a branch that certainly has no padding: nearly all are, and this resolves nothing."""
    instruction = chunk.items[index].instruction
    if instruction is None or (chunk, piece) in layout.grown:
        return False
    name = instruction.fixups[0].name
    label = layout.known.get(name)
    there = layout.numbers.get(label.chunk) if label is not None else None
    if label is None or there is None or name in layout.exported or name in layout.repeated:
        return False
    if label.chunk.pieces[label.piece].section != chunk.pieces[piece].section:
        return False
    distance = layout.starts[there][label.piece] + label.offset - layout.starts[number][piece]
    return distance != _TROUBLED_DISTANCE


_TROUBLED_DISTANCE = 4 * (0x3F + 1)  # in bytes, from the start of the branch


def _part_starts(ends: "Mapping[str, int]", starts: "Mapping[str, int]" = MappingProxyType({})) -> dict[str, int]:
    """The start of each numbered part of a section, after the part before it. `ends`, `starts`: the current ones."""
    found: dict[str, int] = {}
    section, end = "", 0
    for part in sorted(ends):
        if section_of(part) != section:
            section, end = section_of(part), 0
        if PART in part:
            found[part] = end
        end += ends[part] - starts.get(part, 0)
    return found


# Sizes only grow, and none beyond ten bytes; the loop ends after that many rounds.
_MAX_ROUNDS = 32


def section_bytes(name: str, chunks: Sequence[Chunk], layout: Layout, final: State) -> bytes:
    """The bytes of section `name`.

    Raises OverflowError for a section of more than `MAX_SECTION` bytes.
    """
    if layout.sizes.get(name, 0) > MAX_SECTION:
        raise OverflowError(f"section {name} would have {layout.sizes[name]} bytes, more than {MAX_SECTION}")
    data = bytearray()
    for part in sorted(
        {piece.section for chunk in chunks for piece in chunk.pieces if section_of(piece.section) == name}
    ):
        _add_part(data, part, chunks, layout, final)
    return bytes(data)


def _add_part(data: bytearray, part: str, chunks: Sequence[Chunk], layout: Layout, final: State) -> None:
    """Append the bytes of a section, or of a numbered part of it."""
    name = section_of(part)
    for number, chunk in enumerate(chunks):
        starts = layout.starts[number]
        parts: list[list[bytes]] = [[] for _ in chunk.pieces]
        for index, item in enumerate(chunk.items):
            if chunk.pieces[item.piece].section == part:
                has_fixups = item.fixups or (item.instruction is not None and item.instruction.fixups)
                code = resolve_item(chunks, layout, final, number, index)[0] if has_fixups else plain_code(item)
                parts[item.piece].append(code)
        for piece, start, pieces in zip(chunk.pieces, starts, parts, strict=True):
            if piece.section == part:
                _pad(data, start - len(data), piece.fill, name)
                data += b"".join(pieces)
                data += bytes(max(0, start + piece.size - len(data)))


def plain_code(item: Item) -> bytes:
    """The bytes of an item without its fixups."""
    if item.instruction is not None:
        return item.instruction.code or bytes(item.instruction.size)
    return item.data


def _pad(data: bytearray, count: int, fill: "bytes | None", section: str) -> None:
    if count <= 0:
        return
    if fill is None and section.startswith((".text", ".hsatext")):
        # Zeros up to the next dword, then no-operations.
        data += bytes(count % 4) + CODE_FILL * (count // 4)
    else:
        pattern = fill or b"\0"
        data += (pattern * (count // len(pattern) + 1))[:count]

"""Places chunks one after another: where their pieces and labels are, and what the fixups come to."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gcn_lsp.asm.chunk import Chunk, Item, piece_start
from gcn_lsp.asm.model import Fixup, Problem
from gcn_lsp.preproc.state import State
from gcn_lsp.syntax import expressions, nodes
from gcn_lsp.syntax.expressions import Address, Missing

# What LLVM pads code with: `s_nop 0`.
CODE_FILL = bytes.fromhex("000080bf")

# A section with more bytes than this is the work of `.space` and `.p2align`, and is not put into memory.
MAX_SECTION = 1 << 30

_MISSING = Missing(False)
_MISSING_UNKNOWN = Missing(True)


class Layout:
    """Addresses of one version of a program.

    sizes: bytes in each section. starts: for each chunk, the start of each of its pieces. labels: addresses by name.
    local: for each number of a local label, where it stands, in program order, as (chunk, item) and its address.
    """

    __slots__ = ("sizes", "starts", "labels", "local")

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.starts: list[list[int]] = []
        self.labels: dict[str, Address] = {}
        self.local: dict[str, list[tuple[int, int, Address]]] = {}

    def place(self, chunk: Chunk) -> None:
        """Put `chunk` after those placed so far."""
        sizes = self.sizes
        starts: list[int] = []
        for piece in chunk.pieces:
            start = sizes.get(piece.section, 0)
            if piece.align != 1 or piece.target is not None:
                start = piece_start(piece, start)
            starts.append(start)
            sizes[piece.section] = start + piece.size
        number = len(self.starts)
        self.starts.append(starts)
        for name, index, offset, item in chunk.labels:
            address = Address(chunk.pieces[index].section, starts[index] + offset)
            if name[0].isdigit():
                self.local.setdefault(name, []).append((number, item, address))
            else:
                self.labels.setdefault(name, address)

    def local_label(self, name: str, chunk: int, item: int) -> "Address | None":
        """`1b` or `1f` as seen from an item."""
        places = self.local.get(name[:-1])
        if not places:
            return None
        index = bisect_left(places, (chunk, item), key=lambda place: (place[0], place[1]))
        index = index if name[-1] == "f" else index - 1
        return places[index][2] if 0 <= index < len(places) else None


class Fixed(NamedTuple):
    """What a fixup came to: the bytes of its field, or a problem. `undefined` names have no address anywhere."""

    data: bytes
    problem: Problem | None = None
    undefined: tuple[str, ...] = ()


def resolve(
    fixup: Fixup, item: Item, chunk: int, index: int, layout: Layout, final: State, size: int, section: str
) -> Fixed:
    """The bytes of the field of `fixup`, which belongs to item `index` of chunk `chunk`.

    `size` is that of the whole instruction in bytes: branches count from its end. `section` is where it stands.
    """
    start = layout.starts[chunk][item.piece] + item.offset

    def lookup(name: str) -> "int | Address | Missing":
        value = final.symbols.get(name)
        if value is not None:
            return value if type(value) is int else _MISSING_UNKNOWN
        address = layout.labels.get(name)
        if address is not None:
            return address
        if name[0].isdigit():
            address = layout.local_label(name, chunk, index)
        elif name == ".":
            address = Address(section, start)
        return _MISSING if address is None else address

    width = _FIELD_BYTES.get(fixup.kind, 4)
    if isinstance(fixup.expression, nodes.Name) and fixup.expression.name in final.symbols:
        return Fixed(bytes(width))  # set only after its use: LLVM leaves it to the linker
    value = expressions.evaluate(fixup.expression, lookup)
    if isinstance(value, expressions.Unresolved):
        return Fixed(bytes(width), None, () if value.unknown else value.names)
    if fixup.kind == "branch":
        if type(value) is int:
            return Fixed((value & 0xFFFF).to_bytes(2, "little"))
        assert isinstance(value, Address)
        return _branch(fixup, value.offset - (start + size))
    if isinstance(value, Address):
        if fixup.kind != "pcrel32" or value.section != section:
            return Fixed(bytes(width))  # an address that only the linker knows
        value = value.offset - (start + fixup.offset)
    return Fixed((value & ((1 << (8 * width)) - 1)).to_bytes(width, "little"))


_FIELD_BYTES = {
    "branch": 2, "literal32": 4, "literal64": 8, "pcrel32": 4,
    "data8": 1, "data16": 2, "data32": 4, "data64": 8, "data128": 16,
}  # fmt: skip


def _branch(fixup: Fixup, distance: int) -> Fixed:
    dwords, rest = divmod(distance, 4)
    if rest:
        message = f"the target is {distance} bytes away, which is no multiple of 4"
        return Fixed(bytes(2), Problem("branch-out-of-range", fixup.start, fixup.end, message))
    if not -0x8000 <= dwords <= 0x7FFF:
        message = f"the target is {dwords} dwords away, a branch reaches -32768 to 32767"
        return Fixed(bytes(2), Problem("branch-out-of-range", fixup.start, fixup.end, message))
    return Fixed((dwords & 0xFFFF).to_bytes(2, "little"))


def section_bytes(
    name: str, chunks: Sequence[Chunk], layout: Layout, codes: "Mapping[tuple[int, int], bytes]"
) -> bytes:
    """The bytes of section `name`; `codes` holds the items with fixups, by chunk and index.

    Raises OverflowError for a section of more than `MAX_SECTION` bytes.
    """
    if layout.sizes.get(name, 0) > MAX_SECTION:
        raise OverflowError(f"section {name} would have {layout.sizes[name]} bytes, more than {MAX_SECTION}")
    data = bytearray()
    for number, chunk in enumerate(chunks):
        starts = layout.starts[number]
        parts: list[list[bytes]] = [[] for _ in chunk.pieces]
        for index, item in enumerate(chunk.items):
            if chunk.pieces[item.piece].section == name:
                code = codes.get((number, index))
                parts[item.piece].append(code if code is not None else plain_code(item))
        for piece, start, pieces in zip(chunk.pieces, starts, parts, strict=True):
            if piece.section == name:
                _pad(data, start - len(data), piece.fill, name)
                data += b"".join(pieces)
                data += bytes(start + piece.size - len(data))
    return bytes(data)


def plain_code(item: Item) -> bytes:
    """The bytes of an item without its fixups."""
    if item.instruction is not None:
        return item.instruction.code or bytes(item.instruction.size)
    return item.data


def _pad(data: bytearray, count: int, fill: "bytes | None", section: str) -> None:
    if count <= 0:
        return
    if fill is None and section.startswith((".text", ".hsatext")):
        # Bytes up to the next dword are zero, then come no-operations.
        data += bytes(count % 4) + CODE_FILL * (count // 4)
    else:
        pattern = fill or b"\0"
        data += (pattern * (count // len(pattern) + 1))[:count]

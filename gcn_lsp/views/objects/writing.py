"""Writes an edited text back into the code object that it was made from.

Code that fits stays where it is. Where it has grown, what follows it moves by whole pages: the next segments and the
symbols, headers and descriptors that say where they are. What else may know a place (data after the code, relocations
into it, sums with the program counter) is refused.
"""

import re
import struct
from collections.abc import Iterator

import msgspec
import yaml

from gcn_lsp.isa.kernels import descriptor as fields
from gcn_lsp.program.program import PlacedItem, Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.views.objects import containers, elf, metadata, sums
from gcn_lsp.views.objects.elf import CodeObject, NotReadable, Section, Symbol
from gcn_lsp.views.objects.records import DYNAMIC, FILE, SECTION, SEGMENT, SYMBOL

_NOP = (0xBF800000).to_bytes(4, "little")
_PAGE = 0x1000
_MOVABLE = frozenset((".dynamic", ".relro_padding"))
"""Sections after the code which no code refers to."""
_LOAD, _DYNAMIC = 1, 6  # PT_LOAD, SHT_DYNAMIC
_ENTRY = 16  # in a kernel descriptor: the way to the first instruction
_DYNAMIC_ADDRESSES = frozenset((3, 4, 5, 6, 7, 12, 13, 17, 23, 25, 26, 0x6FFFFEF5))
"""Tags of `.dynamic` whose value is an address."""
_DISTANCE = re.compile(rb"[A-Za-z_.$][\w.$]*\s*-\s*[A-Za-z_.$][\w.$]*")
"""A difference of labels: the assembler computes it for where they are now."""
_HINT = "s_prefetch_inst"
"""What the cache is asked for may be other code, for code that is right."""
_FURTHEST = 3  # instructions from `s_getpc_b64` to the sum with it


class NotWritable(Exception):
    """Why a text cannot be written into an object, as a sentence's end."""


class _Change(NamedTuple):
    """The new code. places: of symbols in it, by name. sizes: of functions, by name.

    moves: of functions in the text, where each begins there and in the object.
    """

    code: bytes
    places: dict[str, int]
    sizes: dict[str, int]
    moves: list[tuple[int, int]]

    def placed(self, offset: int) -> int:
        """Where the byte at an offset of the text's code is in the object."""
        start, place = max((each for each in self.moves if each[0] <= offset), default=(0, 0))
        return place + offset - start


def into(original: bytes, built: Program) -> bytes:
    """The file with the code and descriptors of the program in it. Raises NotWritable."""
    try:
        part = next(containers.parts(original), None)
        code = elf.read(part.data) if part is not None else None
    except NotReadable as error:
        raise NotWritable(str(error)) from error
    if part is None or code is None:
        raise NotWritable("it holds no code for AMD GPUs")
    written = _written(part.data, code, built)
    if part.data is original or part.data == original:
        return written
    if part.offset < 0 or len(written) != len(part.data):
        raise NotWritable("it is in a container, where it can only be replaced by one of the same size")
    return original[: part.offset] + written + original[part.offset + len(written) :]


def _written(data: bytes, code: CodeObject, built: Program) -> bytes:
    if not code.is_linked:
        raise NotWritable("it is not linked yet: assemble the text with LLVM and link that")
    index = next((number for number, each in enumerate(code.sections) if each.name == ".text"), None)
    if index is None:
        raise NotWritable("it has no `.text`")
    section = code.sections[index]
    change = _change(code, index, section, built)
    _check_metadata(code, built)
    grown = len(change.code) - len(section.data)
    moved = any(
        change.places.get(symbol.name, _at(section, symbol)) != _at(section, symbol)
        for symbol in code.by_section.get(index, ())
    )
    numbers = list(_added_numbers(built))
    if any(moved or section.data[(at := change.placed(item.offset)) : at + 4] != item.code for item in numbers):
        raise NotWritable("code would move, and an address in it is the program counter and a number")
    if moved and any(_is_loaded(each) and each.kind in ("RELA", "REL") and each.size for each in code.sections):
        raise NotWritable("functions would move, and the loader relocates places in the object")
    shift = -(-grown // _PAGE) * _PAGE if grown > 0 else 0
    if shift:
        _check_movable(code, section)
    writer = _Writer(data, section, change.code, shift)
    writer.headers()
    writer.symbols(code, index, change)
    writer.descriptors(code, index, change, built)
    return bytes(writer.data)


def _at(section: Section, symbol: Symbol) -> int:
    return symbol.value - section.address


def _change(code: CodeObject, index: int, section: Section, built: Program) -> _Change:
    new = built.section_bytes(".text")
    labels = {name: place.offset for name, place in built.layout.labels.items() if place.section == ".text"}
    functions = [symbol for symbol in code.by_section.get(index, ()) if symbol.kind == "func"]
    present = [symbol for symbol in functions if symbol.name in labels]
    if not present:
        names = ", ".join(symbol.name for symbol in functions) or "none"
        raise NotWritable(f"the text has none of its functions; they are: {names}")
    ends = _ends(built)
    sizes = {symbol.name: ends[symbol.name] - labels[symbol.name] for symbol in present if symbol.name in ends}
    if len(present) == len(functions):
        code_bytes = new + _NOP * ((len(section.data) - len(new)) // 4)
        return _Change(code_bytes, labels, sizes, [])
    old = bytearray(section.data)
    starts = sorted(_at(section, symbol) for symbol in functions)
    for symbol in present:
        body = new[labels[symbol.name] : ends.get(symbol.name, len(new))]
        start = _at(section, symbol)
        _replace(old, start, symbol, body, next((each for each in starts if each > start), None))
    moves = [(labels[symbol.name], _at(section, symbol)) for symbol in present]
    return _Change(bytes(old), {}, sizes, moves)


def _replace(code: bytearray, start: int, symbol: Symbol, body: bytes, limit: "int | None") -> None:
    """Write the new bytes of a function over the old ones. limit: the start of the next one. Raises NotWritable."""
    padding = _NOP * ((symbol.size - len(body)) // 4)
    if limit is None:
        end = max(start + symbol.size, start + len(body), len(code))
        code[start : start + symbol.size] = body + padding
        del code[end:]
    elif start + len(body) > limit:
        raise NotWritable(
            f"{symbol.name} has {len(body)} bytes and room for {limit - start}: edit the text of the whole object"
        )
    else:
        code[start : start + len(body)] = body
        if len(body) < symbol.size:
            code[start + len(body) : start + symbol.size] = padding


def _ends(built: Program) -> dict[str, int]:
    """Where each function ends: at its `.size`, in bytes from the start of `.text`."""
    lines = {}
    for number, line in enumerate(built.source.lines):
        words = line.replace(b",", b" ").split()
        if len(words) >= 3 and words[0] == b".size":
            lines[number] = words[1].decode("utf-8", "replace").strip('"')
    found: dict[str, int] = {}
    end = 0
    waiting = sorted(lines)
    for item in built.items():
        if item.section != ".text":
            continue
        top = (item.steps[0].where if item.steps else item.where).line
        while waiting and waiting[0] < top:
            found[lines[waiting.pop(0)]] = end
        end = max(end, item.offset + len(item.code))
    found.update((lines[number], end) for number in waiting if lines[number] not in found)
    return found


def _added_numbers(built: Program) -> Iterator[PlacedItem]:
    """The reads of the program counter to which other than a difference of labels is added."""
    read: PlacedItem | None = None
    left = 0
    for item in built.items():
        statement = item.item.statement
        if item.item.instruction is None:
            continue
        if read is not None:
            if statement.word.startswith(_HINT) or _DISTANCE.search(statement.line, statement.start, statement.end):
                read = None
            elif left == 0 or statement.word in sums.READERS:
                yield read
                read = None
        left -= 1
        if statement.word in sums.READERS:
            read, left = item, _FURTHEST
    if read is not None:
        yield read


def _is_loaded(section: Section) -> bool:
    return bool(section.flags & Section.ALLOCATED)


def _check_movable(code: CodeObject, section: Section) -> None:
    """Raise where something after the code may not move."""
    for each in code.sections:
        if each.flags & Section.ALLOCATED and each.address > section.address and each.name not in _MOVABLE:
            raise NotWritable(f"the code has grown, and `{each.name}` after it may be known by its place")
        if each.kind in ("RELA", "REL") and each.flags & Section.ALLOCATED and each.size:
            raise NotWritable("the code has grown, and the loader relocates places in the object")


def _check_metadata(code: CodeObject, built: Program) -> None:
    """Raise where the text has other metadata of its kernels than the object: the note has no room for it."""
    old = metadata.document(code)
    for block in built.metadata:
        try:
            new = yaml.safe_load(b"\n".join(block.lines))
        except yaml.YAMLError as error:
            raise NotWritable(f"the metadata is no YAML: {error}") from error
        if old is None:
            continue
        same = metadata.with_kernels(old, metadata.symbols(new).__contains__)
        if msgspec.json.encode(new, order="sorted") != msgspec.json.encode(same, order="sorted"):
            raise NotWritable("the text has other metadata, which cannot be written back")


class _Writer:
    """The file while it is changed: new code in its place, and `shift` bytes more after it."""

    def __init__(self, data: bytes, section: Section, code: bytes, shift: int) -> None:
        self.section = section
        self.shift = shift
        self.end = section.offset + section.size
        self.end_address = section.address + section.size
        filling = bytes(section.size + shift - len(code))
        self.data = bytearray(data[: section.offset] + code + filling + data[self.end :])
        self.size = len(code) if shift else max(len(code), section.size)

    def _moved(self, offset: int) -> int:
        """Where what was at an offset is now."""
        return offset + self.shift if offset >= self.end else offset

    def _moved_address(self, address: int) -> int:
        return address + self.shift if address >= self.end_address else address

    def headers(self) -> None:
        """The headers of file, segments and sections."""
        table, count = FILE.get(self.data, 0, "sections", "section_count")
        FILE.put(self.data, 0, sections=self._moved(table))
        segments, size, number = FILE.get(self.data, 0, "segments", "segment_size", "segment_count")
        for index in range(number):
            self._segment(segments + index * size)
        for index in range(count):
            self._section(self._moved(table) + SECTION.size * index)

    def _section(self, at: int) -> None:
        address, offset, size = place = tuple(SECTION.get(self.data, at, "address", "offset", "size"))
        if place == (self.section.address, self.section.offset, self.section.size):
            SECTION.put(self.data, at, size=self.size)
            return
        SECTION.put(self.data, at, offset=self._moved(offset))
        kind, flags = SECTION.get(self.data, at, "kind", "flags")
        if flags & Section.ALLOCATED:
            SECTION.put(self.data, at, address=self._moved_address(address))
        if kind == _DYNAMIC:
            self._dynamic(self._moved(offset), size)

    def _segment(self, at: int) -> None:
        kind, offset, size, memory = SEGMENT.get(self.data, at, "kind", "offset", "size", "memory")
        if kind == _LOAD and offset <= self.section.offset < offset + size:
            if self.shift and offset + size != self.end:
                raise NotWritable("the code has grown, and its segment holds more after it")
            grown = self.size - self.section.size
            SEGMENT.put(self.data, at, size=size + grown, memory=memory + grown)
            return
        if size or memory:
            address, physical = map(self._moved_address, SEGMENT.get(self.data, at, "address", "physical"))
            SEGMENT.put(self.data, at, offset=self._moved(offset), address=address, physical=physical)

    def _dynamic(self, at: int, size: int) -> None:
        for place in range(at, at + size, DYNAMIC.size):
            tag, value = DYNAMIC.get(self.data, place, "tag", "value")
            if tag in _DYNAMIC_ADDRESSES:
                DYNAMIC.put(self.data, place, value=self._moved_address(value))

    def symbols(self, code: CodeObject, index: int, change: _Change) -> None:
        """The values and sizes of symbols in both tables."""
        for table in code.sections:
            if table.kind not in ("SYMTAB", "DYNSYM"):
                continue
            names = next(
                each for each in code.sections if each.name == (".strtab" if table.kind == "SYMTAB" else ".dynstr")
            )
            start = self._moved(table.offset)
            for at in range(start, start + table.size, SYMBOL.size):
                name_at, where, value, size = SYMBOL.get(self.data, at, "name", "section", "value", "size")
                name = names.data[name_at : names.data.find(b"\0", name_at)].decode("utf-8", "replace")
                if where == index:
                    place = change.places.get(name)
                    if place is not None:
                        SYMBOL.put(self.data, at, value=self.section.address + place)
                    if name in change.sizes and size:
                        SYMBOL.put(self.data, at, size=change.sizes[name])
                elif where and where < 0xFF00:
                    SYMBOL.put(self.data, at, value=self._moved_address(value))

    def descriptors(self, code: CodeObject, index: int, change: _Change, built: Program) -> None:
        """The descriptors that the text has, and the way from each to its kernel."""
        blocks = [block for block in built.kernel_blocks if block.is_closed]
        items = (item for item in built.items() if item.item.statement.word == ".end_amdhsa_kernel")
        new = {block.name: item.code for block, item in zip(blocks, items, strict=False)}
        kernels = {symbol.name: symbol.value for symbol in code.by_section.get(index, ())}
        for symbol in code.symbols:
            name = symbol.name.removesuffix(".kd")
            if name == symbol.name or name not in kernels or not isinstance(symbol.section, int):
                continue
            section = code.sections[symbol.section]
            at = self._moved(section.offset) + symbol.value - section.address
            if len(new.get(name, b"")) == fields.SIZE:
                self.data[at : at + fields.SIZE] = new[name]
            place = change.places.get(name)
            address = kernels[name] if place is None else self.section.address + place
            struct.pack_into("<q", self.data, at + _ENTRY, address - self._moved_address(symbol.value))

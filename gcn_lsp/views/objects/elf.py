"""Reads code objects: sections, symbols and relocations, with every offset checked against the file's size.

These are records of fixed size, read here with `struct`: to load pyelftools, which reads the DWARF (`lines`), takes a
tenth of the time of a disassembly.
"""

import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import msgspec

from gcn_lsp.isa.machine import elf_machines
from gcn_lsp.views.objects.records import FILE, SECTION, SYMBOL

MAGIC = b"\x7fELF"
_MOST_SECTIONS, _MOST_SYMBOLS, _MOST_NAMES = 10_000, 2_000_000, 4_096


class NotReadable(Exception):
    """Why a file is no code object that can be read, as a sentence's end."""


class Section(msgspec.Struct, frozen=True):
    """A section. kind: SHT_*, without that prefix. data: its bytes; empty for one without any in the file."""

    name: str
    kind: str
    flags: int
    address: int
    offset: int
    size: int
    align: int
    entry_size: int
    data: bytes

    ALLOCATED = 0x2
    EXECUTABLE = 0x4
    COMPRESSED = 0x800


class Symbol(msgspec.Struct, frozen=True):
    """A symbol. section: its index, or `SHN_ABS`, `SHN_UNDEF`. binding, kind, visibility: ELF's, in lower case."""

    name: str
    value: int
    size: int
    binding: str
    kind: str
    visibility: str
    section: "int | str"


class Relocation(msgspec.Struct, frozen=True):
    """At `offset` of section `section` the value of `symbol` is missing. kind: R_AMDGPU_*."""

    section: int
    offset: int
    kind: int
    symbol: str
    addend: int


class CodeObject(msgspec.Struct, frozen=True, dict=True):
    """A code object.

    target: the processor's name; target_id: with its settings. version: of the code object. is_linked: by a linker.
    """

    target: str
    target_id: str
    version: int
    is_linked: bool
    sections: tuple[Section, ...]
    symbols: tuple[Symbol, ...]
    relocations: tuple[Relocation, ...]

    @cached_property
    def by_section(self) -> Mapping[int, list[Symbol]]:
        """The symbols in each section, by its index, in the order of their values."""
        found: dict[int, list[Symbol]] = {}
        for symbol in sorted(self.symbols, key=lambda symbol: symbol.value):
            if isinstance(symbol.section, int):
                found.setdefault(symbol.section, []).append(symbol)
        return found

    @cached_property
    def by_name(self) -> Mapping[str, Symbol]:
        """The first symbol of each name."""
        return {symbol.name: symbol for symbol in reversed(self.symbols)}

    @cached_property
    def relocations_in(self) -> Mapping[int, dict[int, Relocation]]:
        """The relocations in each section, by its index, then by their offset."""
        found: dict[int, dict[int, Relocation]] = {}
        for each in self.relocations:
            found.setdefault(each.section, {})[each.offset] = each
        return found

    def is_code(self, symbol: Symbol) -> bool:
        """Whether a symbol is in a section of code."""
        return isinstance(symbol.section, int) and bool(self.sections[symbol.section].flags & Section.EXECUTABLE)

    def value_in(self, section: Section, symbol: Symbol) -> int:
        """Where in its section a symbol is: values of linked objects are addresses."""
        return symbol.value - section.address if self.is_linked else symbol.value


def read(data: bytes) -> CodeObject:
    """The code object in `data`. Raises NotReadable."""
    flags, version, kind = check_header(data)
    name = elf_machines.NAMES.get(flags & 0xFF)
    if name is None and version == _OLDEST:
        name = next(_noted(data), None)
    if name is None:
        raise NotReadable(f"its processor has the number {flags & 0xFF:#x}, which is not known")
    return _read(data, name, flags, version, kind)


def notes(data: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Owner, type and content of the notes in a section's bytes; what is broken ends it."""
    at = 0
    while at + 12 <= len(data):
        name_size, size, kind = struct.unpack_from("<III", data, at)
        start = at + 12 + -(-name_size // 4) * 4
        if start + size > len(data):
            return
        yield data[at + 12 : at + 12 + name_size], kind, data[start : start + size]
        at = start + -(-size // 4) * 4


def _noted(data: bytes) -> Iterator[str]:
    """The processors that notes name: compilers before LLVM 6 wrote none into e_flags."""
    for section in _sections(_headers(data), data):
        for owner, kind, content in notes(section.data) if section.kind == "NOTE" else ():
            if owner.rstrip(b"\0") == elf_machines.OLD_VENDOR and kind == elf_machines.ISA_NOTE:
                yield from elf_machines.noted(content)


def machine(data: bytes) -> int:
    """The machine of an ELF file, 0 when it is none."""
    if len(data) < FILE.size or not data.startswith(MAGIC) or data[4:6] != b"\2\1":
        return 0
    return FILE.one(data, 0, "machine")


def check_header(data: bytes) -> tuple[int, int, int]:
    """e_flags, code object version and e_type; raises NotReadable when tables lie beyond the file."""
    if machine(data) != elf_machines.MACHINE:
        raise NotReadable("it is no ELF file for AMD GPUs of 64 bits")
    kind, section_offset, flags = FILE.get(data, 0, "kind", "sections", "flags")
    entry_size, count, names = FILE.get(data, 0, "section_size", "section_count", "names")
    if not count:
        raise NotReadable("it has no sections")
    if (
        count > _MOST_SECTIONS
        or entry_size != SECTION.size
        or section_offset + count * entry_size > len(data)
        or names >= count
    ):
        raise NotReadable("its table of sections lies beyond its end")
    held = 0
    for index in range(count):
        at = section_offset + index * entry_size
        section_kind, offset, size = SECTION.get(data, at, "kind", "offset", "size")
        if section_kind in _WITHOUT_BYTES:
            continue
        if offset + size > len(data):
            raise NotReadable(f"section {index} has {size} bytes from {offset}, beyond the end of the file")
        held += size
    if held > 2 * len(data):
        raise NotReadable(f"its sections overlap: they have {held} bytes, the file has {len(data)}")
    return flags, elf_machines.VERSIONS.get(data[8], 0), kind


def _read(data: bytes, name: str, flags: int, version: int, kind: int) -> CodeObject:
    is_linked = kind in (_EXECUTABLE, _SHARED)
    headers = _headers(data)
    sections = tuple(_sections(headers, data))
    kinds = [section.kind for section in sections]
    table = next((kinds.index(each) for each in ("SYMTAB", "DYNSYM") if each in kinds), None)
    symbols = tuple(_symbols(headers, sections, table)) if table is not None else ()
    _check_names(symbols)
    relocations = () if is_linked else tuple(_relocations(headers, sections))
    target_id = name + elf_machines.features(flags, version)
    return CodeObject(name, target_id, version, is_linked, sections, symbols, relocations)


def _headers(data: bytes) -> list[tuple[int, ...]]:
    """Name, type, flags, address, offset, size, link, info, alignment and entry size of each section."""
    table, count = FILE.get(data, 0, "sections", "section_count")
    return [SECTION.whole.unpack_from(data, table + index * SECTION.size) for index in range(count)]


def _sections(headers: list[tuple[int, ...]], data: bytes) -> Iterator[Section]:
    names = _held(headers[FILE.one(data, 0, "names")], data)
    for header in headers:
        name, kind, flags, address, offset, size, _, _, align, entry_size = header
        yield Section(
            _string(names, name), _SECTION_KINDS.get(kind, f"{kind:#x}"), flags, address, offset, size, align,
            entry_size, _held(header, data),
        )  # fmt: skip


def _held(header: tuple[int, ...], data: bytes) -> bytes:
    """The bytes of a section that the file holds."""
    return b"" if header[1] in _WITHOUT_BYTES else data[header[4] : header[4] + header[5]]


def _string(table: bytes, at: int) -> str:
    end = table.find(b"\0", at)
    return table[at : end if end >= 0 else len(table)].decode("utf-8", "replace")


def _records(section: Section, record: struct.Struct) -> Iterator[tuple[int, ...]]:
    if section.entry_size != record.size:
        raise NotReadable(f"its section {section.name} has entries of {section.entry_size} bytes, not {record.size}")
    return record.iter_unpack(section.data[: len(section.data) // record.size * record.size])


def _linked(headers: list[tuple[int, ...]], sections: tuple[Section, ...], index: int) -> Section:
    """The section that another one refers to."""
    link = headers[index][6]
    if link >= len(sections):
        raise NotReadable(f"its section {sections[index].name} refers to section {link}, which is not there")
    return sections[link]


def _symbols(headers: list[tuple[int, ...]], sections: tuple[Section, ...], table: int) -> Iterator[Symbol]:
    if sections[table].size // SYMBOL.size > _MOST_SYMBOLS:
        raise NotReadable("its table of symbols is broken")
    names = _linked(headers, sections, table).data
    for at, info, other, place, value, size in _records(sections[table], SYMBOL.whole):
        kind, section = _SYMBOL_KINDS.get(info & 0xF, ""), _PLACES.get(place, place)
        name = _string(names, at)
        if kind == "section" or not name or (isinstance(section, int) and section >= len(sections)):
            continue
        yield Symbol(name, value, size, _BINDINGS.get(info >> 4, ""), kind, _VISIBILITIES[other & 3], section)


def _check_names(symbols: Iterable[Symbol]) -> None:
    """Raise NotReadable where one place has more names than anybody gives it, each of which takes several lines."""
    names = Counter((symbol.section, symbol.value) for symbol in symbols if isinstance(symbol.section, int))
    for (section, value), count in names.most_common(1):
        if count > _MOST_NAMES:
            raise NotReadable(f"{count} of its symbols name one place, {value:#x} in section {section}")


def _relocations(headers: list[tuple[int, ...]], sections: tuple[Section, ...]) -> Iterator[Relocation]:
    for index, section in enumerate(sections):
        record = _RELOCATIONS.get(section.kind)
        if record is None:
            continue
        place, table = headers[index][7], _linked(headers, sections, index)
        if place >= len(sections):
            raise NotReadable(f"its section {section.name} is for section {place}, which is not there")
        names, symbols = _linked(headers, sections, headers[index][6]).data, list(_records(table, SYMBOL.whole))
        for offset, info, *addend in _records(section, record):
            if info >> 32 >= len(symbols):
                raise NotReadable(f"its section {section.name} names symbol {info >> 32}, which is not there")
            at, symbol_info, _, symbol_section, _, _ = symbols[info >> 32]
            name = _string(names, at)
            if symbol_info & 0xF == _SECTION_SYMBOL and symbol_section < len(sections):
                name = sections[symbol_section].name
            yield Relocation(place, offset, info & 0xFFFFFFFF, name, addend[0] if addend else 0)


_OLDEST = 2  # version of code objects
_EXECUTABLE, _SHARED = 2, 3
_SECTION_SYMBOL = 3
_WITHOUT_BYTES = (0, 8)  # SHT_NULL, SHT_NOBITS
_RELOCATIONS = {"RELA": struct.Struct("<QQq"), "REL": struct.Struct("<QQ")}
_SECTION_KINDS = {
    0: "NULL", 1: "PROGBITS", 2: "SYMTAB", 3: "STRTAB", 4: "RELA", 5: "HASH", 6: "DYNAMIC", 7: "NOTE", 8: "NOBITS",
    9: "REL", 11: "DYNSYM", 14: "INIT_ARRAY", 15: "FINI_ARRAY", 17: "GROUP", 0x6FFFFFF6: "GNU_HASH",
}  # fmt: skip
_SYMBOL_KINDS = {0: "notype", 1: "object", 2: "func", 3: "section", 4: "file", 5: "common", 6: "tls", 10: "kernel"}
"""10 is STT_AMDGPU_HSA_KERNEL of code object version 2."""
_BINDINGS = {0: "local", 1: "global", 2: "weak"}
_VISIBILITIES = ("default", "internal", "hidden", "protected")
_PLACES = {0: "SHN_UNDEF", 0xFFF1: "SHN_ABS", 0xFFF2: "SHN_COMMON"}

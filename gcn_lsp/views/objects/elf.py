"""Reads code objects: sections, symbols, relocations and notes, with every offset checked against the file's size.

pyelftools reads the structures. What it would follow blindly (counts and offsets of a hostile file) is checked before.
"""

import struct
from collections.abc import Iterator, Mapping
from functools import cached_property
from io import BytesIO
from typing import Any

import msgspec

from gcn_lsp.isa import machines

MAGIC = b"\x7fELF"
_HEADER = 64
_MOST_SECTIONS, _MOST_SYMBOLS = 10_000, 2_000_000


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
    def relocations_in(self) -> Mapping[int, dict[int, Relocation]]:
        """The relocations in each section, by its index, then by their offset."""
        found: dict[int, dict[int, Relocation]] = {}
        for each in self.relocations:
            found.setdefault(each.section, {})[each.offset] = each
        return found

    def value_in(self, section: Section, symbol: Symbol) -> int:
        """Where in its section a symbol is: values of linked objects are addresses."""
        return symbol.value - section.address if self.is_linked else symbol.value


def read(data: bytes) -> CodeObject:
    """The code object in `data`. Raises NotReadable."""
    flags, version, kind = check_header(data)
    name = machines.NAMES.get(flags & 0xFF)
    if name is None:
        raise NotReadable(f"its processor has the number {flags & 0xFF:#x}, which is not known")
    from elftools.elf.elffile import ELFFile  # late: it takes a fifth of a second to load

    try:
        return _read(ELFFile, data, name, flags, version, kind)
    except NotReadable:
        raise
    except Exception as error:  # pyelftools has many ways to fail on broken structures
        raise NotReadable(f"its structure is broken: {error}") from error


def machine(data: bytes) -> int:
    """The machine of an ELF file, 0 when it is none."""
    if len(data) < _HEADER or not data.startswith(MAGIC) or data[4:6] != b"\2\1":
        return 0
    return int(struct.unpack_from("<H", data, 18)[0])


def check_header(data: bytes) -> tuple[int, int, int]:
    """e_flags, code object version and e_type; raises NotReadable when tables lie beyond the file."""
    if machine(data) != machines.MACHINE:
        raise NotReadable("it is no ELF file for AMD GPUs of 64 bits")
    kind = struct.unpack_from("<H", data, 16)[0]
    _, section_offset, flags = struct.unpack_from("<QQI", data, 32)
    entry_size, count, names = struct.unpack_from("<HHH", data, 58)
    if not count:
        raise NotReadable("it has no sections")
    if count > _MOST_SECTIONS or entry_size != 64 or section_offset + count * entry_size > len(data) or names >= count:
        raise NotReadable("its table of sections lies beyond its end")
    for index in range(count):
        at = section_offset + index * entry_size
        section_kind = struct.unpack_from("<I", data, at + 4)[0]
        offset, size = struct.unpack_from("<QQ", data, at + 24)
        if section_kind not in (0, 8) and offset + size > len(data):
            raise NotReadable(f"section {index} has {size} bytes from {offset} on, beyond the end of the file")
    return flags, machines.VERSIONS.get(data[8], 0), kind


def _read(elffile: Any, data: bytes, name: str, flags: int, version: int, kind: int) -> CodeObject:
    elf = elffile(BytesIO(data))
    is_linked = kind in (2, 3)
    raw = list(elf.iter_sections())
    sections = tuple(_section(each, data) for each in raw)
    table = next((each for each in raw if each["sh_type"] == "SHT_SYMTAB"), None)
    table = table or next((each for each in raw if each["sh_type"] == "SHT_DYNSYM"), None)
    symbols = tuple(_symbols(table, len(sections))) if table is not None else ()
    relocations = () if is_linked else tuple(_relocations(raw, sections))
    target_id = name + machines.features(flags, version)
    return CodeObject(name, target_id, version, is_linked, sections, symbols, relocations)


def _section(section: Any, data: bytes) -> Section:
    kind = str(section["sh_type"]).removeprefix("SHT_")
    offset, size = section["sh_offset"], section["sh_size"]
    held = b"" if kind in ("NOBITS", "NULL") else data[offset : offset + size]
    return Section(
        section.name, kind, section["sh_flags"], section["sh_addr"], offset, size, section["sh_addralign"],
        section["sh_entsize"], held,
    )  # fmt: skip


def _symbols(table: Any, sections: int) -> Iterator[Symbol]:
    if table["sh_entsize"] != 24 or table["sh_size"] // 24 > _MOST_SYMBOLS:
        raise NotReadable("its table of symbols is broken")
    for symbol in table.iter_symbols():
        info = symbol["st_info"]
        binding, kind = (str(info[part]).partition("_")[2].lower() for part in ("bind", "type"))
        visibility = str(symbol["st_other"]["visibility"]).partition("_")[2].lower()
        index = symbol["st_shndx"]
        if kind == "section" or not symbol.name or (isinstance(index, int) and index >= sections):
            continue
        yield Symbol(symbol.name, symbol["st_value"], symbol["st_size"], binding, kind, visibility, index)


def _relocations(raw: list[Any], sections: tuple[Section, ...]) -> Iterator[Relocation]:
    for each in raw:
        if each["sh_type"] not in ("SHT_RELA", "SHT_REL"):
            continue
        table = raw[each["sh_link"]]
        for relocation in each.iter_relocations():
            symbol = table.get_symbol(relocation["r_info_sym"])
            name = symbol.name
            if symbol["st_info"]["type"] == "STT_SECTION":
                name = sections[symbol["st_shndx"]].name
            yield Relocation(
                each["sh_info"], relocation["r_offset"], relocation["r_info_type"], name,
                relocation["r_addend"] if each["sh_type"] == "SHT_RELA" else 0,
            )  # fmt: skip

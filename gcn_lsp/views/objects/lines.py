"""The lines of the source that the code of an object was compiled from, as its DWARF says: `Lines(data).at(address)`.

pyelftools reads the headers of the line tables and the tree of functions; the tables themselves are run here, into two
arrays. Nothing is read before the first question. Malformed DWARF yields no lines and raises nothing.
"""

import posixpath
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from itertools import pairwise
from typing import Any

import msgspec

from gcn_lsp.views.objects import elf
from gcn_lsp.views.view import SourcePlace

_MOST_ROWS = 4_000_000
_MOST_OF_TREE = 2 << 20  # bytes of `.debug_info`; pyelftools reads some 30,000 entries in a second
_ABSOLUTE = {3: 8, 6: 4}  # R_AMDGPU_ABS64, R_AMDGPU_ABS32: bytes


class Lines:
    """The line information of one object; `data` is its file."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def at(self, address: int) -> SourcePlace | None:
        """The place that the instruction at an address is for, as `llvm-symbolizer --inlines` gives it."""
        row = self._row(address)
        if row is None:
            return None
        file, line, column = row
        calls = self._functions_at(address)
        places = [SourcePlace(call.file, call.line, call.column, outer.name) for call, outer in pairwise(calls)]
        return SourcePlace(file, line, column, calls[0].name if calls else "", tuple(places))

    def line(self, address: int) -> tuple[str, int] | None:
        """File and line for an address, without what was inlined: reads the line tables only."""
        row = self._row(address)
        return None if row is None else row[:2]

    @property
    def is_empty(self) -> bool:
        """Whether the object says nothing of its source."""
        return not self._tables.starts

    def _row(self, address: int) -> tuple[str, int, int] | None:
        tables = self._tables
        index = bisect_right(tables.starts, address) - 1
        if index < 0:
            return None
        file, line, column = tables.rows[tables.where[index]]
        return (tables.files[file], line, column) if line else None

    @cached_property
    def _dwarf(self) -> Any:
        """pyelftools' view of the debug information; None when there is none."""
        if b"debug_line" not in self._data:
            return None  # as in nearly all kernels that are shipped
        from elftools.elf.elffile import ELFFile  # late: it takes a while to load

        try:
            if _is_packed(self._data):
                return None
            found = ELFFile(BytesIO(_relocated(self._data)))
            return found.get_dwarf_info(relocate_dwarf_sections=False) if found.has_dwarf_info() else None
        except Exception:  # pyelftools has many ways to fail on broken structures
            return None

    @cached_property
    def _tables(self) -> "_Tables":
        tables = _Tables()
        if self._dwarf is not None:
            try:
                for unit in self._dwarf.iter_CUs():
                    program = self._dwarf.line_program_for_CU(unit)
                    if program is not None:
                        tables.read(program, _folder(unit))
            except Exception:
                return tables.sorted()  # what was read before the fault
        return tables.sorted()

    @cached_property
    def _functions(self) -> "list[_CompiledFunction]":
        """Functions and what is inlined into them, outer ones first."""
        found: list[_CompiledFunction] = []
        dwarf = self._dwarf
        if dwarf is None or dwarf.debug_info_sec is None or dwarf.debug_info_sec.size > _MOST_OF_TREE:
            return found
        try:
            for unit in dwarf.iter_CUs():
                program = dwarf.line_program_for_CU(unit)
                files = _files(program, _folder(unit)) if program is not None else {}
                for entry in _entries(unit):
                    if entry.tag in _FUNCTIONS:
                        found += _function(dwarf, unit, entry, files)
        except Exception:
            return found
        return found

    def _functions_at(self, address: int) -> "list[_CompiledFunction]":
        """The functions around an address, the innermost first."""
        return [each for each in reversed(self._functions) if each.low <= address < each.high]


_FUNCTIONS = ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine")


class _CompiledFunction(msgspec.Struct, frozen=True):
    """Some of the code of a function, from `low` to before `high`; where it was called, if it is inlined."""

    name: str
    low: int
    high: int
    file: str
    line: int
    column: int


class _Tables:
    """Line tables as arrays. starts: addresses. where: for each the number of its row. rows: file, line and column;
    line 0 for none. files: their names."""

    def __init__(self) -> None:
        self.starts: array[int] = array("Q")
        self.where: array[int] = array("L")
        self.rows: list[tuple[int, int, int]] = []
        self.files: list[str] = []
        self._known: dict[tuple[int, int, int], int] = {}

    def sorted(self) -> "_Tables":
        """The same in the order of addresses; of several rows for one address the last counts."""
        latest = dict(zip(self.starts, self.where, strict=True))
        self.starts = array("Q", sorted(latest))
        self.where = array("L", [latest[start] for start in self.starts])
        return self

    def read(self, program: Any, folder: str) -> None:
        """Run the line table of a unit."""
        numbers = {}
        for number, name in _files(program, folder).items():
            numbers[number] = len(self.files)
            self.files.append(name)
        for address, file, line, column in _run(program):
            if len(self.starts) >= _MOST_ROWS:
                return
            row = (numbers[file], line, column) if file in numbers else (0, 0, 0)
            index = self._known.setdefault(row, len(self.rows))
            if index == len(self.rows):
                self.rows.append(row)
            self.starts.append(address & (1 << 64) - 1)
            self.where.append(index)


def _run(program: Any) -> Iterator[tuple[int, int, int, int]]:
    """Address, file, line and column of each row of a line table; line 0 where a sequence ends."""
    header = program.header
    base, line_base, line_range = header["opcode_base"], header["line_base"], header["line_range"]
    step, lengths = header["minimum_instruction_length"], header["standard_opcode_lengths"]
    stream = program.stream
    stream.seek(program.program_start_offset)
    code = stream.read(program.program_end_offset - program.program_start_offset)
    at, address, file, line, column = 0, 0, 1, 1, 0
    while at < len(code):
        opcode = code[at]
        at += 1
        if opcode >= base:
            advance, more = divmod(opcode - base, line_range)
            address += advance * step
            line += line_base + more
            yield address, file, line, column
        elif opcode == 0:
            size, at = _unsigned(code, at)
            kind, value = code[at], code[at + 1 : at + size]
            if kind == 1:
                yield address, file, 0, 0
                address, file, line, column = 0, 1, 1, 0
            elif kind == 2:
                address = int.from_bytes(value, "little")
            at += size
        elif opcode == 1:
            yield address, file, line, column
        elif opcode == 2:
            advance, at = _unsigned(code, at)
            address += advance * step
        elif opcode == 3:
            advance, at = _signed(code, at)
            line += advance
        elif opcode == 4:
            file, at = _unsigned(code, at)
        elif opcode == 5:
            column, at = _unsigned(code, at)
        elif opcode == 8:
            address += (255 - base) // line_range * step
        elif opcode == 9:
            address += int.from_bytes(code[at : at + 2], "little")
            at += 2
        else:
            for _ in range(lengths[opcode - 1]):
                _, at = _unsigned(code, at)


def _unsigned(code: bytes, at: int) -> tuple[int, int]:
    """A number in LEB128, and where it ends."""
    value = shift = 0
    while shift < 70:
        byte = code[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            break
    return value, at


def _signed(code: bytes, at: int) -> tuple[int, int]:
    start = at
    value, at = _unsigned(code, at)
    bits = 7 * (at - start)
    return value - (1 << bits) if value >> bits - 1 & 1 else value, at


def _folder(unit: Any) -> str:
    """The folder in which the compiler ran."""
    attribute = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
    return _text(attribute.value) if attribute is not None else ""


def _files(program: Any, folder: str) -> dict[int, str]:
    """The files of a line table by the number that it has for each."""
    header = program.header
    folders = [_text(each) for each in header["include_directory"]]
    first = 0
    if header["version"] < 5:  # which counts files from 1 and leaves out the folder of the compiler
        folders, first = [folder, *folders], 1
    found = {}
    for number, entry in enumerate(header["file_entry"], first):
        index = entry.dir_index or 0
        inside = folders[index] if index < len(folders) else ""
        found[number] = posixpath.normpath(posixpath.join(folder, inside, _text(entry.name)))
    return found


def _entries(unit: Any) -> Iterator[Any]:
    """The entries of a unit in order, found by their sizes: links to siblings may form a circle in a broken file."""
    from elftools.dwarf.die import DIE

    at, end = unit.cu_die_offset, unit.cu_offset + unit.size
    while at < end:
        entry = DIE(unit, unit.dwarfinfo.debug_info_sec.stream, at)
        yield entry
        at += max(entry.size, 1)


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")


def _function(dwarf: Any, unit: Any, entry: Any, files: dict[int, str]) -> "Iterator[_CompiledFunction]":
    attributes = entry.attributes

    def number(name: str) -> int:
        return int(attributes[name].value) if name in attributes else 0

    name = _function_name(entry)
    called = files.get(number("DW_AT_call_file"), ""), number("DW_AT_call_line"), number("DW_AT_call_column")
    for low, high in _ranges(dwarf, unit, attributes):
        yield _CompiledFunction(name, low, high, *called)


def _function_name(entry: Any) -> str:
    for _ in range(4):  # from a copy to what it is of
        for attribute in ("DW_AT_name", "DW_AT_linkage_name"):
            if attribute in entry.attributes:
                return _text(entry.attributes[attribute].value)
        origin = next((name for name in _ORIGINS if name in entry.attributes), "")
        if not origin:
            return ""
        entry = entry.get_DIE_from_attribute(origin)
    return ""


_ORIGINS = ("DW_AT_abstract_origin", "DW_AT_specification")


def _ranges(dwarf: Any, unit: Any, attributes: Any) -> Iterator[tuple[int, int]]:
    if "DW_AT_low_pc" in attributes and "DW_AT_high_pc" in attributes:
        low, high = attributes["DW_AT_low_pc"].value, attributes["DW_AT_high_pc"]
        is_address = high.form.startswith("DW_FORM_addr")
        yield low, high.value if is_address else low + high.value
    elif "DW_AT_ranges" in attributes:
        top = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
        base = top.value if top is not None else 0
        for each in dwarf.range_lists().get_range_list_at_offset(attributes["DW_AT_ranges"].value, unit):
            if hasattr(each, "base_address"):
                base = each.base_address
            else:
                start = 0 if getattr(each, "is_absolute", False) else base
                yield start + each.begin_offset, start + each.end_offset


def _is_packed(data: bytes) -> bool:
    """Whether debug information is compressed, which pyelftools unpacks to any size."""
    sections = elf.read(data).sections
    return any(each.name.startswith((".debug", ".zdebug")) and each.flags & elf.Section.COMPRESSED for each in sections)


def _relocated(data: bytes) -> bytes:
    """An object that is not linked yet, with its relocations of debug information applied."""
    code = elf.read(data)
    if code.is_linked:
        return data
    values = {symbol.name: symbol.value for symbol in code.symbols}
    changed = bytearray(data)
    for each in code.relocations:
        section = code.sections[each.section]
        size = _ABSOLUTE.get(each.kind, 0)
        if size and section.name.startswith(".debug") and each.offset + size <= section.size:
            at = section.offset + each.offset
            value = values.get(each.symbol, 0) + each.addend
            changed[at : at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
    return bytes(changed)

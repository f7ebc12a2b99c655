"""A code object as a text of assembly: assembled and linked, it has the same code, descriptors and notes."""

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import pairwise

from gcn_lsp import isa
from gcn_lsp.isa import versions
from gcn_lsp.isa.kernels import descriptor as fields
from gcn_lsp.isa.kernels import kernel_code
from gcn_lsp.text import split_lines
from gcn_lsp.views.objects import descriptors, kernel_headers, metadata, relocated, version
from gcn_lsp.views.objects.code import Code
from gcn_lsp.views.objects.elf import CodeObject, Section, Symbol
from gcn_lsp.views.objects.output import Output
from gcn_lsp.views.objects.words import as_data, quoted
from gcn_lsp.views.view import AddressRun, Further, Places, View

_MADE_BY_LINKER = frozenset(("DYNSYM", "GNU_HASH", "HASH", "DYNAMIC", "SYMTAB", "STRTAB", "RELA", "REL", "NULL"))
_LINKER_SECTIONS = frozenset((".dynstr", ".relro_padding", ".comment"))
_DESCRIPTOR = ".kd"
_FUNCTIONS = ("func", "kernel")
_TYPES = {"func": "@function", "object": "@object", "kernel": "@function"}

# Several functions share a text up to this part of what one may have: the smaller the texts, the less memory they take.
_SHARED = 4
_OF_SYMBOL = 64  # bytes of code that take as much memory as the four lines of a symbol


def text_of(code: CodeObject, kernel: str = "", most: int = sys.maxsize, places: Places | None = None) -> View:
    """The text of a code object, or of one kernel in it. Unknown names give an empty text.

    most: bytes of a function in a view; of a section with several, those after a quarter of that have further views.
    places: of the source.
    """
    return _text_of(_Object(code), most, places, kernel)


def _text_of(whole: "_Object", most: int, places: Places | None, kernel: str) -> View:
    text = BytesIO()
    runs: list[AddressRun] = []
    writer = _Writer(whole, text.write, runs.append, most)
    writer.whole(kernel)
    further = [Further(name, partial(_text_of, whole, most, places, name)) for name in writer.functions_left_out]
    lines = split_lines(text.getvalue())
    return View(lines, whole.target.name, whole.target.mattr, runs, places, further, writer.left_out)


def write(code: CodeObject, out: Callable[[bytes], object], kernel: str = "") -> None:
    """Pass the same text on while it is made."""
    _Writer(_Object(code), out, lambda run: None).whole(kernel)


def load(code: CodeObject) -> isa.Target:
    """The target that the object is for, with the wave size of its kernels and the version of LLVM that made it."""
    name, _, features = code.target_id.partition(":")
    switches = [f"{part[-1]}{part[:-1]}" for part in features.split(":") if part]
    target = isa.load_target(name, ",".join(switches))
    size = _wave_size(code)
    if size and target.has_wave32 and size != target.wavefront_size:
        switches += [f"+wavefrontsize{size}", f"-wavefrontsize{96 - size}"]
        target = isa.load_target(name, ",".join(switches))
    mattr = versions.with_switch(target.mattr, version.of(code, target))
    return isa.load_target(name, mattr) if mattr != target.mattr else target


def _wave_size(code: CodeObject) -> int:
    """Lanes of the waves of the first kernel with a descriptor; 0 for unknown."""
    for symbol in code.symbols:
        if symbol.name.endswith(_DESCRIPTOR) and isinstance(symbol.section, int):
            section = code.sections[symbol.section]
            at = code.value_in(section, symbol)
            properties = int.from_bytes(section.data[at + 56 : at + 58], "little")
            return 32 if properties >> 10 & 1 else 64
    return 0


class _Symbols:
    """The symbols of a section in the order of their places, which are bytes from its start.

    names: the quoted names by place. functions: the functions' names by place. The first of several at a place counts.
    """

    def __init__(self, code: CodeObject, index: int) -> None:
        section = code.sections[index]
        self.all = code.by_section.get(index, [])
        self.places = [code.value_in(section, symbol) for symbol in self.all]
        found = list(zip(self.places, self.all, strict=True))[::-1]
        self.names = {place: quoted(symbol.name) for place, symbol in found}
        self.functions = {place: symbol.name for place, symbol in found if symbol.kind in _FUNCTIONS}
        self.starts = sorted(self.functions)
        self.by_name = {symbol.name: symbol for _, symbol in found}

    def within(self, start: int, end: int) -> Iterator[tuple[int, Symbol]]:
        """The symbols from one place to another, which counts too."""
        for index in range(bisect_left(self.places, start), bisect_right(self.places, end)):
            yield self.places[index], self.all[index]

    def shared_end(self, end: int, most: int) -> int:
        """Where the functions end that share a text, of code that ends at `end`: after the first if that is too much.

        most: bytes of code; the lines of a symbol count as some.
        """

        def cost(place: int) -> int:
            return place + _OF_SYMBOL * bisect_left(self.places, place)

        starts = [place for place in self.starts if 0 < place < end]
        if cost(end) <= most or not starts:
            return end
        return starts[max(bisect_right(starts, most, key=cost) - 1, 0)]

    def function_after(self, place: int) -> int | None:
        """Where the next function begins."""
        index = bisect_right(self.starts, place)
        return self.starts[index] if index < len(self.starts) else None


class _Object:
    """A code object, with what the texts of all its functions need."""

    def __init__(self, code: CodeObject) -> None:
        self.code = code
        self.target = load(code)
        self.counts = dict(metadata.register_counts(code))
        self._symbols: dict[int, _Symbols] = {}
        self._notes: dict[int, metadata.Note | None] = {}

    def symbols(self, index: int) -> _Symbols:
        """The symbols of a section."""
        if index not in self._symbols:
            self._symbols[index] = _Symbols(self.code, index)
        return self._symbols[index]

    def note(self, index: int) -> "metadata.Note | None":
        """The metadata in a section; None for other notes, and what the assembler would write otherwise."""
        if index not in self._notes:
            self._notes[index] = metadata.read(self.code.sections[index])
        return self._notes[index]


class _Writer:
    """Writes one object; `lines` are the text so far, and `record` takes what they stand for."""

    def __init__(
        self,
        whole: _Object,
        write: Callable[[bytes], object],
        record: Callable[[AddressRun], object],
        most: int = sys.maxsize,
    ) -> None:
        self.object = whole
        self.code = whole.code
        self.target = whole.target
        self.most = most
        self.left_out = 0  # bytes of a function
        self.functions_left_out: dict[str, None] = {}
        self.lines = Output(write)
        self.record = record
        self.late: list[str] = []  # directives that come after the descriptors

    def _features(self) -> str:
        """The features of the code as llvm-mc takes them: the size of its waves."""
        features = ",".join(each for each in self.target.mattr.split(",") if "wavefrontsize" in each)
        return f" -mattr={features}" if features else ""

    def whole(self, kernel: str) -> None:
        """All of it, or one kernel."""
        abi = f"\t.amdhsa_code_object_version {self.code.version}" if self.code.version >= 4 else ""
        if any(kernel_headers.places(self.code, index) for index in range(len(self.code.sections))):
            # The assembler knows these blocks only for other systems than HSA, where that directive has another name.
            self.lines.append(f"// gcn-lsp: target={self.code.target_id}")
        else:
            self.lines.append(f'\t.amdgcn_target "amdgcn-amd-amdhsa--{self.code.target_id}"')
        if abi:
            self.lines.append(abi)
        llvm = versions.chosen(self.target.mattr)
        if llvm != versions.USUAL:
            # Whoever checks or assembles the text again takes the same version.
            self.lines.append(
                f"// RUN: llvm-mc-{llvm} -triple=amdgcn-amd-amdhsa -mcpu={self.target.name}{self._features()} %s"
            )
            self.lines.append(f"// LLVM {llvm}'s assembler makes these bytes; a newer one fills unused bits otherwise.")
        for index, section in enumerate(self.code.sections):
            if section.flags & Section.EXECUTABLE and section.data:
                self._code(index, section, kernel)
        for index, section in enumerate(self.code.sections):
            if not section.flags & Section.EXECUTABLE:
                self._data(index, section, kernel)
        self.lines += self.late
        if self.functions_left_out:
            self.lines.append("// Further functions in this code object, for `gcn-lsp disassemble --kernel`:")
            self.lines += [f"// {name}" for name in self.functions_left_out]
        for symbol in () if kernel else self.code.symbols:
            if symbol.section == "SHN_UNDEF":
                self.lines += self._linkage(symbol)
            if symbol.section == "SHN_ABS" and symbol.kind != "file":
                self.lines += _binding(symbol)
                self.lines.append(f"\t.set {quoted(symbol.name)}, {symbol.value:#x}")
        self.lines.flush()

    # -- code ------------------------------------------------------------------------------------------------------

    def _code(self, index: int, section: Section, kernel: str) -> None:
        symbols = self.object.symbols(index)
        functions = symbols.functions
        start, end = 0, len(section.data)
        if kernel:
            found = symbols.by_name.get(kernel)
            if found is None:
                return
            start = self.code.value_in(section, found)
            end = min(start + found.size if found.size else symbols.function_after(start) or end, end)
        else:
            end = symbols.shared_end(end, self.most // _SHARED)
            left_out = (place for place in symbols.starts if end <= place < len(section.data))
            self.functions_left_out |= {functions[place]: None for place in left_out}
        self.left_out += max(0, end - start - self.most)
        end = min(end, start + self.most)
        self._section(section)
        if section.align > 1:
            self.lines.append(f"\t.p2align {section.align.bit_length() - 1}")
        code = Code(section, self.target, start, end, self._headers(index, start, end))
        before: dict[int, list[str]] = {}
        labels: dict[int, list[str]] = {}
        here = list(symbols.within(start, end if end == len(section.data) else end - 1))
        for place, symbol in here:
            if symbol.size and place < end:
                before.setdefault(place + symbol.size, []).append(_size(symbol))
        for place, symbol in here:
            labels.setdefault(place, []).append(f"{quoted(symbol.name)}:")
            before.setdefault(place, []).extend(self._declared(symbol))
        for place, found_here in labels.items():
            before[place] += found_here
        relocations = self.code.relocations_in.get(index, {})
        code.write(symbols.names, before, functions, relocations, self.lines, self.record)

    def _headers(self, index: int, start: int, end: int) -> dict[int, Sequence[str]]:
        """The lines for the headers of kernels in a part of a section, by their places."""
        data = self.code.sections[index].data
        within = (
            place for place in kernel_headers.places(self.code, index) if start <= place <= end - kernel_code.SIZE
        )
        return {place: kernel_headers.lines(data[place : place + kernel_code.SIZE], self.target) for place in within}

    # -- data ------------------------------------------------------------------------------------------------------

    def _data(self, index: int, section: Section, kernel: str) -> None:
        if _is_of_tools(section):
            return
        if section.kind == "NOTE":
            self._note(index, section, kernel)
            return
        if not section.flags & Section.ALLOCATED or not section.size:
            return
        symbols = self.code.by_section.get(index, [])
        if kernel:
            descriptor = self.object.symbols(index).by_name.get(kernel + _DESCRIPTOR)
            symbols = [descriptor] if descriptor is not None else []
        at: dict[int, list[Symbol]] = {}
        for symbol in symbols:
            at.setdefault(self.code.value_in(section, symbol), []).append(symbol)
        places = {place + symbol.size for place, each in at.items() for symbol in each} | at.keys()
        cuts = sorted({0, section.size, *(place for place in places if 0 <= place <= section.size)})
        started = False
        for start, end in pairwise(cuts):
            here = at.get(start, [])
            if here and all(self._is_left_out(symbol.name) for symbol in here):
                continue
            if kernel and not here:
                continue
            if not started:
                self._section(section)
                self.lines.append(f"\t.p2align {max(section.align, 1).bit_length() - 1}")
                started = True
            self._object(index, section, start, end, here)

    def _object(self, index: int, section: Section, start: int, end: int, symbols: Sequence[Symbol]) -> None:
        """The bytes between two symbols."""
        data = section.data[start:end]
        kernel = next((symbol.name for symbol in symbols if symbol.name.endswith(_DESCRIPTOR)), "")
        found = None
        if kernel and end - start == fields.SIZE:
            found = descriptors.directives(self.target, data, *self.object.counts.get(kernel, (None, None)))
        if found is not None:
            name = quoted(kernel.removesuffix(_DESCRIPTOR))
            self._stands_for(section, start, end)
            self.lines.append(f"\t.amdhsa_kernel {name}")
            self.lines += [f"\t\t.amdhsa_{field} {value}" for field, value in found]
            self.lines.append("\t.end_amdhsa_kernel")
            return
        for symbol in symbols:
            self.lines += self._declared(symbol)
            self.lines.append(f"{quoted(symbol.name)}:")
        if section.kind == "NOBITS":
            self.lines.append(f"\t.zero {end - start}")
        elif kernel and len(data) == fields.SIZE:
            name = quoted(kernel.removesuffix(_DESCRIPTOR))
            self.lines.append(f"\t{as_data(data[:16])}")
            self.lines.append(f"\t.quad {name}-{quoted(kernel)}")
            self.lines.append(f"\t{as_data(data[24:])}")
        else:
            self._bytes(index, section, start, end)
        for symbol in symbols:
            if symbol.size:
                self.lines.append(f"\t.size {quoted(symbol.name)}, {symbol.size}")

    def _bytes(self, index: int, section: Section, start: int, end: int) -> None:
        """Data, with the symbols that relocations put into it."""
        relocations = self.code.relocations_in.get(index, {})
        cuts = sorted({start, end, *(at for place in relocations for at in (place, place + 8) if start < at < end)})
        for low, high in pairwise(cuts):
            line, size = relocated.data(relocations[low]) if low in relocations else ("", 0)
            if line:
                self.lines.append(f"\t{line}")
            for at in range(low + size, high, 16):
                to = min(at + 16, high)
                self._stands_for(section, at, to)
                self.lines.append(f"\t{as_data(section.data[at:to])}")

    def _stands_for(self, section: Section, start: int, end: int) -> None:
        """The next line is for these bytes."""
        self.record(AddressRun(len(self.lines), [start, end], section.address, section.offset))

    def _is_left_out(self, symbol: str) -> bool:
        """Whether a symbol is the descriptor of a kernel that is not in the text."""
        return symbol.endswith(_DESCRIPTOR) and symbol.removesuffix(_DESCRIPTOR) in self.functions_left_out

    def _note(self, index: int, section: Section, kernel: str) -> None:
        note = self.object.note(index)
        if note is not None:
            shown: list[str] | None = None
            if kernel:
                shown = [kernel + _DESCRIPTOR]
            elif self.functions_left_out:
                shown = [name for name in note.kernels if not self._is_left_out(name)]
            self.lines += ["\t.amdgpu_metadata", "---", *note.lines(shown), "...", "\t.end_amdgpu_metadata"]
            return
        if section.flags & Section.ALLOCATED:
            self.lines.append(f'\t.section {section.name},"a",@note')
            self.lines += [f"\t{as_data(section.data[at : at + 16])}" for at in range(0, section.size, 16)]

    # -- symbols ---------------------------------------------------------------------------------------------------

    def _section(self, section: Section) -> None:
        if section.name == ".text":
            self.lines.append("\t.text")
            return
        flags = "".join(
            letter for letter, bit in (("a", 2), ("w", 1), ("x", 4), ("M", 16), ("S", 32)) if section.flags & bit
        )
        kind = "@nobits" if section.kind == "NOBITS" else "@progbits"
        size = f",{section.entry_size}" if section.flags & 16 else ""
        self.lines.append(f'\t.section {quoted(section.name)},"{flags}",{kind}{size}')

    def _declared(self, symbol: Symbol) -> list[str]:
        """Binding, visibility and type of a symbol, before its label."""
        lines = self._linkage(symbol)
        if symbol.kind in _TYPES:
            lines.append(f"\t.type {quoted(symbol.name)},{_TYPES[symbol.kind]}")
        return lines

    def _linkage(self, symbol: Symbol) -> list[str]:
        """Binding and visibility of a symbol."""
        lines = _binding(symbol)
        if symbol.visibility in ("hidden", "protected", "internal"):
            line = f"\t.{symbol.visibility} {quoted(symbol.name)}"
            own = self.code.by_name.get(symbol.name + _DESCRIPTOR)
            # A descriptor's symbol takes the visibility that the kernel's has by then.
            (lines if own is None or own.visibility == symbol.visibility else self.late).append(line)
        return lines


def _size(symbol: Symbol) -> str:
    return f"\t.size {quoted(symbol.name)}, .-{quoted(symbol.name)}"


def _binding(symbol: Symbol) -> list[str]:
    if symbol.binding not in ("global", "weak"):
        return []
    return [f"\t.{'globl' if symbol.binding == 'global' else 'weak'} {quoted(symbol.name)}"]


def _is_of_tools(section: Section) -> bool:
    """Whether a linker or a compiler made a section for itself or for debuggers."""
    return section.kind in _MADE_BY_LINKER or section.name in _LINKER_SECTIONS or section.name.startswith(".debug")

"""A code object as a text of assembly: what assembler and linker make of it has the same code, descriptors and notes.

Where the assembler would not give an instruction its bytes again (bits that no operand shows, what only other tools
write), the words stand as data, with the instruction as a comment.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.decoding.decoder import Decoded, Decoder, decoder_for
from gcn_lsp.isa import descriptor as fields
from gcn_lsp.isa import predefined
from gcn_lsp.syntax import lines
from gcn_lsp.views.objects import descriptors, metadata
from gcn_lsp.views.objects.elf import CodeObject, Relocation, Section, Symbol
from gcn_lsp.views.view import Origin, View

_MADE_BY_LINKER = frozenset(("DYNSYM", "GNU_HASH", "HASH", "DYNAMIC", "SYMTAB", "STRTAB", "RELA", "REL", "NULL"))
_LINKER_SECTIONS = frozenset((".dynstr", ".relro_padding", ".comment"))
_NAME = re.compile(r"[A-Za-z_.$][\w.$@]*\Z")
_DESCRIPTOR = ".kd"
_TYPES = {"func": "@function", "object": "@object", "10": "@function", "loos": "@function"}


def text_of(code: CodeObject, kernel: str = "") -> View:
    """The text of a code object, or of one kernel in it. Unknown names give an empty text."""
    return _Writer(code).view(kernel)


def load(code: CodeObject) -> isa.Target:
    """The target that the object is for, with the wave size of its kernels."""
    name, _, features = code.target_id.partition(":")
    switches = [f"{part[-1]}{part[:-1]}" for part in features.split(":") if part]
    target = isa.load_target(name, ",".join(switches))
    size = _wave_size(code)
    if size and "FeatureGFX10Insts" in target.features and size != target.wavefront_size:
        switches += [f"+wavefrontsize{size}", f"-wavefrontsize{96 - size}"]
        target = isa.load_target(name, ",".join(switches))
    return target


def _wave_size(code: CodeObject) -> int:
    """Lanes of the waves of the first kernel with a descriptor; 0 for unknown."""
    for symbol in code.symbols:
        if symbol.name.endswith(_DESCRIPTOR) and isinstance(symbol.section, int):
            section = code.sections[symbol.section]
            at = code.value_in(section, symbol)
            properties = int.from_bytes(section.data[at + 56 : at + 58], "little")
            return 32 if properties >> 10 & 1 else 64
    return 0


class _Writer:
    """Writes one object; `lines` are the text so far."""

    def __init__(self, code: CodeObject) -> None:
        self.code = code
        self.target = load(code)
        self.decoder: Decoder = decoder_for(self.target)
        self.lines: list[str] = []
        self.origins: list[tuple[int, Origin]] = []
        self.kept: dict[str, bytes] = {}
        self.counts = dict(metadata.register_counts(code))
        self.late: list[str] = []  # directives that come after the descriptors

    def view(self, kernel: str) -> View:
        """All of it, or one kernel."""
        version = f"\t.amdhsa_code_object_version {self.code.version}" if self.code.version >= 4 else ""
        self.lines.append(f'\t.amdgcn_target "amdgcn-amd-amdhsa--{self.code.target_id}"')
        if version:
            self.lines.append(version)
        for index, section in enumerate(self.code.sections):
            if section.flags & Section.EXECUTABLE and section.data:
                self._code(index, section, kernel)
        for index, section in enumerate(self.code.sections):
            if not section.flags & Section.EXECUTABLE:
                self._data(index, section, kernel)
        self.lines += self.late
        for symbol in self.code.symbols:
            if symbol.section == "SHN_UNDEF" and not kernel:
                self._binding(symbol)
                self._visibility(symbol)
            if symbol.section == "SHN_ABS" and symbol.kind != "file" and not kernel:
                self._binding(symbol)
                self.lines.append(f"\t.set {_quoted(symbol.name)}, {symbol.value:#x}")
        text = "\n".join(self.lines) + "\n"
        return View(text.encode(), self.target.name, self.target.mattr, self.origins)

    # -- code ------------------------------------------------------------------------------------------------------

    def _code(self, index: int, section: Section, kernel: str) -> None:
        data = section.data
        symbols = self.code.by_section.get(index, [])
        start, end = 0, len(data)
        if kernel:
            found = next((symbol for symbol in symbols if symbol.name == kernel), None)
            if found is None:
                return
            start = self.code.value_in(section, found)
            end = min(start + found.size, end) if found.size else end
        self._section(section)
        if section.align > 1:
            self.lines.append(f"\t.p2align {section.align.bit_length() - 1}")
        labels = self._labels(section, symbols)
        relocations = self.code.relocations_in.get(index, {})
        at, decoded = 0, list(self.decoder.read_all(data))
        places = set()
        for each in decoded:
            places.add(at)
            at += each.size if each is not None else min(4, len(data) - at)
        targets = self._targets(decoded, len(data))
        for target in targets & places:
            labels.setdefault(target, []).append(f".L{section.address + target:x}")
        names = {place: found[0] for place, found in labels.items() if place in places}
        ends: dict[int, list[Symbol]] = {}
        for symbol in symbols:
            place = self.code.value_in(section, symbol)
            if symbol.size and start <= place < end:
                ends.setdefault(place + symbol.size, []).append(symbol)
        self._instructions(section, decoded, (start, end), symbols, names, labels, ends, relocations)

    def _labels(self, section: Section, symbols: Sequence[Symbol]) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for symbol in symbols:
            found.setdefault(self.code.value_in(section, symbol), []).append(_quoted(symbol.name))
        return found

    def _targets(self, decoded: Sequence["Decoded | None"], size: int) -> set[int]:
        """Where branches go."""
        found, at = set(), 0
        for each in decoded:
            if each is None:
                at += 4
                continue
            at += each.size
            if each.jump is not None and 0 <= at + each.jump < size:
                found.add(at + each.jump)
        return found

    def _instructions(
        self, section: Section, decoded: Sequence["Decoded | None"], extent: tuple[int, int],
        symbols: Sequence[Symbol], names: dict[int, str], labels: dict[int, list[str]], ends: dict[int, list[Symbol]],
        relocations: dict[int, Relocation],
    ) -> None:  # fmt: skip
        data, lines = section.data, self.lines
        by_place: dict[int, list[Symbol]] = {}
        for symbol in symbols:
            by_place.setdefault(self.code.value_in(section, symbol), []).append(symbol)
        own, own_start = "", 0
        at, zeros = 0, 0
        start, end = extent
        marks = labels.keys() | ends.keys()
        plain: dict[int, str] = {}  # of what is written alike wherever it is; `decoded` keeps the ids from being reused
        origins, shift = self.origins, section.offset - section.address
        for each in decoded:
            size = each.size if each is not None else min(4, len(data) - at)
            if start <= at < end:
                if at in marks:
                    zeros = self._zeros(section, at, zeros)
                    self._ends(ends.get(at, ()))
                    for symbol in by_place.get(at, ()):
                        self._declared(symbol)
                        if symbol.kind == "func":
                            own, own_start = symbol.name, at
                    lines += [f"{label}:" for label in labels.get(at, ())]
                line = plain.get(id(each))
                if line is None:
                    if each is not None and size == 4 and not any(data[at : at + 4]):
                        zeros += 1
                        at += size
                        continue
                    line = self._line(data[at : at + size], each, at + size, names, relocations)
                    if each is not None and each.jump is None and not relocations:
                        plain[id(each)] = line
                if zeros:
                    zeros = self._zeros(section, at, zeros)
                address = section.address + at
                origins.append((len(lines), Origin(address, address + shift, size, own, at - own_start)))
                lines.append(line)
            at += size
        self._zeros(section, min(at, end), zeros)
        self._ends(ends.get(min(at, end), ()))

    def _zeros(self, section: Section, at: int, count: int) -> int:
        """Write `count` words of zeros that end at a place, which no program runs."""
        if count:
            origin = Origin(section.address + at - 4 * count, section.offset + at - 4 * count, 4 * count)
            self.origins.append((len(self.lines), origin))
            self.lines.append(f"\t.fill {count}, 4, 0")
        return 0

    def _ends(self, symbols: Sequence[Symbol]) -> None:
        self.lines += [f"\t.size {_quoted(symbol.name)}, .-{_quoted(symbol.name)}" for symbol in symbols]

    def _line(
        self, code: bytes, found: "Decoded | None", end: int, names: dict[int, str], relocations: dict[int, Relocation]
    ) -> str:
        if found is None:
            return f"\t{_as_data(code)}"
        place = end - len(code)
        relocation = next((relocations[each] for each in range(place, end, 2) if each in relocations), None)
        if relocation is not None:
            return f"\t{_relocated(found.text, relocation) or _as_data(code)}"
        if found.jump is not None and end + found.jump in names:
            return f"\t{found.text.rpartition(' ')[0]} {names[end + found.jump]}"
        if self._assembled(found.text) != code:
            return f"\t{_as_data(code)} // {found.text}"
        return f"\t{found.text}"

    def _assembled(self, text: str) -> bytes:
        """What the assembler makes of an instruction."""
        code = self.kept.get(text)
        if code is None:
            statement = lines.parse_line(f"\t{text}".encode()).statements[0]
            code = self.kept[text] = assembler.assemble(self.target, statement, predefined.VERSION_CODES).code
        return code

    # -- data ------------------------------------------------------------------------------------------------------

    def _data(self, index: int, section: Section, kernel: str) -> None:
        if section.kind in _MADE_BY_LINKER or section.name in _LINKER_SECTIONS or section.name.startswith(".debug"):
            return
        if section.kind == "NOTE":
            self._note(section)
            return
        if not section.flags & Section.ALLOCATED or not section.size:
            return
        symbols = self.code.by_section.get(index, [])
        if kernel:
            symbols = [symbol for symbol in symbols if symbol.name == kernel + _DESCRIPTOR]
        places = {self.code.value_in(section, symbol) for symbol in symbols}
        places |= {self.code.value_in(section, symbol) + symbol.size for symbol in symbols}
        cuts = sorted({0, section.size, *(place for place in places if 0 <= place <= section.size)})
        started = False
        for start, end in pairwise(cuts):
            here = [symbol for symbol in symbols if self.code.value_in(section, symbol) == start]
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
            found = descriptors.directives(self.target, data, *self.counts.get(kernel, (None, None)))
        if found is not None:
            name = _quoted(kernel.removesuffix(_DESCRIPTOR))
            self.origins.append((len(self.lines), Origin(section.address + start, section.offset + start, end - start)))
            self.lines.append(f"\t.amdhsa_kernel {name}")
            self.lines += [f"\t\t.amdhsa_{field} {value}" for field, value in found]
            self.lines.append("\t.end_amdhsa_kernel")
            return
        for symbol in symbols:
            self._declared(symbol)
            self.lines.append(f"{_quoted(symbol.name)}:")
        if section.kind == "NOBITS":
            self.lines.append(f"\t.zero {end - start}")
        elif kernel and len(data) == fields.SIZE:
            name = _quoted(kernel.removesuffix(_DESCRIPTOR))
            self.lines.append(f"\t{_as_data(data[:16])}")
            self.lines.append(f"\t.quad {name}-{_quoted(kernel)}")
            self.lines.append(f"\t{_as_data(data[24:])}")
        else:
            self._bytes(index, section, start, end)
        for symbol in symbols:
            if symbol.size:
                self.lines.append(f"\t.size {_quoted(symbol.name)}, {symbol.size}")

    def _bytes(self, index: int, section: Section, start: int, end: int) -> None:
        """Data, with the symbols that relocations put into it."""
        relocations = self.code.relocations_in.get(index, {})
        cuts = sorted({start, end, *(at for place in relocations for at in (place, place + 8) if start < at < end)})
        for low, high in pairwise(cuts):
            relocation = relocations.get(low)
            if relocation is not None and relocation.kind in _DATA:
                directive, size = _DATA[relocation.kind]
                self.lines.append(f"\t{directive} {_sum(relocation, '')}")
            else:
                size = 0
            for at in range(low + size, high, 16):
                to = min(at + 16, high)
                self.origins.append((len(self.lines), Origin(section.address + at, section.offset + at, to - at)))
                self.lines.append(f"\t{_as_data(section.data[at:to])}")

    def _note(self, section: Section) -> None:
        text = metadata.yaml_text(section)
        if text is not None:
            self.lines += ["\t.amdgpu_metadata", "---", *text.splitlines(), "...", "\t.end_amdgpu_metadata"]
            return
        if section.flags & Section.ALLOCATED:
            self.lines.append(f'\t.section {section.name},"a",@note')
            self.lines += [f"\t{_as_data(section.data[at : at + 16])}" for at in range(0, section.size, 16)]

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
        self.lines.append(f'\t.section {_quoted(section.name)},"{flags}",{kind}{size}')

    def _declared(self, symbol: Symbol) -> None:
        """Binding, visibility and type of a symbol, before its label."""
        self._binding(symbol)
        self._visibility(symbol)
        if symbol.kind in _TYPES:
            self.lines.append(f"\t.type {_quoted(symbol.name)},{_TYPES[symbol.kind]}")

    def _visibility(self, symbol: Symbol) -> None:
        if symbol.visibility in ("hidden", "protected", "internal"):
            line = f"\t.{symbol.visibility} {_quoted(symbol.name)}"
            own = next((each for each in self.code.symbols if each.name == symbol.name + _DESCRIPTOR), None)
            # A descriptor's symbol takes its visibility from the kernel's, as far as it is known by then.
            (self.lines if own is None or own.visibility == symbol.visibility else self.late).append(line)

    def _binding(self, symbol: Symbol) -> None:
        if symbol.binding in ("global", "weak"):
            self.lines.append(f"\t.{'globl' if symbol.binding == 'global' else 'weak'} {_quoted(symbol.name)}")


_LITERAL = re.compile(r"(?:lit\()?0x[0-9a-f]+\)?(?!.*0x)")
_SUFFIXES = {
    1: "@abs32@lo", 2: "@abs32@hi", 4: "@rel32@lo", 6: "", 7: "@gotpcrel", 8: "@gotpcrel32@lo", 9: "@gotpcrel32@hi",
    10: "@rel32@lo", 11: "@rel32@hi",
}  # fmt: skip
_REL16 = 14
_DATA = {3: (".quad", 8), 6: (".long", 4)}
"""Relocations of data that are a symbol's value: the directive and its bytes."""


def _relocated(text: str, relocation: Relocation) -> str:
    """An instruction with the symbol in place of its literal or its distance; '' when it cannot be written."""
    if relocation.kind == _REL16:
        return f"{text.rpartition(' ')[0]} {_quoted(relocation.symbol)}"
    suffix = _SUFFIXES.get(relocation.kind)
    if suffix is None or _LITERAL.search(text) is None:
        return ""
    return _LITERAL.sub(lambda _: _sum(relocation, suffix), text)


def _sum(relocation: Relocation, suffix: str) -> str:
    addend = f"{relocation.addend:+d}" if relocation.addend else ""
    return f"{_quoted(relocation.symbol)}{suffix}{addend}"


def _quoted(name: str) -> str:
    return name if _NAME.match(name) else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _as_data(code: bytes) -> str:
    """Bytes as a directive: words as far as they go."""
    words = len(code) // 4
    if words and len(code) % 4 == 0:
        return ".long " + ", ".join(
            f"{int.from_bytes(code[at : at + 4], 'little'):#x}" for at in range(0, len(code), 4)
        )
    return ".byte " + ", ".join(f"{byte:#x}" for byte in code)

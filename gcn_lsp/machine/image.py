"""A program in the memory of the machine: its sections at addresses, linked, and its instructions by address."""

from collections.abc import Callable, Iterator

from gcn_lsp import isa
from gcn_lsp.analysis.machine.effects import Effects, Model, model_for
from gcn_lsp.instruction.model import Fixup, Instruction
from gcn_lsp.isa.operands.limits import LONGEST_CODE
from gcn_lsp.machine.memory import Memory, Space
from gcn_lsp.machine.operation import Bound, Inexecutable, bind
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.program import PlacedItem, Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import expressions
from gcn_lsp.syntax.expressions import PART, Address, MissingSymbol, Unresolved

BASE = 0x7E00_0000_0000
"""The address of the image: of its first section, or of the address 0 of a code object."""

_ALIGNMENT = 1 << 12
_NOT_LOADED = (".debug", ".note", ".comment", ".AMDGPU.")  # starts of the names of sections that are not in memory


class PlacedInstruction:
    """An instruction at its address.

    effects: see `analysis.machine.effects`; reads, writes, touches: of these.
    bound: what carries it out; None before its first execution.
    is_memory: it raises a counter, so its end is apart from its start.
    plain: nothing about it concerns the machine around the wave: no counter, wait, end or barrier.
    count: how often it was carried out.
    """

    __slots__ = (
        "address", "bound", "chunk", "code", "count", "effects", "index", "instruction", "is_memory", "mnemonic",
        "plain", "reads", "size", "touches", "writes",
    )  # fmt: skip

    def __init__(
        self, chunk: int, index: int, instruction: Instruction, address: int, code: bytes, effects: Effects
    ) -> None:
        self.chunk = chunk
        self.index = index
        self.instruction = instruction
        self.address = address
        self.code = code
        self.size = len(code) or instruction.size
        self.effects = effects
        self.mnemonic = instruction.form.mnemonic if instruction.form is not None else instruction.statement.word
        self.is_memory = bool(effects.events)
        is_barrier = "barrier" in self.mnemonic
        self.plain = not (effects.events or effects.waits or effects.flow == "end" or is_barrier)
        self.reads = effects.reads
        self.writes = effects.writes
        self.touches = effects.touches
        self.bound: Bound | Inexecutable | None = None
        self.count = 0

    def bind(self, target: isa.Target) -> "Bound | Inexecutable":
        """What carries it out."""
        if self.bound is None:
            self.bound = bind(self.instruction, target, self.code)
        return self.bound


class LoadedSection(NamedTuple):
    """A section of the image: its name, the address of its first byte, and its bytes."""

    name: str
    base: int
    data: bytes

    @property
    def is_code(self) -> bool:
        """Whether it holds instructions."""
        return self.name.startswith(_CODE)


_CODE = (".text", ".hsatext")
_NOP = 0xBF80_0000.to_bytes(4, "little")  # `s_nop 0`, on all targets


class Image:
    """The sections of a program at addresses, linked. steps: the instructions by address."""

    def __init__(self, program: Program, address_of: "Callable[[int], int | None] | None" = None) -> None:
        """address_of: of a code object, the address that a line of its text stands for; None for other files."""
        assert program.target is not None, "the target is known before a program is run"
        self.program = program
        self.target = program.target
        self.model: Model = model_for(program.target)
        self.sections: list[LoadedSection] = []
        self.steps: dict[int, PlacedInstruction] = {}
        self._bases = _bases(program, address_of)
        self._slots = self._indirect()
        self._undefined: dict[int, str] = {}  # the symbol without a definition that an instruction needs, by address
        for name, base in self._bases.items():
            data = bytearray(program.section_bytes(name))
            self._link(name, base, data)
            self.sections.append(LoadedSection(name, base, bytes(data)))
        if self._slots:
            addresses = [self.symbol(name) or 0 for name in self._slots]
            table = b"".join(address.to_bytes(8, "little") for address in addresses)
            self.sections.append(LoadedSection(".got", min(self._slots.values()), table))
        for section in self.sections:
            self._decode(section)

    def load(self, memory: Memory) -> None:
        """Put the sections into memory; code cannot be written."""
        for each in self.sections:
            space: Space = "code" if each.is_code else "global"
            memory.allocate(f"section {each.name}", space, each.data, base=each.base, is_read_only=each.is_code)

    def symbol(self, name: str) -> "int | None":
        """The address of a label; None if there is none of that name."""
        place = self.program.layout.address(name)
        return self._absolute(place) if place is not None else None

    def symbol_at(self, address: int) -> str:
        """The closest label before an address and the distance, `kernel+0x10`; empty if there is none."""
        best, name = -1, ""
        for label, place in self.program.layout.labels.items():
            at = self._absolute(place)
            if at is not None and best < at <= address and not label.startswith(".L"):
                best, name = at, label
        return (f"{name}+{address - best:#x}" if address > best else name) if name else ""

    def section_at(self, address: int) -> "LoadedSection | None":
        """The section that holds an address, or that ends there."""
        return next((each for each in self.sections if each.base <= address <= each.base + len(each.data)), None)

    def is_data(self, address: int) -> bool:
        """Whether a directive put the byte at an address there."""
        section = self.section_at(address)
        for _, index, chunk, offset in self._items(section.name) if section is not None else ():
            item, start = chunk.items[index], address - section.base - offset if section is not None else 0
            if 0 <= start < len(item.data):
                return item.kind == "data"
        return False

    def after_padding(self, address: int) -> int:
        """The address after the `s_nop` with which the assembler aligns code there; the same if there are none."""
        section = self.section_at(address)
        if section is None or not section.is_code or self._is_inside(address):
            return address
        end = section.base + len(section.data)
        while address < end and address not in self.steps:
            start = address - section.base
            if section.data[start : start + len(_NOP)] != _NOP or self.is_data(address):
                break
            address += len(_NOP)
        return address

    def _is_inside(self, address: int) -> bool:
        """Whether an address is in the middle of an instruction."""
        before = (self.steps.get(address - distance) for distance in range(4, LONGEST_CODE, 4))
        return any(step is not None and step.address + step.size > address for step in before)

    def placed(self, step: PlacedInstruction) -> PlacedItem:
        """The item of an instruction with its place in the source."""
        return self.program.placed(step.chunk, step.index)

    def _absolute(self, place: Address) -> "int | None":
        base = self._bases.get(expressions.section_of(place.section))
        return base + place.offset if base is not None else None

    def _items(self, name: str) -> Iterator[tuple[int, int, Chunk, int]]:
        """Chunk number, item number, chunk and offset of each item of a section."""
        starts = self.program.layout.starts
        for number, chunk in enumerate(self.program.chunks):
            names = [expressions.section_of(piece.section) == name for piece in chunk.pieces]
            if not any(names):
                continue
            for index, item in enumerate(chunk.items):
                if names[item.piece]:
                    yield number, index, chunk, starts[number][item.piece] + item.offset

    def _decode(self, section: LoadedSection) -> None:
        for number, index, chunk, offset in self._items(section.name):
            instruction = chunk.items[index].instruction
            if instruction is None:
                continue
            code = section.data[offset : offset + instruction.size]
            address = section.base + offset
            effects = self.model.of(instruction)
            step = self.steps[address] = PlacedInstruction(number, index, instruction, address, code, effects)
            if address in self._undefined:
                step.bound = Inexecutable(f"`{self._undefined[address]}` is defined nowhere in the file.")

    # Linking

    def _link(self, name: str, base: int, data: bytearray) -> None:
        """Fill in what the linker fills in: addresses in other sections, and distances to them."""
        for number, index, chunk, offset in self._items(name):
            item = chunk.items[index]
            for fixup in item.fixups or (item.instruction.fixups if item.instruction is not None else ()):
                self._relocate(fixup, number, index, data, base, offset)

    def _relocate(self, fixup: Fixup, number: int, index: int, data: bytearray, base: int, offset: int) -> None:
        place = offset + fixup.offset
        value = expressions.evaluate(fixup.expression, self._lookup(number, index, Address("", 0)))
        names = expressions.names_in(fixup.expression)
        specifiers = [name for name in names if "@" in name]
        may_be_of_lds = bool(specifiers) and fixup.kind != "branch" and not any("@rel" in name for name in names)
        if isinstance(value, Unresolved) and not may_be_of_lds:
            self._undefined[base + offset] = next(iter(names)).partition("@")[0]
        if not isinstance(value, Address):
            return
        address = self._absolute(value)
        if address is None:
            return
        size = _BYTES.get(fixup.kind, 4)
        words = specifiers[0].split("@") if specifiers else []
        if words and words[0] in self._slots and words[1].startswith(_INDIRECT):
            address += self._slots[words[0]] - (self.symbol(words[0]) or 0)
        if fixup.kind == "branch":
            instruction = self.program.chunks[number].items[index].instruction
            end = base + offset + (instruction.size if instruction is not None else 4)
            value_there = (address - end) >> 2
        elif specifiers or fixup.kind == "pcrel32":
            value_there = _specified(words[1:], address, base + place)
        else:
            value_there = address
        data[place : place + size] = (value_there & (1 << 8 * size) - 1).to_bytes(size, "little")

    def _indirect(self) -> dict[str, int]:
        """The symbols whose addresses the code reads from a table, each with its place in the table."""
        names: dict[str, None] = {}
        for chunk in self.program.chunks:
            for item in chunk.items:
                for fixup in item.instruction.fixups if item.instruction is not None else ():
                    for name in expressions.names_in(fixup.expression):
                        plain, _, kind = name.partition("@")
                        if kind.startswith(_INDIRECT):
                            names[plain] = None
        end = max((base + self.program.layout.sizes.get(name, 0) for name, base in self._bases.items()), default=BASE)
        table = -(-end // _ALIGNMENT) * _ALIGNMENT + _ALIGNMENT
        return {name: table + 8 * number for number, name in enumerate(names)}

    def _lookup(self, number: int, index: int, here: Address) -> "Callable[[str], int | Address | MissingSymbol]":
        layout, final = self.program.layout, self.program.final_state
        chunk = self.program.chunks[number]

        def lookup(name: str) -> "int | Address | MissingSymbol":
            plain = name.partition("@")[0]
            found: Address | int | None = layout.address(plain)
            if found is None and plain[:1].isdigit():
                found = layout.local_label(plain, chunk, index)
            if found is None:
                value = final.symbols.get(plain)
                found = value if type(value) is int else None
            return MissingSymbol(False) if found is None else found

        return lookup


_INDIRECT = "gotpcrel"
_BYTES = {"branch": 2, "data8": 1, "data16": 2, "data64": 8, "literal64": 8, "data128": 16}


def _specified(words: "list[str]", address: int, place: int) -> int:
    """The value of a symbol with `@rel32@lo` and the like, in bytes; `place` is the address of the field."""
    value = address if words and words[0].startswith("abs") else address - place
    return value >> 32 if "hi" in words else value


def _bases(program: Program, address_of: "Callable[[int], int | None] | None") -> dict[str, int]:
    """The address of each section that is in memory."""
    bases: dict[str, int] = {}
    names = dict.fromkeys(expressions.section_of(part.partition(PART)[0]) for part in program.layout.sizes)
    loaded = [name for name in names if not name.startswith(_NOT_LOADED)]
    if address_of is not None:
        for item in program.items():
            if item.section in loaded and item.section not in bases and item.item.kind in ("instruction", "data"):
                address = address_of(item.where.line)
                if address is not None:
                    bases[item.section] = BASE + address - item.offset
    after = max([BASE, *(base + program.layout.sizes.get(name, 0) for name, base in bases.items())])
    for name in loaded:
        if name not in bases:
            after = -(-after // _ALIGNMENT) * _ALIGNMENT
            bases[name] = after
            after += program.layout.sizes.get(name, 0) + _ALIGNMENT
    return bases

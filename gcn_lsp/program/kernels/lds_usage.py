"""Finds how far LDS instructions reach at least: the bytes that they access for every value of the address register.

An address counts from 0, so the instruction's offset is the minimum, unless the kernel adds or subtracts in the address
register: compilers fold offsets although the register may be negative. A constant that straight code before it moves
into the address register counts too. A chunk keeps the results for its stretches.
"""

from collections.abc import Iterable, Iterator

from gcn_lsp.flow.kept import once
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.isa.machine import register_results, roles
from gcn_lsp.isa.memory import lds_accesses
from gcn_lsp.isa.schema import Form
from gcn_lsp.patterns import regex
from gcn_lsp.program.chunk import Chunk, Item
from gcn_lsp.program.kernels.kernel_usage import KernelUsage, Stretch, of_chunk
from gcn_lsp.records import NamedTuple

_CONSTANT_MOVES = roles.mnemonics("move", file="v", bits=32)
_SUMS = regex(r"add|sub|mad|fma")
# Instructions that write vector registers not named by their operands.
_INDIRECT = register_results.counted_from("v") | roles.mnemonics("jump", "jump by", "call")


class Access(NamedTuple):
    """An access of LDS by an item: at least the bytes from `first` up to, but not including, `last`.

    register: the number of the address register. address: its value, None if it is not known.
    """

    item: Item
    first: int
    last: int
    register: int
    address: int | None


def beyond(used: KernelUsage, size: int) -> Iterator[tuple[Chunk, Access]]:
    """The accesses of a kernel that certainly reach beyond `size` bytes of LDS."""
    for chunk, stretches in used.parts:
        if _furthest(chunk) <= size:
            continue
        for stretch in stretches:
            furthest, accesses = _of_stretch(chunk, stretch)
            for access in accesses if furthest > size else ():
                if access.last > size and (access.address is not None or not _may_be_negative(used, access.register)):
                    yield chunk, access


def accesses(used: KernelUsage) -> Iterator[tuple[Chunk, Access]]:
    """The accesses of a kernel by an address in a VGPR."""
    for chunk, stretches in used.parts:
        for stretch in stretches:
            yield from ((chunk, access) for access in _of_stretch(chunk, stretch)[1])


def _may_be_negative(used: KernelUsage, register: int) -> bool:
    """Whether a kernel adds or subtracts in a vector register."""
    items = (
        item.instruction
        for chunk, stretches in used.parts
        for stretch in stretches
        for item in chunk.items[stretch.first : stretch.last]
    )
    return any(
        operand.file == "v" and operand.first <= register < operand.first + max(1, operand.count)
        for instruction in items
        if instruction is not None and instruction.form is not None and _SUMS.search(instruction.form.mnemonic)
        for operand in instruction.operands[:1]
    )


@once
def _furthest(chunk: Chunk) -> int:
    """How far a chunk reaches into LDS at most."""
    return max((_of_stretch(chunk, stretch)[0] for stretch in of_chunk(chunk).stretches), default=0)


def _of_stretch(chunk: Chunk, stretch: Stretch) -> tuple[int, tuple[Access, ...]]:
    known = of_chunk(chunk).lds
    found = known.get(stretch.first)
    if found is None:
        accesses = tuple(_accesses(chunk.items[stretch.first : stretch.last]))
        furthest = max((access.last for access in accesses), default=0)
        found = known[stretch.first] = (furthest, accesses)
    return found


def _accesses(items: Iterable[Item]) -> Iterator[Access]:
    constants: dict[int, int] = {}  # the contents of vector registers
    for item in items:
        instruction = item.instruction
        if instruction is None:
            continue
        form = instruction.form
        if form is None or form.mnemonic in _INDIRECT:
            constants.clear()
            continue
        if form.family == "DS" and (form.may_load or form.may_store):
            yield from _access(item, instruction, form, constants)
        if constants or form.mnemonic in _CONSTANT_MOVES:
            _follow(instruction, form, constants)


def _access(item: Item, instruction: Instruction, form: Form, constants: dict[int, int]) -> Iterator[Access]:
    operands = {operand.slot: operand for operand in instruction.operands}
    address, width = operands.get("addr"), lds_accesses.width(form.mnemonic)
    if address is None or address.file != "v" or not width or _number(operands.get("gds")):
        return
    base = constants.get(address.first)
    furthest = max(offsets(instruction, form)) + (base or 0)
    yield Access(item, furthest, furthest + width, address.first, base)


def offsets(instruction: Instruction, form: Form) -> tuple[int, ...]:
    """What an LDS instruction adds to its address register, in bytes: one offset, or two."""
    operands = {operand.slot: operand for operand in instruction.operands}
    if form.field("offset0") is not None and form.field("offset1") is not None:
        step = lds_accesses.offset_step(form.mnemonic)
        return tuple(step * _number(operands.get(name)) for name in ("offset0", "offset1"))
    return (_number(operands.get("offset")),)


def _number(operand: "Operand | None") -> int:
    return operand.value if operand is not None and type(operand.value) is int else 0


def _follow(instruction: Instruction, form: Form, constants: dict[int, int]) -> None:
    """Update the constants in vector registers for an instruction."""
    operands = {operand.slot: operand for operand in instruction.operands}
    for slot in form.slots:
        written = operands.get(slot.name) if slot.is_def else None
        if written is not None and written.file == "v":
            for number in range(written.first, written.first + max(1, written.count)):
                constants.pop(number, None)
    source, target = operands.get("src0"), operands.get("vdst")
    if form.mnemonic in _CONSTANT_MOVES and form.variant == "Default" and source is not None and target is not None:
        value = source.value
        if type(value) is int and source.kind in ("immediate", "literal") and 0 <= value < 1 << 32:
            constants[target.first] = value

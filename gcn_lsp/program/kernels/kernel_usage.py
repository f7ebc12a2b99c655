"""Finds the registers that each kernel's code names: the highest of each file, from the kernel's label to the next.

A kernel's code goes from its label to the label of another kernel, of a function, or of anything that other files may
use. A chunk keeps what its own instructions name, so after an edit one pass over the chunks is enough.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, Protocol

import msgspec

from gcn_lsp.flow.kept import latest, once
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import register_results, roles
from gcn_lsp.isa.schema import Form
from gcn_lsp.patterns import regex
from gcn_lsp.program.chunk import Chunk, Item
from gcn_lsp.records import NamedTuple

FILES = ("v", "a", "s")

_FUNCTION = regex(rb"^[ \t]*\.type[ \t]+([^\s,]+)[ \t]*,?[ \t]*[@%#\"]?function", re.MULTILINE)
# `.size f, .Lend-f`, as compilers write it.
_SIZE = regex(rb"^[ \t]*\.size[ \t]+([^\s,]+)[ \t]*,[ \t]*([.\w$]+)[ \t]*-[ \t]*\1(?![.\w$])", re.MULTILINE)
# Instructions that leave straight code for good, or write a register known only at run time.
_ENDS_OF_STRAIGHT_CODE = roles.mnemonics("branch always", "jump", "jump by", "call", "end")
_INDIRECT = register_results.counted_from("s")
_LOADS = "s_load_"
_CONSTANT_MOVES = roles.mnemonics("move", file="s", bits=32)
_MOST_MOVED = 0x7FFF  # of a number that both moves read alike
_SMRD_UNIT = 4  # the unit of offsets before gfx8, in bytes
_ENTRY_INSTRUCTIONS = 1000  # kernels load their arguments early


class Stretch(NamedTuple):
    """Instructions of one section between two labels: from item `first` of the chunk up to, but not including, `last`.

    label: the one before them; empty if they continue a stretch. counts: for each of `FILES` the highest register that
    they name, plus one.
    """

    label: str
    section: str
    first: int
    last: int
    counts: tuple[int, ...]


class Load(NamedTuple):
    """A scalar load at a constant offset from an address in the SGPRs `base` and `base + 1`.

    number: how many instructions come before it. size: the bytes that it loads.
    """

    item: Item
    base: int
    offset: int
    number: int
    size: int


class LoadedBytes(Protocol):
    """What a load loads: `size` bytes from `offset` on."""

    @property
    def offset(self) -> int:
        """The first byte."""
        ...

    @property
    def size(self) -> int:
        """How many there are."""
        ...


def covers(load: LoadedBytes, offset: int, size: int = 1) -> bool:
    """Whether a load loads all of some bytes."""
    return load.offset <= offset and offset + size <= load.offset + load.size


class Straight(NamedTuple):
    """What a stretch does to addresses in SGPRs as long as it runs straight on.

    loads: those from an address that the stretch has not written before. written: SGPRs it writes. instructions: their
    count. is_left: whether it jumps away for good.
    """

    loads: tuple[Load, ...]
    written: frozenset[int]
    instructions: int
    is_left: bool


class ChunkUsage(NamedTuple):
    """The registers named in a chunk. total: the highest of all stretches, if all are in one section, `section`.

    functions: the labels that `.type` declares as such. ends: the labels at which `.size` says that others end.

    straight: of the requested stretches, by their first item. lds: how far the requested stretches reach into LDS, and
    the accesses that `lds_usage` found in them.
    """

    stretches: tuple[Stretch, ...]
    labels: frozenset[str]
    functions: frozenset[str]
    ends: tuple[tuple[str, str], ...]
    section: str
    total: tuple[int, ...]
    straight: dict[int, Straight]
    lds: "dict[int, tuple[int, tuple[Any, ...]]]"


class KernelUsage(msgspec.Struct, frozen=True):
    """The registers that a kernel's code names. counts: as in `Stretch`. parts: its stretches, by chunk."""

    counts: tuple[int, ...]
    parts: tuple[tuple[Chunk, tuple[Stretch, ...]], ...]

    def first_beyond(self, file: str, limit: int) -> "tuple[Chunk, Item] | None":
        """The first instruction that names register `limit` of `file` or a higher one."""
        index = FILES.index(file)
        for chunk, stretches in self.parts:
            for stretch in stretches:
                if stretch.counts[index] > limit:
                    for item in chunk.items[stretch.first : stretch.last]:
                        if counts_of(item)[index] > limit:
                            return chunk, item
        return None

    def named_from(self, file: str, limit: int) -> set[int]:
        """The registers of `file` from number `limit` that the code names."""
        index = FILES.index(file)
        found: set[int] = set()
        for chunk, stretches in self.parts:
            for stretch in stretches:
                if stretch.counts[index] > limit:
                    for item in chunk.items[stretch.first : stretch.last]:
                        if counts_of(item)[index] > limit and item.instruction is not None:
                            for operand in item.instruction.operands:
                                if operand.kind == "register" and operand.file == file:
                                    found.update(range(max(limit, operand.first), operand.first + operand.count))
        return found


_NONE = (0,) * len(FILES)


class UsageGroup(NamedTuple):
    """What consecutive chunks name together. section: of all their code; empty if it is in several or there is none.

    parts: their stretches, by chunk. The rest is as in `ChunkUsage`.
    """

    section: str
    labels: frozenset[str]
    functions: frozenset[str]
    ends: tuple[tuple[str, str], ...]
    total: tuple[int, ...]
    parts: tuple[tuple[Chunk, tuple[Stretch, ...]], ...]


_GROUP_CHUNKS = 16


def groups_of(chunks: Sequence[Chunk]) -> Iterator[UsageGroup]:
    """The chunks of a program in groups; an edit changes only a few of them."""
    for first in range(0, len(chunks), _GROUP_CHUNKS):
        yield _group(chunks[first], tuple(chunks[first : first + _GROUP_CHUNKS]))


@latest
def _group(first: Chunk, chunks: tuple[Chunk, ...]) -> UsageGroup:
    # The result names its chunks, so it is not that of a copy of the first one, which has the same results.
    usages = [of_chunk(chunk) for chunk in chunks]
    with_code = [usage for usage in usages if usage.stretches]
    sections = {usage.section for usage in with_code}
    return UsageGroup(
        sections.pop() if len(sections) == 1 else "",
        frozenset().union(*(usage.labels for usage in usages)),
        frozenset().union(*(usage.functions for usage in usages)),
        tuple(pair for usage in usages for pair in usage.ends),
        reduce(_highest, (usage.total for usage in with_code), _NONE),
        tuple((chunk, usage.stretches) for chunk, usage in zip(chunks, usages, strict=True) if usage.stretches),
    )


def of_kernels(chunks: Sequence[Chunk], kernels: Collection[str], declared: Collection[str]) -> dict[str, KernelUsage]:
    """The registers used by each of `kernels` that has code; `declared` are names that other files may use."""
    groups = [*groups_of(chunks)]
    ends = frozenset(kernels).union(declared, *(group.functions for group in groups if group.functions))
    ends -= {""}  # a name that metadata lack; the label of a stretch that continues another
    found: dict[str, KernelUsage] = {}
    open_kernel, section = "", ""
    counts: tuple[int, ...] = _NONE
    parts: list[tuple[Chunk, tuple[Stretch, ...]]] = []
    for group in groups:
        if group.section and ends.isdisjoint(group.labels):
            if open_kernel and group.section == section:
                counts = _highest(counts, group.total)
                parts += group.parts
            continue
        for chunk, stretch in ((chunk, stretch) for chunk, stretches in group.parts for stretch in stretches):
            if stretch.label in ends:
                if open_kernel:
                    found.setdefault(open_kernel, KernelUsage(counts, tuple(parts)))
                open_kernel = stretch.label if stretch.label in kernels else ""
                section, counts, parts = stretch.section, _NONE, []
            if open_kernel and stretch.section == section:
                counts = _highest(counts, stretch.counts)
                parts.append((chunk, (stretch,)))
    if open_kernel:
        found.setdefault(open_kernel, KernelUsage(counts, tuple(parts)))
    return found


def code_labels(chunks: Sequence[Chunk], declared: Collection[str]) -> tuple[str, ...]:
    """The labels of functions and of what other files may use, in order; where there are none, the first label of code.

    Only labels in sections with instructions count, and none that an assembler keeps out of the symbol table.
    """
    groups = tuple(groups_of(chunks))
    parts = [(chunk, stretch) for group in groups for chunk, own in group.parts for stretch in own]
    functions = frozenset(declared).union(*(group.functions for group in groups))
    with_code = {
        stretch.section
        for chunk, stretch in parts
        if any(item.instruction is not None for item in chunk.items[stretch.first : stretch.last])
    }
    labels = [
        stretch.label
        for _, stretch in parts
        if stretch.section in with_code and stretch.label and not stretch.label.startswith(".L")
    ]
    named = [label for label in labels if not label.isdigit()]
    return tuple(dict.fromkeys(label for label in named if label in functions)) or tuple(named[:1])


def entry_loads(used: KernelUsage, base: int) -> Iterator[tuple[Chunk, Load]]:
    """The scalar loads from the address in SGPR `base`, from a kernel's label to the next, until `base` is written."""
    before = 0
    for number, (chunk, stretch) in enumerate((chunk, each) for chunk, stretches in used.parts for each in stretches):
        if number and stretch.label:
            return
        found = _straight(chunk, stretch)
        for load in found.loads:
            if load.base == base and before + load.number < _ENTRY_INSTRUCTIONS:
                yield chunk, load
        before += found.instructions
        if found.is_left or not found.written.isdisjoint((base, base + 1)) or before >= _ENTRY_INSTRUCTIONS:
            return


def _straight(chunk: Chunk, stretch: Stretch) -> Straight:
    known = of_chunk(chunk).straight
    found = known.get(stretch.first)
    if found is None:
        found = known[stretch.first] = _follow(chunk.items[stretch.first : stretch.last])
    return found


def load_of(item: Item) -> "Load | None":
    """The scalar load from SGPRs at a constant offset that an item is."""
    instruction = item.instruction
    form = instruction.form if instruction is not None else None
    if instruction is None or form is None or not form.mnemonic.startswith(_LOADS):
        return None
    return _load(item, form, {operand.slot: operand for operand in instruction.operands}, 0, {})


def _load(
    item: Item, form: Form, operands: Mapping[str, Operand], count: int, constants: Mapping[int, int]
) -> "Load | None":
    """The load of an instruction with a base in SGPRs and a constant offset, after `count` others.

    constants: what is in SGPRs that may be added, in bytes.
    """
    base, offset, relative = operands.get("sbase"), operands.get("offset"), operands.get("soffset")
    if base is None or base.file != "s" or (offset is None and relative is None):
        return None
    added = 0
    if relative is not None and relative.file != "null":
        known = constants.get(relative.first) if relative.file == "s" else None
        if known is None:
            return None
        added = known
    if offset is not None:
        if type(offset.value) is not int:
            return None
        added += offset.value * (_SMRD_UNIT if form.family == "SMRD" else 1)
    result = operands.get("sdst")
    return Load(item, base.first, added, count, 4 * result.count if result is not None else 0)


def _follow(items: Iterable[Item]) -> Straight:
    loads: list[Load] = []
    written: set[int] = set()
    constants: dict[int, int] = {}
    count = 0
    for item in items:
        instruction = item.instruction
        if instruction is None:
            continue
        form = instruction.form
        if form is None or form.mnemonic in _ENDS_OF_STRAIGHT_CODE or form.mnemonic in _INDIRECT:
            return Straight(tuple(loads), frozenset(written), count, True)
        operands = {operand.slot: operand for operand in instruction.operands}
        load = _load(item, form, operands, count, constants) if form.mnemonic.startswith(_LOADS) else None
        if load is not None and written.isdisjoint((load.base, load.base + 1)):
            loads.append(load)
        for slot in form.slots:
            operand = operands.get(slot.name) if slot.is_def else None
            if operand is not None and operand.file == "s":
                written.update(range(operand.first, operand.first + operand.count))
                for register in range(operand.first, operand.first + operand.count):
                    constants.pop(register, None)
        moved = _moved(form, operands)
        if moved is not None:
            constants[moved[0]] = moved[1]
        count += 1
    return Straight(tuple(loads), frozenset(written), count, False)


def _moved(form: Form, operands: Mapping[str, Operand]) -> "tuple[int, int] | None":
    """The SGPR and the number that an instruction moves into it, if it is one that adds to an address."""
    target = operands.get("sdst")
    if form.mnemonic not in _CONSTANT_MOVES or target is None or target.file != "s":
        return None
    source = operands.get("src0") or operands.get("ssrc0") or operands.get("simm16")
    value = source.value if source is not None and source.kind != "register" else None
    return (target.first, value) if type(value) is int and 0 <= value <= _MOST_MOVED else None


@once
def of_chunk(chunk: Chunk) -> ChunkUsage:
    """The registers that the code of a chunk names."""
    stretches = tuple(_stretches(chunk))
    sections = {stretch.section for stretch in stretches}
    total: tuple[int, ...] = _NONE
    for stretch in stretches:
        total = _highest(total, stretch.counts)
    text = b"\n".join(chunk.lines)
    # Search for the words first: nearly all chunks have neither, and patterns are ten times slower.
    declared = _FUNCTION.findall(text) if b".type" in text else ()
    sizes = _SIZE.findall(text) if b".size" in text else ()
    return ChunkUsage(
        stretches,
        frozenset(stretch.label for stretch in stretches),
        frozenset(map(_text, declared)),
        tuple((_text(name), _text(end)) for name, end in sizes),
        sections.pop() if len(sections) == 1 else "",
        total,
        {},
        {},
    )


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _stretches(chunk: Chunk) -> Iterator[Stretch]:
    label, section, first = "", "", 0
    counts: tuple[int, ...] = _NONE
    counted: set[int] = set()  # equal lines share instructions: each counts once
    for index, item in enumerate(chunk.items):
        if item.kind not in ("label", "instruction"):
            continue
        here = chunk.pieces[item.piece].section
        if item.kind == "label" or here != section:
            if section:
                yield Stretch(label, section, first, index, counts)
            label = item.statement.name if item.kind == "label" else ""
            section, first, counts = here, index, _NONE
            counted.clear()
        if item.instruction is not None and id(item.instruction) not in counted:
            counted.add(id(item.instruction))
            counts = _highest(counts, counts_of(item))
    if section:
        yield Stretch(label, section, first, len(chunk.items), counts)


def counts_of(item: Item) -> tuple[int, ...]:
    """For each of `FILES` the highest register that an instruction names, plus one."""
    instruction = item.instruction
    if instruction is None or instruction.form is None:
        return _NONE
    vectors = accumulators = scalars = 0
    for operand in instruction.operands:
        if operand.kind != "register":
            continue
        file, end = operand.file, operand.first + operand.count
        if file == "v":
            vectors = max(vectors, end)
        elif file == "s":
            scalars = max(scalars, end)
        elif file == "a":
            accumulators = max(accumulators, end)
    return vectors, accumulators, scalars


def _highest(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    for mine, theirs in zip(one, other, strict=True):
        if theirs > mine:
            return tuple(map(max, one, other))
    return one  # nearly always: most registers were named before

"""Kernel descriptors as values: the blocks of a program, the values of their fields, and the resulting resources.

A `Block` contains no absolute line, so it is kept over edits with its chunk; `Resources` depend only on the target and
the written values. `Program.kernels` combines both with their places.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.isa.kernels import descriptor as isa_descriptor
from gcn_lsp.preproc.provenance import Written
from gcn_lsp.preproc.state import Deferred, SymbolValue
from gcn_lsp.program.chunk import Chunk, ChunkProblem, DescriptorLine
from gcn_lsp.program.kernels import descriptor
from gcn_lsp.program.layout import MAX_LATE
from gcn_lsp.syntax import expressions, nodes, operands
from gcn_lsp.syntax.expressions import Missing
from gcn_lsp.text import Location

OPENING, ENDING = ".amdhsa_kernel", ".end_amdhsa_kernel"
HEADER_OPENING, HEADER_ENDING = ".amd_kernel_code_t", ".end_amd_kernel_code_t"

# The inputs in SGPRs, in the order in which the hardware and the loader fill them (AMDGPUUsage, "Initial Kernel
# Execution State"). Preloaded kernel arguments follow the user SGPRs here.
KERNARG_POINTER = "kernarg segment pointer"
DISPATCH_POINTER = "dispatch packet pointer"
PRELOADED = "preloaded kernel arguments"
_PRELOAD = "user_sgpr_kernarg_preload_length"
_WORK_GROUP_IDS = ("system_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_y", "system_sgpr_workgroup_id_z")
_SYSTEM = (*_WORK_GROUP_IDS, "system_sgpr_workgroup_info", "system_sgpr_private_segment_wavefront_offset")
_TITLES: Mapping[str, str] = {
    "user_sgpr_private_segment_buffer": "private segment buffer",
    "user_sgpr_dispatch_ptr": DISPATCH_POINTER,
    "user_sgpr_queue_ptr": "queue pointer",
    "user_sgpr_kernarg_segment_ptr": KERNARG_POINTER,
    "user_sgpr_dispatch_id": "dispatch id",
    "user_sgpr_flat_scratch_init": "flat scratch init",
    "user_sgpr_private_segment_size": "private segment size",
    _PRELOAD: PRELOADED,
    "system_sgpr_workgroup_id_x": "work-group id x",
    "system_sgpr_workgroup_id_y": "work-group id y",
    "system_sgpr_workgroup_id_z": "work-group id z",
    "system_sgpr_workgroup_info": "work-group info",
    "system_sgpr_private_segment_wavefront_offset": "scratch wave offset",
}


# The fields of a descriptor with those of a header that mean the same, and those whose SGPRs a header counts itself.
_OF_HEADER = {
    "next_free_vgpr": "workitem_vgpr_count",
    "next_free_sgpr": "wavefront_sgpr_count",
    "group_segment_fixed_size": "workgroup_group_segment_byte_size",
    "private_segment_fixed_size": "workitem_private_segment_byte_size",
    "wavefront_size32": "enable_wavefront_size32",
}
_RESERVED = ("reserve_vcc", "reserve_flat_scratch", "reserve_xnack_mask")

Place = tuple[Chunk, DescriptorLine]
FieldValues = tuple[tuple[str, "int | None"], ...]


class Block:
    """The lines of an `.amdhsa_kernel` block, each with its chunk: the opening one, fields, and the ending one.

    is_closed: whether the last line is the ending one. strays: statements in it that are not fields. written: the
    fields, the first of each name, with their values; is_late: some have a value only at the end of the program.
    repeated: fields that occur earlier in it.
    """

    __slots__ = ("lines", "is_closed", "strays", "name", "fields", "written", "repeated", "is_late", "known")

    def __init__(self, lines: tuple[Place, ...], is_closed: bool, strays: tuple[Place, ...] = ()) -> None:
        self.lines = lines
        self.is_closed = is_closed
        self.strays = strays
        self.name = lines[0][1].kernel
        self.fields = lines[1:-1] if is_closed else lines[1:]
        written: dict[str, int | None] = {}
        repeated = []
        for place in self.fields:
            name = field_name(place[1])
            if name in written:
                repeated.append(place)
            else:
                written[name] = place[1].value
        self.repeated = tuple(repeated)
        self.written: FieldValues = tuple(written.items())
        self.is_late = None in written.values()
        self.known: Judgement | None = None

    def line_of(self, name: str) -> Place:
        """The line of a field (without the prefix); the opening line if it is not written."""
        return next((place for place in self.fields if field_name(place[1]) == name), self.lines[0])


def field_name(line: DescriptorLine) -> str:
    """The field that a line sets, without the prefix."""
    return line.statement.word.removeprefix(isa_descriptor.PREFIX)


def blocks(chunks: Sequence[Chunk]) -> tuple[Block, ...]:
    """The descriptor blocks in order. A chunk keeps those that lie entirely in it."""
    found: list[Block] = []
    opened: list[Place] = []
    opened_in = 0
    for number, chunk in enumerate(chunks):
        if not chunk.descriptors:
            continue
        if not opened and chunk.kernels is not None:
            found += chunk.kernels
            continue
        own, first = not opened, len(found)
        for line in chunk.descriptors:
            word = line.statement.word
            if word == OPENING:
                if opened:
                    found.append(Block(tuple(opened), False))
                opened, opened_in = [(chunk, line)], number
            elif opened:
                opened.append((chunk, line))
                if word == ENDING:
                    found.append(Block(tuple(opened), True, tuple(_strays(opened, chunks[: number + 1], opened_in))))
                    opened = []
        if own and not opened and all(place[0] is chunk for block in found[first:] for place in block.strays):
            chunk.kernels = tuple(found[first:])
    if opened:
        found.append(Block(tuple(opened), False))
    return tuple(found)


def _strays(lines: Sequence[Place], chunks: Sequence[Chunk], opened_in: int) -> Iterator[Place]:
    """The statements between the first and the last of `lines` that are not fields, if these are in the main file.

    The assembler reads nothing but fields there, not even conditionals. `opened_in` is the number of the first one's
    chunk, the last of `chunks` has the last one.
    """
    opening, ending = lines[0][1].written, lines[-1][1].written
    if opening.container is not None or ending.container is not None:
        return
    # In a repetition from an earlier chunk, lines are counted backward from the chunk in which it ends.
    first, number = opening.line + 1, opened_in
    while first < 0:
        number -= 1
        first += len(chunks[number].lines)
    end = sum(len(chunk.lines) for chunk in chunks[number:-1]) + ending.line
    for chunk in chunks[number:]:
        for line in range(first, min(end, len(chunk.lines))):
            for statement in chunk.line(line).statements:
                if not statement.word.startswith(isa_descriptor.PREFIX):
                    yield chunk, DescriptorLine(lines[0][1].kernel, statement, Written(None, line, None, line))
        first = 0
        end -= len(chunk.lines)


def written(block: Block, symbols: "Mapping[str, SymbolValue]") -> FieldValues:
    """The fields of a block with their values; `symbols` gives those that are known late."""
    if not block.is_late:
        return block.written
    return tuple(
        (name, _late_value(block.line_of(name)[1], symbols) if value is None else value)
        for name, value in block.written
    )


def _late_value(line: DescriptorLine, symbols: "Mapping[str, SymbolValue]") -> "int | None":
    """The value of a field whose symbols are set only after the block, possibly by symbols set even later."""
    statement = line.statement
    return _evaluated(operands.parse_expression(statement.line, statement.rest_start, statement.end), symbols)


def _evaluated(node: nodes.Node, symbols: "Mapping[str, SymbolValue]") -> "int | None":
    followed: list[str] = []

    def lookup(name: str) -> "int | Missing":
        value = symbols.get(name)
        if isinstance(value, Deferred) and len(followed) < MAX_LATE:
            followed.append(name)
            found = expressions.evaluate(value.expression, lookup)
            return found if type(found) is int else Missing(False)
        return value if type(value) is int else Missing(False)

    value = expressions.evaluate(node, lookup)
    return value if type(value) is int else None


class Input(msgspec.Struct, frozen=True):
    """A value that the hardware puts into registers before the first instruction.

    title: `kernarg segment pointer`. file: `s`, `v` or `ttmp`. bits: its place if it is only a part of the register.
    """

    title: str
    file: str
    first: int
    count: int
    bits: str = ""


class Resources(msgspec.Struct, frozen=True):
    """The resources of a kernel. None is a number that depends on a symbol without a value.

    values: of every field that the target has. vgprs, agprs, sgprs: how many the code may name. total_vgprs: of a wave,
    with AGPRs if they share the file. vgpr_blocks, sgpr_blocks: as in the descriptor. reserved_sgprs: for VCC,
    FLAT_SCRATCH, XNACK_MASK after `sgprs`. user_sgprs: their count. inputs: the contents of registers at the start.
    waves: how many fit on a SIMD by `VGPRs`, `SGPRs` and `wave slots`, the upper limit.
    """

    target: isa.Target
    values: "Mapping[str, int | None]"
    wavefront_size: int
    vgprs: int | None
    agprs: int | None
    sgprs: int | None
    total_vgprs: int | None
    allocated_vgprs: int | None
    vgpr_blocks: int | None
    allocated_sgprs: int | None
    sgpr_blocks: int | None
    reserved_sgprs: int | None
    user_sgprs: int | None
    inputs: tuple[Input, ...]
    lds: int | None
    scratch: int | None
    waves: "Mapping[str, int]"

    @property
    def occupancy(self) -> "int | None":
        """Waves that fit on a SIMD by registers; None if a count is not known."""
        known = self.total_vgprs is not None and self.sgprs is not None
        return min(self.waves.values()) if known else None

    @property
    def limits(self) -> tuple[str, ...]:
        """The resources that limit the waves: the names in `waves` with the lowest value."""
        least = min(self.waves.values())
        return tuple(name for name, count in self.waves.items() if count == least)

    def waves_by_lds(self, work_items: int) -> "int | None":
        """Waves that fit on a SIMD by LDS, for work-groups of `work_items`."""
        if self.lds is None:
            return None
        return allocation.waves_by_lds(
            self.lds,
            work_items,
            wave32=self.wavefront_size == 32,
            work_groups=bool(self.values.get("workgroup_processor_mode")),
            target=self.target,
        )


@lru_cache(maxsize=1024)
def resources(target: isa.Target, fields: FieldValues) -> Resources:
    """The resources of a kernel whose descriptor has these fields."""
    values = descriptor.all_values(target, dict(fields))
    features = target.features
    wave32 = descriptor.is_wave32(target, values)
    limits = allocation.units(features, wave32=wave32)
    total, named_sgprs = values["next_free_vgpr"], values["next_free_sgpr"]
    reserved = descriptor.reserved_sgprs(target, values)
    asked = None if named_sgprs is None or reserved is None else descriptor.encoded_sgprs(target, values)
    vgprs, agprs = _shares(target, values, total)
    waves = {"wave slots": limits.waves}
    if total is not None:
        waves["VGPRs"] = allocation.waves_by_vgprs(total, limits)
    if asked is not None:
        waves["SGPRs"] = allocation.waves_by_sgprs(asked, features, limits)
    return Resources(
        target=target,
        values=values,
        wavefront_size=32 if wave32 else 64,
        vgprs=vgprs,
        agprs=agprs,
        sgprs=named_sgprs if limits.sgpr else limits.sgprs,
        total_vgprs=total,
        allocated_vgprs=None if total is None else -(-max(total, 1) // limits.vgpr) * limits.vgpr,
        vgpr_blocks=None if total is None else descriptor.blocks(total, limits.vgpr_encoding),
        allocated_sgprs=None if asked is None else allocation.allocated_sgprs(asked, features),
        sgpr_blocks=0 if not limits.sgpr else None if asked is None else descriptor.blocks(asked, limits.sgpr_encoding),
        reserved_sgprs=reserved,
        user_sgprs=values.get("user_sgpr_count"),
        inputs=tuple(_inputs(target, values)),
        lds=values.get("group_segment_fixed_size"),
        scratch=values.get("private_segment_fixed_size"),
        waves=waves,
    )


class Judgement(NamedTuple):
    """The result for a block on a target: the problems of its fields taken together, and its resources."""

    target: isa.Target
    mistakes: tuple[descriptor.Mistake, ...]
    resources: Resources


def judge(block: Block, target: isa.Target, symbols: "Mapping[str, SymbolValue]") -> Judgement:
    """The judgement of a block, kept with the block."""
    known = block.known
    if known is None or known.target is not target or block.is_late:
        known = block.known = _judged(target, written(block, symbols))
    return known


@lru_cache(maxsize=1024)
def _judged(target: isa.Target, fields: FieldValues) -> Judgement:
    return Judgement(target, tuple(descriptor.mistakes(target, dict(fields))), resources(target, fields))


def _shares(target: isa.Target, values: "Mapping[str, int | None]", total: "int | None") -> tuple[int | None, ...]:
    """How many VGPRs and AGPRs the code may name."""
    if "accum_offset" in values:  # one file: the AGPRs begin at the offset
        accum = values["accum_offset"]
        return accum, None if accum is None or total is None else max(total - accum, 0)
    return total, total if target.has_accvgprs else 0  # two files of one size


def _inputs(target: isa.Target, values: "Mapping[str, int | None]") -> Iterator[Input]:
    fields = isa_descriptor.directives(target.features)
    first = 0
    for name, title in _TITLES.items():
        field = fields.get(name)
        if field is None or name in _SYSTEM:
            continue
        value = values[name]
        if value is None:
            return  # the place of what follows is not known
        count = value if field.user_sgprs < 0 else field.user_sgprs if value else 0
        if count:
            yield Input(title, "s", first, count)
        first += count
    yield from _system_inputs(target, values)
    yield from _work_item_ids(target, values.get("system_vgpr_workitem_id"))


def _system_inputs(target: isa.Target, values: "Mapping[str, int | None]") -> Iterator[Input]:
    first = values.get("user_sgpr_count")
    in_ttmps = target.has_ids_in_ttmps
    if in_ttmps:
        yield Input(_TITLES[_WORK_GROUP_IDS[0]], "ttmp", 9, 1)
        yield Input(_TITLES[_WORK_GROUP_IDS[1]], "ttmp", 7, 1, "15:0")
        yield Input(_TITLES[_WORK_GROUP_IDS[2]], "ttmp", 7, 1, "31:16")
    for name in _SYSTEM:
        value = values.get(name, 0)
        if value is None or first is None:
            return
        if value and not (in_ttmps and name in _WORK_GROUP_IDS):
            yield Input(_TITLES[name], "s", first, 1)
            first += 1


def _work_item_ids(target: isa.Target, value: "int | None") -> Iterator[Input]:
    packed = target.has_packed_work_item_ids
    for number, axis in enumerate("xyz"):
        if value is not None and number <= value:
            bits = f"{10 * number + 9}:{10 * number}" if packed else ""
            yield Input(f"work-item id {axis}", "v", 0 if packed else number, 1, bits)


class Field(NamedTuple):
    """A written field: the directive, its value (None: not known), its place, and the place of its value.

    movable: whether the text at `argument` belongs to the field, not to a macro argument.
    """

    word: str
    value: int | None
    where: Location
    argument: Location
    movable: bool


class KernelDescriptor(msgspec.Struct, frozen=True):
    """An `.amdhsa_kernel` block: its name, its start, its fields in order, and what follows from them.

    where: the opening line's statement. resources: None if the target is not known.
    """

    name: str
    where: Location
    fields: tuple[Field, ...]
    resources: "Resources | None" = None

    def field(self, name: str) -> "Field | None":
        """A written field by its name without the prefix."""
        return next((field for field in self.fields if field.word == isa_descriptor.PREFIX + name), None)


def code(target: "isa.Target | None", fields: FieldValues) -> bytes:
    """The bytes of a descriptor without the entry's offset, which the linker fills in; zeros without a target."""
    return bytes(isa_descriptor.SIZE) if target is None else descriptor.encode(target, dict(fields))


def headers(chunks: Iterable[Chunk], symbols: "Mapping[str, SymbolValue]") -> Iterator[Mapping[str, int]]:
    """The fields of every closed `.amd_kernel_code_t` block, in order; `symbols` gives late values."""
    fields: dict[str, int] = {}
    for chunk in chunks:
        for name, written in chunk.headers:
            if not name:
                yield fields
                fields = {}
                continue
            value = _evaluated(written, symbols) if isinstance(written, nodes.Node) else written
            if value is not None:
                fields[name] = value


def header_resources(target: isa.Target, fields: "Mapping[str, int]") -> Resources:
    """The resources of a kernel with such a header, whose count of SGPRs includes the reserved ones."""
    known = {ours: fields.get(theirs, 0) for ours, theirs in _OF_HEADER.items()}
    # Where AGPRs share the file of VGPRs, all are VGPRs: headers are from before that.
    own = -(-max(known["next_free_vgpr"], 1) // 4) * 4
    return resources(target, (*known.items(), *((name, 0) for name in _RESERVED), ("accum_offset", own)))


def ending_items(chunks: Sequence[Chunk], word: str) -> Iterator[tuple[int, int]]:
    """The chunk and item number of the bytes of every block that ends with `word`, in order."""
    for number, chunk in enumerate(chunks):
        if chunk.descriptors or chunk.headers:
            for index, item in enumerate(chunk.items):
                if item.kind == "data" and item.statement.word == word:
                    yield number, index


def problems(
    found: Iterable[Block], target: "isa.Target | None", symbols: "Mapping[str, SymbolValue]"
) -> Iterator[tuple[Chunk, ChunkProblem]]:
    """Problems of whole blocks, each with its chunk: repeated fields, and fields that do not fit together."""
    names: set[str] = set()
    for block in found:
        if block.name in names:
            yield _at_line(block.lines[0], f"kernel `{block.name}` already has a descriptor", whole=True)
        names.add(block.name)
        for place in block.strays:
            yield _at_line(place, "a kernel descriptor can hold only `.amdhsa_` fields", whole=True)
        for place in block.repeated:
            yield _at_line(place, f"`{place[1].statement.word}` is given twice in this block", whole=True)
        if target is None or not block.is_closed:
            continue
        if block.is_late:
            yield from _too_late(block, target, symbols)
        for mistake in judge(block, target, symbols).mistakes:
            place = block.line_of(mistake.field) if mistake.field else block.lines[0]
            yield _at_line(place, mistake.message, whole=place is block.lines[0])


def _too_late(
    block: Block, target: isa.Target, symbols: "Mapping[str, SymbolValue]"
) -> Iterator[tuple[Chunk, ChunkProblem]]:
    """Fields that others depend on, with a value that is set only after the block."""
    fields = isa_descriptor.directives(target.features)
    for name, value in block.written:
        if value is None and name in fields and (fields[name].user_sgprs or name in _AT_ONCE):
            place = block.line_of(name)
            if _late_value(place[1], symbols) is not None:
                word = place[1].statement.name
                message = f"`{word}` needs its value here; a symbol in it is set only after this line"
                yield _at_line(place, message, whole=False)


_AT_ONCE = ("user_sgpr_count", "user_sgpr_kernarg_preload_offset", "wavefront_size32", "shared_vgpr_count")


def _at_line(place: Place, message: str, *, whole: bool) -> tuple[Chunk, ChunkProblem]:
    chunk, line = place
    statement = line.statement
    start = statement.start if whole else statement.rest_start
    problem = Problem(descriptor.RULE, start, statement.end, message)
    return chunk, ChunkProblem(problem, line.written, statement.line)

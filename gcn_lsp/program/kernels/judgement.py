"""What follows from a kernel descriptor as a whole: its resources, and problems of fields taken together."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.flow.kept import latest
from gcn_lsp.instruction.model import Problem
from gcn_lsp.isa.kernels import descriptor as isa_descriptor
from gcn_lsp.preproc.state import SymbolValue
from gcn_lsp.program.chunk import Chunk, ChunkProblem
from gcn_lsp.program.kernels import descriptor, resources
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock, Place, late_value, written
from gcn_lsp.program.kernels.resources import FieldValues, Resources
from gcn_lsp.records import NamedTuple

_AT_ONCE = ("user_sgpr_count", "user_sgpr_kernarg_preload_offset", "wavefront_size32", "shared_vgpr_count")


class Judgement(NamedTuple):
    """The result for a block on a target: the problems of its fields taken together, and its resources."""

    target: isa.Target
    mistakes: tuple[descriptor.DescriptorMistake, ...]
    resources: Resources


def judge(block: DescriptorBlock, target: isa.Target, symbols: "Mapping[str, SymbolValue]") -> Judgement:
    """The judgement of a block, kept with the block if its values do not depend on what follows it."""
    return _judged(target, written(block, symbols)) if block.is_late else _of_block(block, target)


@latest
def _of_block(block: DescriptorBlock, target: isa.Target) -> Judgement:
    return _judged(target, block.written)


@lru_cache(maxsize=1024)
def _judged(target: isa.Target, fields: FieldValues) -> Judgement:
    return Judgement(target, tuple(descriptor.mistakes(target, dict(fields))), resources.of(target, fields))


def problems(
    found: Iterable[DescriptorBlock], target: "isa.Target | None", symbols: "Mapping[str, SymbolValue]"
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
    block: DescriptorBlock, target: isa.Target, symbols: "Mapping[str, SymbolValue]"
) -> Iterator[tuple[Chunk, ChunkProblem]]:
    """Fields that others depend on, with a value that is set only after the block."""
    fields = isa_descriptor.directives(target.features)
    for name, value in block.written:
        if value is None and name in fields and (fields[name].user_sgprs or name in _AT_ONCE):
            place = block.line_of(name)
            if late_value(place[1], symbols) is not None:
                word = place[1].statement.name
                message = f"`{word}` needs its value here; a symbol in it is set only after this line"
                yield _at_line(place, message, whole=False)


def _at_line(place: Place, message: str, *, whole: bool) -> tuple[Chunk, ChunkProblem]:
    chunk, line = place
    statement = line.statement
    start = statement.start if whole else statement.rest_start
    problem = Problem(descriptor.RULE, start, statement.end, message)
    return chunk, ChunkProblem(problem, line.written, statement.line)

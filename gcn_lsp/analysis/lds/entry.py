"""The words in registers at a kernel's start, as far as addresses of LDS depend on them, and its work-group's size.

Facts: AMDGPUUsage, "Initial Kernel Execution State"; TTMP8 has the number of the wave in its bits 29:25 from gfx12.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import prod

from gcn_lsp.analysis.control import kernels
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.lds import words
from gcn_lsp.analysis.lds.regions import WorkGroup
from gcn_lsp.analysis.lds.words import Sharing, Word
from gcn_lsp.analysis.machine import registers
from gcn_lsp.isa.operands import limits
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.kernels.inputs import Input
from gcn_lsp.program.kernels.metadata_tree import Node
from gcn_lsp.program.kernels.resources import Resources
from gcn_lsp.program.program import Program

_FEWEST_WAVES = 2  # of a work-group whose size is not stated: a kernel that needs no barrier has none
_ID_BITS = 0x3FF
_WAVE_SHIFT, _WAVE_BITS = 25, 0x1F
_AXES = "xyz"
_ELEMENTS = (4, 8, 16)  # bytes: what one access of a work-item takes

Known = dict[int, Word]  # by the bit of the register


class Entry:
    """A place where waves start: its node, the words known there, and the size of a work-group.

    is_required: whether the kernel requires that size; otherwise it is the least one of several waves. is_compiled:
    whether a compiler wrote its metadata; then a barrier does not say that there are several waves. most: the
    work-items that the metadata allow, or of one wave without any; 0 where they allow as many as there can be. name: of
    the kernel. lds: bytes that it requests in its descriptor.
    known_of: the words of a work-group of another size.
    """

    __slots__ = ("group", "is_compiled", "is_required", "known", "known_of", "lds", "most", "name", "node")

    def __init__(
        self,
        node: int,
        known: Known,
        group: WorkGroup,
        name: str = "",
        *,
        is_required: bool = False,
        is_compiled: bool = False,
        most: int = 0,
        lds: int = 0,
        known_of: "Callable[[WorkGroup], Known] | None" = None,
    ) -> None:
        self.node = node
        self.known = known
        self.group = group
        self.name = name
        self.is_required = is_required
        self.is_compiled = is_compiled
        self.most = most
        self.lds = lds
        self.known_of = known_of


def of(program: Program, graph: Graph) -> Iterator[Entry]:
    """The kernels of a program; of a file without any, the beginnings of its code."""
    found = kernels.entries(program, graph)
    wave = graph.model.target.wavefront_size
    blocks = {block.name: block for block in program.closed_blocks}
    described: dict[str, list[Node]] = {}
    for each in metadata.described(program.metadata_so_far):
        described.setdefault(each.name, []).append(each.kernel)
    for name, node in found.items():
        block = blocks.get(name)
        judgement = program.judgement(block) if block is not None else None
        resources = judgement.resources if judgement is not None else None
        lanes = resources.wavefront_size if resources is not None else wave
        maps = described.get(name, [])
        size, dimensions = _size(maps, lanes)
        group = WorkGroup(size, lanes)
        known = _known(graph, resources, group, dimensions)
        yield Entry(
            node,
            known,
            group,
            name,
            is_required=dimensions is not None,
            is_compiled=any(map(metadata.is_compiled, maps)),
            most=_most(maps, lanes),
            lds=(resources.lds or 0) if resources is not None else 0,
            known_of=partial(_known, graph, resources, dimensions=dimensions),
        )
    if not found:
        for node in graph.entries:
            yield Entry(node, {}, WorkGroup(_FEWEST_WAVES * wave, wave))


def of_full_size(start: Entry) -> "Entry | None":
    """A kernel with work-groups of the largest size, if its LDS has just an element for each of these work-items."""
    size, more = start.group.size, start.most
    if start.is_required or start.is_compiled or start.known_of is None or more <= size or more % start.group.wave:
        return None
    if start.lds not in (each * more for each in _ELEMENTS):
        return None
    group = start.group._replace(size=more)
    return Entry(
        start.node, start.known_of(group), group, start.name, most=more, lds=start.lds, known_of=start.known_of
    )


def _size(maps: Iterable[Node], wave: int) -> tuple[int, "tuple[int, ...] | None"]:
    """The size of a kernel's work-groups, or how many work-items they have at least, and their dimensions if stated.

    The metadata state the largest size of a launch, which AITER's kernels for 256 work-items have as 512 and 1,024.
    """
    for each in maps:
        required = each.get(".reqd_workgroup_size")
        numbers = [number for item in required.items or () if (number := item.number)] if required is not None else []
        if len(numbers) == len(_AXES) and min(numbers) > 0 and prod(numbers) <= limits.WORK_GROUP:
            return prod(numbers), tuple(numbers)
        most = each.get(".max_flat_workgroup_size")
        if most is not None and most.number and most.number > 0:
            return min(most.number, _FEWEST_WAVES * wave), None
    return _FEWEST_WAVES * wave, None


def _most(maps: Sequence[Node], wave: int) -> int:
    """The largest size of a launch that the metadata of a kernel state, 0 for the largest of all; without metadata one
    wave of `wave` work-items, since hardly anybody launches less.
    """
    if not maps:
        return wave
    most = maps[0].get(".max_flat_workgroup_size")
    return most.number if most is not None and most.number and 0 < most.number < limits.WORK_GROUP else 0


def _known(
    graph: Graph, resources: "Resources | None", group: WorkGroup, dimensions: "tuple[int, ...] | None"
) -> Known:
    found: Known = {}
    if resources is None:
        return found
    ids = [each for each in resources.inputs if each.file == "v"]
    for each in ids:
        register = _register("v", each.first)
        word = _id(each, group, dimensions, len(ids))
        before = found.get(register)
        found[register] = word if before is None else words.applied("|", before, word)
    if graph.model.target.has_ids_in_ttmps:
        waves = tuple(number // group.wave << _WAVE_SHIFT for number in range(group.size))
        rest = words.unknown("ttmp8", Sharing.WORK_GROUP, ~(_WAVE_BITS << _WAVE_SHIFT) & 0xFFFF_FFFF)
        found[_register("ttmp", 8)] = words.of(waves, rest.terms)
    return found


def _id(each: Input, group: WorkGroup, dimensions: "tuple[int, ...] | None", count: int) -> Word:
    """The work-item id along one axis, in its place in the register."""
    axis = _AXES.index(each.title[-1])
    shift = int(each.bits.partition(":")[2]) if each.bits else 0
    if dimensions is None and count > 1:
        return words.unknown(each.title, Sharing.LANE, _ID_BITS << shift)
    sizes = dimensions or (group.size, 1, 1)
    below = 1
    for size in sizes[:axis]:
        below *= size
    return words.of(tuple(number // below % sizes[axis] << shift for number in range(group.size)))


def _register(file: str, first: int) -> int:
    found = registers.of_tuple(file, first, 1)
    return (found & -found).bit_length() - 1

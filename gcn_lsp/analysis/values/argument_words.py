"""Follows the words of a kernel's arguments from its start: which SGPRs hold which of them, as far as code is straight.

Question: which dword of the arguments is in an SGPR before an instruction, and what do loads of arguments cover?
Direction: forward, from the start of a kernel through straight code, past branches that are not taken.
Lattice and join: none; the walk ends at the first label.
May or must: must; a register that anything else writes holds no argument.
Ignored: arguments behind labels, but for loads that cut a pointer, and in registers that copies write.
"""

from collections.abc import Iterator, Mapping

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import graphs, kernels
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import kernel_inputs
from gcn_lsp.flow.kept import once
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.memory import resources
from gcn_lsp.program.kernels import kernel_usage, metadata
from gcn_lsp.program.kernels.inputs import KERNARG_POINTER
from gcn_lsp.program.kernels.metadata import MetadataArgument
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_DWORD, _POINTER, _RESOURCE = 4, 8, 4
_STRAIGHT = ("next", "conditional")


class ArgumentLoad(NamedTuple):
    """A scalar load of a kernel's arguments. offset, size: what it loads of them, in bytes."""

    site: Site
    offset: int
    size: int


class OfPointers(NamedTuple):
    """A buffer's descriptor whose last two words are an argument that is a pointer."""

    reader: Site
    operand: Operand
    argument: MetadataArgument


class OfKernel(NamedTuple):
    """The uses of described arguments in the straight code at a kernel's start."""

    kernel: str
    arguments: tuple[MetadataArgument, ...]
    loads: tuple[ArgumentLoad, ...]
    resources: tuple[OfPointers, ...]


@once
def of(program: Program) -> tuple[OfKernel, ...]:
    """The kernels of a program whose metadata describe arguments that are pointers."""
    graph = graphs.of(program) if any(True for _ in metadata.described(program.metadata)) else None
    return tuple(_of_kernels(program, graph)) if graph is not None else ()


def _of_kernels(program: Program, graph: Graph) -> Iterator[OfKernel]:
    entries = kernels.entries(program, graph)
    for block in program.kernel_blocks:
        judgement = program.judgement(block) if block.is_closed and block.name in entries else None
        arguments = tuple(metadata.arguments(program.metadata, block.name)) if judgement is not None else ()
        if judgement is None or not any(each.is_pointer for each in arguments):
            continue
        pointer = judgement.resources.kernarg_pointer
        if pointer is not None:
            yield _followed(graph, entries[block.name], pointer, OfKernel(block.name, arguments, (), ()))


def _followed(graph: Graph, node: int, pointer: int, known: OfKernel) -> OfKernel:
    """The uses of arguments in straight code from a node. pointer: the first of the two SGPRs with their address."""
    pointers = {each.offset: each for each in known.arguments if each.is_pointer}
    held: dict[int, int] = {}  # the offset of the word in each SGPR
    loads: list[ArgumentLoad] = []
    found: list[OfPointers] = []
    has_pointer = True
    for site in _straight(graph, node):
        found += _of_pointers(site, held, pointers)
        load = kernel_usage.load_of(site.item) if has_pointer else None
        written = site.effects.writes
        has_pointer &= not written & registers.of_tuple("s", pointer, 2)
        if written & registers.SGPRS:
            held = {each: offset for each, offset in held.items() if not written & registers.of_tuple("s", each, 1)}
        if load is not None and load.base == pointer:
            loads.append(ArgumentLoad(site, load.offset, load.size))
            first = next(each.first for each in site.operands if each.slot == "sdst")
            held |= {first + number: load.offset + _DWORD * number for number in range(load.size // _DWORD)}
        if not has_pointer and not held:
            break
    return known._replace(loads=tuple(loads), resources=tuple(found))


def _straight(graph: Graph, node: int) -> Iterator[Site]:
    """The instructions from a kernel's start to the next label, as far as they are known."""
    passed, start = 0, node
    while passed < bounds.FAR:
        segment = graph.nodes[node]
        if segment.labels and node != start:
            return
        for site in segment.sites:
            if not site.effects.known:
                return
            yield site
        passed += len(segment.sites)
        if segment.flow not in _STRAIGHT or not graph.successors[node]:
            return
        node = graph.successors[node][0]


def _of_pointers(site: Site, held: Mapping[int, int], pointers: Mapping[int, MetadataArgument]) -> Iterator[OfPointers]:
    instruction = site.item.instruction
    if instruction is None or instruction.form is None:
        return
    for operand in instruction.operands:
        if operand.file != "s" or operand.count != _RESOURCE:
            continue
        low, high = held.get(operand.first + 2, -1), held.get(operand.first + 3, -1)
        if low in pointers and high == low + _DWORD and resources.kind_of(instruction.form, operand.slot) == "buffer":
            yield OfPointers(site, operand, pointers[low])


def cut_behind_labels(program: Program, known: OfKernel) -> Iterator[ArgumentLoad]:
    """The loads of arguments behind the straight code of a kernel that cut a pointer, see `pointer_cut`."""
    graph = graphs.of(program)
    entry = kernels.entries(program, graph).get(known.kernel) if graph is not None else None
    if graph is None or entry is None:
        return
    before = {load.site for load in known.loads}
    for node in sorted(graph.reached((entry,))):
        for site in graph.nodes[node].sites:
            load = kernel_usage.load_of(site.item) if site not in before else None
            found = ArgumentLoad(site, load.offset, load.size) if load is not None else None
            if found is not None and pointer_cut(found, known) is not None and _of_arguments(program, graph, site):
                yield found


def _of_arguments(program: Program, graph: Graph, site: Site) -> bool:
    """Whether the base of a load is the pointer to the arguments on every path, and nothing else."""
    held = kernel_inputs.held_by_base(program, graph, site)
    return bool(held) and all(each.input.title == KERNARG_POINTER and not each.added for each in held)


def pointer_cut(load: ArgumentLoad, known: OfKernel) -> "MetadataArgument | None":
    """The pointer in whose middle a load of several dwords begins, or ends if it begins at no multiple of 8 either.

    A load that begins right and is only shorter than what it reads of may be all that the kernel needs.
    """
    first, last = load.offset, load.offset + load.size
    for each in known.arguments if load.size > _DWORD else ():
        middle = range(each.offset + 1, each.offset + _POINTER)
        if each.is_pointer and (first in middle or (last in middle and first % _POINTER)):
            return each
    return None


def pointer_halved(load: ArgumentLoad, known: OfKernel) -> "MetadataArgument | None":
    """The pointer of which a load has one dword, while no load has the other one and not this."""
    if load.size != _DWORD:
        return None
    for each in known.arguments:
        if each.is_pointer and load.offset in (each.offset, each.offset + _DWORD):
            other = 2 * each.offset + _DWORD - load.offset
            is_joined = any(
                kernel_usage.covers(it, other) and not kernel_usage.covers(it, load.offset) for it in known.loads
            )
            return None if is_joined else each
    return None

"""The fate of register values in an instruction: which old values it uses, and which it destroys.

`Effects` say which registers are read and written; an analysis of values also needs to know whether a write replaces
all of the old value, and whether a read uses it or only passes it on. VGPRs are replaced in the lanes that are active
in EXEC at that time and in no others, see `analysis.values.liveness`.
"""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain, groupby

from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import GOES_ON, Segment, Site, is_data
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Effects
from gcn_lsp.flow.kept import ByIdentity, latest, once
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.isa.machine import register_results
from gcn_lsp.isa.schema import Form
from gcn_lsp.program.chunk import Chunk, Item
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

EVERYTHING = -1  # the set of all registers: those that unknown code may use
_FILES = {"v": EVERYTHING << 1024, "s": registers.SGPRS, "*": EVERYTHING}


class Result(NamedTuple):
    """The fate of register values in an instruction.

    used: registers whose old value it needs. replaced: those whose old value it destroys, VGPRs in the active lanes.
    writes: those that it writes in any way. may_write: also those that it selects by M0 or an index. is_computed: it
    only computes and writes them (VALU or SALU). all_lanes: it writes VGPRs in inactive lanes, too. sets_exec: other
    lanes may be active after it.
    """

    used: int
    replaced: int
    writes: int
    may_write: int
    is_computed: bool
    all_lanes: bool
    sets_exec: bool


@once
def of_segment(segment: Segment) -> tuple[Result, ...]:
    """The results of a segment's instructions."""
    return tuple(of_site(site) for site in segment.sites)


_KNOWN: ByIdentity[Result] = ByIdentity()  # of effects


def of_site(site: Site) -> Result:
    """The result of one instruction; of an unknown one, that it uses and may write everything."""
    effects, instruction = site.effects, site.item.instruction
    if instruction is None or instruction.form is None:
        return _UNKNOWN  # first: it shares its effects with instructions that have a form, such as waits
    known = _KNOWN.get(id(effects))
    if known is not None:
        return known.result
    found = _find(instruction, effects, instruction.form)
    return _KNOWN.keep(effects, found)


_UNKNOWN = Result(EVERYTHING, registers.NONE, registers.NONE, EVERYTHING, False, False, True)


def _find(instruction: Instruction, effects: Effects, form: Form) -> Result:
    writes = effects.writes
    keeps, hands_on = register_results.keeps(form)
    used = _used(effects, hands_on=hands_on)
    file = register_results.INDIRECT_READS.get(form.mnemonic)
    if file is not None:
        used |= _FILES[file]
    flags = form.flags
    lanes = register_results.is_in_all_lanes(form)
    computed = ("VALU" in flags or "SALU" in flags) and not (form.may_load or form.may_store)
    return Result(
        used,
        registers.within(writes, ~_kept(instruction, effects, form, keeps=keeps)),
        writes,
        writes if file is None else writes | _FILES[file],
        computed and "hasSideEffects" not in flags and effects.flow == "next" and file is None,
        lanes,
        bool(writes & registers.EXEC),
    )


def _used(effects: Effects, *, hands_on: bool) -> int:
    """The registers read; hands_on: without operands that are only the old value of the result."""
    if not hands_on:
        return effects.reads
    sources = named = registers.NONE
    for name, mask in effects.slots:
        named |= mask
        if name not in effects.defined:
            sources |= mask
    return registers.union(sources, registers.within(effects.reads, ~named))


def _kept(instruction: Instruction, effects: Effects, form: Form, *, keeps: bool) -> int:
    """The registers written that keep a part of their old value."""
    if form.mnemonic in register_results.INDIRECT_WRITES:
        return effects.writes
    is_sdwa, is_narrow = form.variant.startswith("SDWA"), register_results.is_narrow(form.mnemonic)
    kept = registers.NONE
    for operand in instruction.operands:
        if operand.kind == "register" and operand.slot in effects.defined:
            mask = effects.slot(operand.slot)
            is_whole_vgpr = operand.file == "v" and mask == registers.whole(mask)
            if keeps or (is_whole_vgpr and (is_sdwa or is_narrow)):
                kept |= mask
    return kept


@latest
def opaque(program: Program, graph: Graph) -> frozenset[int]:
    """The nodes with unknown effects: with data among the code, or unknown instructions.

    All straight code around such a place is included, so that the ends of chunks do not matter.
    """
    unknown = {node for node, _ in _all_unknown(graph)}
    return straight.around(graph, unknown) | with_data(program, graph)


@latest
def with_data(program: Program, graph: Graph) -> frozenset[int]:
    """The nodes with data among the code, and the straight code around them.

    Data count up to the next instruction of the section, if control gets there. The header of a kernel
    (`.amd_kernel_code_t`) is not code: the kernel begins after it.
    """
    return straight.around(graph, {node for node, _, _ in data_after(program, graph)})


@latest
def data_reached(program: Program, graph: Graph) -> tuple[tuple[int, int, int], ...]:
    """Data that control reaches: the node before or around them, the number of the chunk, and the item's index."""
    return tuple(row for row in data_held(program, graph) if goes_into(graph, *row))


@latest
def data_held(program: Program, graph: Graph) -> tuple[tuple[int, int, int], ...]:
    """The same of all data after the first node of their section, reached or not."""
    found: list[tuple[int, int, int]] = []
    for number, chunk in enumerate(program.chunks):
        for index in _data(chunk):
            holder = _holder(graph, number, index, chunk.pieces[chunk.items[index].piece].section)
            if holder is not None:
                found.append((holder, number, index))
    return tuple(found)


@latest
def data_after(program: Program, graph: Graph) -> tuple[tuple[int, int, int], ...]:
    """The same without the data that are instructions of the graph, see `control.written_code`."""
    found: list[tuple[int, int, int]] = []
    for number, rows in groupby(data_reached(program, graph), key=lambda row: row[1]):
        items = program.chunks[number].items
        sites = (site for node in graph.nodes_of_chunk(number) for site in graph.nodes[node].sites)
        code = {_place(site.item) for site in sites if site.item.kind == "instruction"}  # the others have no bytes
        found += (row for row in rows if not items[row[2]].data or _place(items[row[2]]) not in code)
    return tuple(found)


def _place(item: Item) -> tuple[int, int]:
    """Where an item is in its chunk, also that of an instruction written as data."""
    return item.piece, item.offset


_BEFORE = (-1, -1)  # the place of what is in an earlier chunk


def places_of_data(program: Program, graph: Graph) -> Iterator[tuple[int, int, Item]]:
    """The data of `data_after`: the node, the number of its last instruction before them, -1 for none; the item."""
    places: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for node, number, index in data_after(program, graph):
        item = program.chunks[number].items[index]
        if (node, number) not in places:
            is_here = graph.chunks[node] == number
            places[node, number] = [_place(site.item) if is_here else _BEFORE for site in graph.nodes[node].sites]
        yield node, bisect_left(places[node, number], _place(item)) - 1, item


def goes_into(graph: Graph, node: int, number: int, index: int) -> bool:
    """Whether control that is in a node reaches the data at item `index` of a chunk, after its start."""
    segment = graph.nodes[node]
    return segment.flow in GOES_ON or not segment.sites or is_inside(graph, node, number, index)


def is_inside(graph: Graph, node: int, number: int, index: int) -> bool:
    """Whether an item of a chunk is before the last instruction of a node, or is that instruction, written as data.

    A rejected statement has no bytes, and so the place of what comes after it.
    """
    item, last = graph.parts[number].items[index], graph.nodes[node].sites[-1].item
    if graph.chunks[node] != number:
        return False
    return _place(item) < _place(last) or (last.kind == "instruction" and _place(item) == _place(last))


def _holder(graph: Graph, number: int, index: int, section: str) -> int | None:
    """The last node of a section before an item of a chunk."""
    nodes = graph.nodes
    here = graph.nodes_of_chunk(number)
    if graph.shape.firsts.get(section, here.stop) >= here.stop:
        return None
    before = (node for node in reversed(here) if nodes[node].first <= index)
    return next((node for node in chain(before, range(here.start - 1, -1, -1)) if nodes[node].section == section), None)


@once
def _is_unknown(segment: Segment) -> bool:
    return any(not site.effects.known for site in segment.sites)


_all_unknown = in_segments(lambda segment, _: _is_unknown(segment))


@once
def _data(chunk: Chunk) -> tuple[int, ...]:
    """The items of a chunk that are data."""
    return tuple(index for index, item in enumerate(chunk.items) if is_data(item))

"""Finds scalar stores that remain in the scalar cache, and scalar atomics that return nothing but whose result is read.

Both exist on gfx8 to gfx10.1 only. A called function, or unknown code, may do what is missing.

Question: which ends of the program does control reach after a store without writing the cache back?
Direction: forward, from each store and atomic.
Lattice and join: sets of nodes; the union.
May or must: must; one path with a write-back, or an unknown one, is enough for silence.
Ignored: addresses, and which path is taken.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import starting_points, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.flow.search import Search
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_WRITE_BACKS = roles.mnemonics("write back")
_ENDS = roles.mnemonics("end")
_GLC = 1  # bit of the cache policy: a store writes through, an atomic returns the old value
_STRAIGHT = ("next", "conditional")


class Unwritten(NamedTuple):
    """A scalar store after which nothing writes the cache back. ends: the ends of the program that it reaches."""

    store: Site
    ends: tuple[Site, ...]


def unwritten(program: Program, graph: Graph) -> Iterator[Unwritten]:
    """The scalar stores of a program that no path follows with a write-back; in straight code only the last."""
    found = [
        (node, site) for node, site in starting_points.of(graph, starting_points.SCALAR_STORE) if not _has_glc(site)
    ]
    if not found:
        return
    opaque = results.opaque(program, graph)
    stretch_of = {node: number for number, stretch in enumerate(straight.stretches(graph)) for node in stretch}
    last = {stretch_of[node]: (node, site) for node, site in found}
    for node, site in last.values():
        ends = _ends(graph, opaque, node, site.index + 1)
        if ends:
            yield Unwritten(site, ends)


def _ends(graph: Graph, opaque: frozenset[int], node: int, index: int) -> tuple[Site, ...]:
    """The ends that control reaches from a place; none if it may meet a write-back or unknown code."""
    ends: dict[int, Site] = {}
    search = Search([(node, index)])
    for at, start in search:
        segment = graph.nodes[at]
        if at in opaque or at in graph.open_ends or at in graph.fallen or segment.flow == "call":
            return ()
        for site in segment.sites[start:]:
            if site.mnemonic in _WRITE_BACKS:
                return ()
        if segment.flow == "end":
            if segment.sites[-1].mnemonic not in _ENDS:
                return ()
            ends[at] = segment.sites[-1]
        search.add((after, 0) for after in graph.successors[at])
    return tuple(ends[node] for node in sorted(ends))


class Unreturned(NamedTuple):
    """An atomic that returns nothing, and a reader of its data after a wait for it. registers: those that it reads."""

    atomic: Site
    reader: Site
    registers: int


def unreturned(program: Program, graph: Graph) -> Iterator[Unreturned]:
    """The scalar atomics whose data register is read after a wait as if they returned a value."""
    found = [
        (node, site) for node, site in starting_points.of(graph, starting_points.SCALAR_ATOMIC) if not _has_glc(site)
    ]
    if not found:
        return
    opaque = results.opaque(program, graph)
    for node, site in found:
        result = _result(site)
        reader = _reader(graph, opaque, node, site, result) if result else None
        if reader is not None:
            yield Unreturned(site, reader, reader.effects.reads & result)


def _result(atomic: Site) -> int:
    """The registers in which an atomic returns a value: its data, without the compared half."""
    data = next((operand for operand in atomic.operands if operand.slot in ("sdata", "sdst")), None)
    if data is None or data.kind != "register":
        return registers.NONE
    count = data.count // 2 if "cmpswap" in atomic.mnemonic else data.count
    return registers.of_tuple(data.file, data.first, count)


def _reader(graph: Graph, opaque: frozenset[int], node: int, atomic: Site, result: int) -> "Site | None":
    """The first reader of a result, with a wait for scalar memory and no write before it."""
    is_waited_for = False
    index = atomic.index + 1
    while node not in opaque:
        segment = graph.nodes[node]
        for site in segment.sites[index:]:
            if site.effects.touches & result:
                reads = site.effects.reads & result
                is_memory = any(event.counter for event in site.effects.events)
                return site if is_waited_for and reads and not is_memory else None
            is_waited_for |= any(count == 0 and counter == "lgkmcnt" for counter, count in site.effects.waits)
        following = graph.successors[node]
        if segment.flow not in _STRAIGHT or not following or len(graph.predecessors[following[0]]) > 1:
            return None
        node, index = following[0], 0
    return None


def _has_glc(site: Site) -> bool:
    policy = next((operand.value for operand in site.operands if operand.slot == "cpol"), 0)
    return type(policy) is not int or bool(policy & _GLC)

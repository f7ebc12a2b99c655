"""Scalar stores that are left in the scalar cache, and scalar atomics whose result is read though they return none.

Both exist on gfx8 to gfx10.1 only. A function that is called, and code that is not known, may do what is asked for.

Question: at which ends of the program does control arrive after a store, with nothing to write the cache back?
Direction: forward, from each store and atomic.
Lattice and join: sets of nodes; the union.
May or must: must; one path with a write-back, or one that nobody knows, is enough for silence.
Ignored: addresses, and which path is taken.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.analysis.control import sought, straight
from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.program.program import Program

_WRITE_BACK = "s_dcache_wb"
_END = "s_endpgm"
_GLC = 1  # bit of the cache policy: a store writes through, an atomic returns what was there
_STRAIGHT = ("next", "conditional")


class Unwritten(NamedTuple):
    """A scalar store behind which nothing writes the cache back. ends: the ends of the program that it comes to."""

    store: Site
    ends: tuple[Site, ...]


def unwritten(program: Program, graph: Graph) -> Iterator[Unwritten]:
    """The scalar stores of a program from which no path comes to a write-back; in straight code only the last."""
    found = [(node, site) for node, site in sought.of(graph, sought.SCALAR_STORE) if not _has_glc(site)]
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
    """The ends that control comes to from a place; none when it may meet a write-back, or nobody knows."""
    ends: dict[int, Site] = {}
    seen: set[int] = set()
    waiting = [(node, index)]
    while waiting:
        node, index = waiting.pop()
        segment = graph.nodes[node]
        if node in opaque or node in graph.open_ends or node in graph.fallen or segment.flow == "call":
            return ()
        for site in segment.sites[index:]:
            if site.mnemonic.startswith(_WRITE_BACK):
                return ()
        if segment.flow == "end":
            if not segment.sites[-1].mnemonic.startswith(_END):
                return ()
            ends[node] = segment.sites[-1]
        for successor in graph.successors[node]:
            if successor not in seen:
                seen.add(successor)
                waiting.append((successor, 0))
    return tuple(ends[node] for node in sorted(ends))


class Unreturned(NamedTuple):
    """An atomic that returns nothing, and what reads its data after a wait for it. registers: those that it reads."""

    atomic: Site
    reader: Site
    registers: int


def unreturned(program: Program, graph: Graph) -> Iterator[Unreturned]:
    """The scalar atomics whose data register is read behind a wait as if they returned something."""
    found = [(node, site) for node, site in sought.of(graph, sought.SCALAR_ATOMIC) if not _has_glc(site)]
    if not found:
        return
    opaque = results.opaque(program, graph)
    for node, site in found:
        result = _result(site)
        reader = _reader(graph, opaque, node, site, result) if result else None
        if reader is not None:
            yield Unreturned(site, reader, reader.effects.reads & result)


def _result(atomic: Site) -> int:
    """Where an atomic puts what it returns: its data; the compared half of these stays as it is."""
    data = next((operand for operand in atomic.operands if operand.slot in ("sdata", "sdst")), None)
    if data is None or data.kind != "register":
        return registers.NONE
    count = data.count // 2 if "cmpswap" in atomic.mnemonic else data.count
    return registers.of_tuple(data.file, data.first, count)


def _reader(graph: Graph, opaque: frozenset[int], node: int, atomic: Site, result: int) -> "Site | None":
    """What reads some of a result first, with nothing that writes it before and a wait for scalar memory between."""
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

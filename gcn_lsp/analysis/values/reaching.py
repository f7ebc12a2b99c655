"""Finds the last writers of a register on each path to a place: on demand, by walking the graph backward.

If a write leaves a part of the old value (16 bits, one lane), the walk continues before it. A write under another EXEC
counts as replacing the register, as a reader of the code would assume.

Question: which instructions may have written a register last?
Direction: backward, from one place.
Lattice and join: sets of instructions; the union.
May or must: may; a write on some path counts.
Ignored: EXEC, and which path was taken.
"""

from collections.abc import Iterator
from operator import or_

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.flow.search import Fixpoint
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_FIRST = 1  # the place that a search starts from; nodes have their negative numbers, so that the last is the lowest


class Writers(NamedTuple):
    """The possible last writers of a register.

    sites: the instructions, in program order. from_entry: whether a path from an entry writes it nowhere. by_unknown:
    whether a called function, or unknown code, may have written it. wrong: the rejected instructions among the latter,
    behind which the search goes on: they may have written it, or not.
    """

    sites: tuple[Site, ...]
    from_entry: bool
    by_unknown: bool
    wrong: tuple[Site, ...] = ()


def writers_of(program: Program, line: int, register: int) -> "Writers | None":
    """The last writers of a register set before the first instruction that a line of the main file leads to.

    register: a set as in `machine.registers`; an instruction that writes some of it is included. None if the line has
    no instruction.
    """
    place = on_line(program, line)
    return None if place is None else before(program, place.graph, place.node, place.site.index, register)


class GraphSite(NamedTuple):
    """An instruction, with the graph that it is in and its node there."""

    graph: Graph
    node: int
    site: Site


def on_line(program: Program, line: int) -> "GraphSite | None":
    """The first instruction that a line of the main file leads to; None without one, or if control is not followed."""
    graph = graphs.of(program)
    if graph is None or not 0 <= line < len(program.source.lines):
        return None
    number = program.chunk_at(line)
    wanted = line - program.bases[number]
    for node in graph.nodes_of_chunk(number):
        for site in graph.nodes[node].sites:
            if site.item.written.top_line == wanted:
                return GraphSite(graph, node, site)
    return None


def before(
    program: Program, graph: Graph, node: int, index: int, register: int, kept_by_calls: int = registers.NONE
) -> Writers:
    """The last writers of a register set before instruction `index` of a node.

    kept_by_calls: the registers that called functions leave as they were.
    """
    opaque = results.with_data(program, graph)
    found: dict[int, Site] = {}
    wrong: dict[int, Site] = {}
    from_entry = by_unknown = False
    entries = frozenset(graph.entries)
    # The registers searched for from the end of each node, and from the first place.
    search: Fixpoint[int, int] = Fixpoint(or_)
    search.arrive(_FIRST, register)
    for place, sought in search:
        wanted = sought
        at, end = (node, index) if place == _FIRST else (-place, len(graph.nodes[-place].sites))
        if at in opaque:
            by_unknown = True
            continue
        for site, part in _back(graph, at, end, wanted):
            if not site.effects.known:
                wrong[id(site)] = site  # or what wrote it before
                continue
            found[id(site)] = site
            wanted &= ~part
        if not wanted:
            continue
        if at in entries:
            from_entry = True
        for earlier in graph.predecessors[at]:
            if graph.nodes[earlier].flow == "call" and wanted & ~kept_by_calls:
                by_unknown = True
            else:
                search.arrive(-earlier, wanted)
    ordered, rejected = (tuple(sorted(each.values(), key=graph.order)) for each in (found, wrong))
    return Writers(ordered, from_entry, by_unknown or bool(wrong), rejected)


def _back(graph: Graph, node: int, index: int, wanted: int) -> Iterator[tuple[Site, int]]:
    """The instructions before `index` in a node that write some of a set, and the part that is then settled."""
    segment = graph.nodes[node]
    known = results.of_segment(segment)
    for number in range(index - 1, -1, -1):
        result = known[number]
        if result.may_write & wanted:
            yield segment.sites[number], result.replaced & wanted
            wanted &= ~result.replaced
            if not wanted:
                return

"""Straight code: nodes of the graph that follow one another without an edge in or out between them.

Segments end with their chunk, whose borders depend on earlier edits. A result about straight code must not, so an
analysis reads all the nodes of a stretch together.
"""

from collections.abc import Iterable, Iterator

from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Site

Stretch = tuple[int, ...]


def stretches(graph: Graph) -> tuple[Stretch, ...]:
    """The stretches of straight code, each node in one of them."""
    known = graph.shape.memo.get(stretches)
    if known is None:
        known = graph.shape.memo[stretches] = tuple(_find(graph))
    return known


def containing(graph: Graph, node: int) -> Stretch:
    """The stretch of a node."""
    known = graph.shape.memo.get(containing)
    if known is None:
        known = graph.shape.memo[containing] = {each: stretch for stretch in stretches(graph) for each in stretch}
    found: Stretch = known[node]
    return found


def loops(graph: Graph) -> tuple[Stretch, ...]:
    """The stretches that control may go through again and again, and leave by another way."""
    known = graph.shape.memo.get(loops)
    if known is None:
        ways = ((stretch, graph.successors[stretch[-1]]) for stretch in stretches(graph))
        known = graph.shape.memo[loops] = tuple(
            stretch for stretch, after in ways if stretch[0] in after and len(after) > 1
        )
    return known


def around(graph: Graph, nodes: Iterable[int]) -> frozenset[int]:
    """The nodes of all stretches with some of `nodes`, at a cost of their number alone."""
    found: set[int] = set()
    for node in nodes:
        for way in (_before, _after):
            step: int | None = node
            while step is not None and (step not in found or step == node):
                found.add(step)
                step = way(graph, step)
    return frozenset(found)


def back(graph: Graph, site: Site) -> Iterator[Site]:
    """The instructions before a site in straight code, the nearest first."""
    yield from reversed(site.segment.sites[: site.index])
    node = graph.node_of(site.segment)
    before = _before(graph, node) if node is not None else None
    while before is not None:
        yield from reversed(graph.nodes[before].sites)
        before = _before(graph, before)


def _before(graph: Graph, node: int) -> "int | None":
    """The node before a node in its stretch; None at the start of the stretch."""
    before = graph.predecessors[node]
    goes_on = not graph.nodes[node].labels and len(before) == 1 and graph.nodes[before[0]].flow == "next"
    return before[0] if goes_on else None


def _after(graph: Graph, node: int) -> "int | None":
    """The node after a node in its stretch; None at the end of the stretch."""
    return next((after for after in graph.successors[node] if _before(graph, after) == node), None)


def _find(graph: Graph) -> Iterator[Stretch]:
    found: list[list[int]] = []
    open_ones: dict[int, list[int]] = {}  # by their last node
    for node in range(len(graph.nodes)):
        before = _before(graph, node)
        stretch = open_ones.pop(before, None) if before is not None else None
        if stretch is None:
            stretch = []
            found.append(stretch)
        stretch.append(node)
        open_ones[node] = stretch
    return map(tuple, found)

"""Straight code: nodes of the graph that follow one another without an edge in or out between them.

Segments end with their chunk, whose borders depend on earlier edits. A result about straight code must not, so an
analysis reads all the nodes of a stretch together.
"""

from collections.abc import Iterable, Iterator

from gcn_lsp.analysis.control.graphs import Graph, GraphShape
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.flow.kept import once

Stretch = tuple[int, ...]


def stretches(graph: Graph) -> tuple[Stretch, ...]:
    """The stretches of straight code, each node in one of them."""
    return _stretches(graph.shape)


def containing(graph: Graph, node: int) -> Stretch:
    """The stretch of a node."""
    return _by_node(graph.shape)[node]


def loops(graph: Graph) -> tuple[Stretch, ...]:
    """The stretches that control may go through again and again, and leave by another way."""
    return _loops(graph.shape)


def around(graph: Graph, nodes: Iterable[int]) -> frozenset[int]:
    """The nodes of all stretches with some of `nodes`, at a cost of their number alone."""
    found: set[int] = set()
    for node in nodes:
        for way in (_before, _after):
            step: int | None = node
            while step is not None and (step not in found or step == node):
                found.add(step)
                step = way(graph.shape, step)
    return frozenset(found)


def back(graph: Graph, site: Site) -> Iterator[Site]:
    """The instructions before a site in straight code, the nearest first."""
    yield from reversed(site.segment.sites[: site.index])
    node = graph.node_of(site.segment)
    before = _before(graph.shape, node) if node is not None else None
    while before is not None:
        yield from reversed(graph.nodes[before].sites)
        before = _before(graph.shape, before)


def _before(shape: GraphShape, node: int) -> "int | None":
    """The node before a node in its stretch; None at the start of the stretch."""
    before = shape.predecessors[node]
    goes_on = len(before) == 1 and shape.flows[before[0]] == "next" and node not in shape.labelled
    return before[0] if goes_on else None


def _after(shape: GraphShape, node: int) -> "int | None":
    """The node after a node in its stretch; None at the end of the stretch."""
    return next((after for after in shape.successors[node] if _before(shape, after) == node), None)


@once
def _stretches(shape: GraphShape) -> tuple[Stretch, ...]:
    found: list[list[int]] = []
    open_ones: dict[int, list[int]] = {}  # by their last node
    for node in range(len(shape.successors)):
        before = _before(shape, node)
        stretch = open_ones.pop(before, None) if before is not None else None
        if stretch is None:
            stretch = []
            found.append(stretch)
        stretch.append(node)
        open_ones[node] = stretch
    return tuple(map(tuple, found))


@once
def _by_node(shape: GraphShape) -> dict[int, Stretch]:
    return {each: stretch for stretch in _stretches(shape) for each in stretch}


@once
def _loops(shape: GraphShape) -> tuple[Stretch, ...]:
    ways = ((stretch, shape.successors[stretch[-1]]) for stretch in _stretches(shape))
    return tuple(stretch for stretch, after in ways if stretch[0] in after and len(after) > 1)

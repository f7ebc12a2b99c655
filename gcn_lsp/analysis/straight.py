"""Straight code: nodes of the graph that follow one another without a way in or out between them.

Segments end with their chunk, whose borders depend on the edits that were made. What an analysis says of straight code
must not, so it looks at all the nodes of a stretch together.
"""

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from gcn_lsp.analysis.graph import Graph

Stretch = tuple[int, ...]


def stretches(graph: Graph) -> tuple[Stretch, ...]:
    """The stretches of straight code, each node in one of them; found once for each graph."""
    known = _KNOWN.get(graph)
    if known is None:
        known = _KNOWN[graph] = tuple(_find(graph))
    return known


_KNOWN: "WeakKeyDictionary[Graph, tuple[Stretch, ...]]" = WeakKeyDictionary()


def _find(graph: Graph) -> Iterator[Stretch]:
    open_ones: dict[int, list[int]] = {}  # by their last node
    for node, segment in enumerate(graph.nodes):
        before = graph.predecessors[node]
        goes_on = not segment.labels and len(before) == 1 and graph.nodes[before[0]].flow == "next"
        stretch = open_ones.pop(before[0], []) if goes_on else []
        stretch.append(node)
        open_ones[node] = stretch
    yield from sorted(map(tuple, open_ones.values()))

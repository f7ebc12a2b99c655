"""The instructions after a place, as control falls through them."""

from collections.abc import Collection, Iterator

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site


def through(graph: Graph, opaque: Collection[int], node: int, index: int) -> "Iterator[Site | None]":
    """The instructions from `index` of a node as control falls through them; None at the end of the code.

    opaque: nodes with instructions that are not known. Ends without None where the next instruction is not known.
    """
    while node not in opaque:
        segment = graph.nodes[node]
        yield from segment.sites[index:]
        if segment.flow != "next":
            return
        if node in graph.fallen:
            yield None
            return
        (node,) = graph.successors[node]
        index = 0

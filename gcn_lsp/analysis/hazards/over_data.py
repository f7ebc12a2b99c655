"""Tells which hazards lie over data among the code, such as instructions written as `.long` for an old assembler.

Nothing is known of what they do, or of how much time they take.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.hazards.walk import Hazard
from gcn_lsp.analysis.machine import results
from gcn_lsp.program.program import Program


def without(program: Program, graph: Graph, found: Iterable[Hazard]) -> Iterator[Hazard]:
    """The hazards without those that have data between the two instructions, in the order of the text."""
    places: list[tuple[int, int]] | None = None  # there are few hazards
    for hazard in found:
        if places is None:
            places = sorted(_places(program, graph))
        index = bisect_left(places, graph.order(hazard.first))
        if index == len(places) or places[index] >= graph.order(hazard.second):
            yield hazard


def _places(program: Program, graph: Graph) -> Iterator[tuple[int, int]]:
    """Where control gets to data: the node, and the number of the last instruction before, -1 for none."""
    chunks: dict[int, dict[int, int]] = {}
    nodes: dict[int, list[int]] = {}
    for node, number, index in results.data_after(program, graph):
        if number not in chunks:
            chunks[number] = {id(item): place for place, item in enumerate(program.chunks[number].items)}
        if node not in nodes:
            nodes[node] = [chunks[number].get(id(site.item), -1) for site in graph.nodes[node].sites]
        yield node, bisect_left(nodes[node], index) - 1

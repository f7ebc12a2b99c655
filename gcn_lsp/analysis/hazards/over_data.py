"""Tells which hazards lie over data among the code that are not known to be instructions.

Nothing is known of what they do, or of how much time they take.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.hazards.walk import Hazard
from gcn_lsp.analysis.machine import results
from gcn_lsp.program.program import Program


def without(program: Program, graph: Graph, found: Iterable[Hazard]) -> Iterator[Hazard]:
    """The hazards without those that have data between the two instructions, in the order of the text."""
    places: list[tuple[int, int]] | None = None  # there are few hazards
    for hazard in found:
        if places is None:
            places = sorted((node, last) for node, last, _ in results.places_of_data(program, graph))
        index = bisect_left(places, graph.order(hazard.first))
        if index == len(places) or places[index] >= graph.order(hazard.second):
            yield hazard

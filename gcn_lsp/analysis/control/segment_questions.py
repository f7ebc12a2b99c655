"""Asks every segment of a graph the same question, and after an edit only the new segments.

Most checks start from the few instructions that they are about: a program without these costs them nothing.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.flow.kept import renewed

Result = TypeVar("Result")
Found = Sequence[tuple[int, Result]]


def _node(found: tuple[int, Any]) -> int:
    return found[0]


def in_segments(find: Callable[[Segment, Model], Result | None]) -> Callable[[Graph], Found[Result]]:
    """The nodes whose segment has a result that is not empty, with it, in program order. Kept with the graph.

    find: depends on nothing but the segment and the model.
    """

    @renewed
    def all_of(graph: Graph, earlier: "Found[Result] | None") -> Found[Result]:
        nodes, changed = graph.nodes, graph.changed
        if earlier is None or changed is None:
            return [(node, found) for node, segment in enumerate(nodes) if (found := find(segment, graph.model))]
        front, old_end, end = changed
        first = bisect_left(earlier, front, key=_node)
        last = bisect_left(earlier, old_end, first, key=_node)
        new = [(node, found) for node in range(front, end) if (found := find(nodes[node], graph.model))]
        if first == last and not new and end == old_end:
            return earlier
        return [*earlier[:first], *new, *((node + end - old_end, found) for node, found in earlier[last:])]

    return all_of

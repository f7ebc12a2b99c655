"""Finds where an operation in flight really matters, where `control.paths` had too many answers to keep.

Control is followed from the issue of the operation, with the answers that all paths to it give, as long as it may be in
flight.

Question: which instructions that must wait for an operation does control come to while it is in flight?
Direction: forward from the operation, with everything that may be in flight before it.
May or must: may; nothing is said of an operation if following it takes too long.
Ignored: waits that are missing on the way, except the first for the operation itself.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import reduce

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import paths_onward
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.waits.engine import Engine
from gcn_lsp.analysis.waits.state import WaitState
from gcn_lsp.analysis.waits.walk import Cause, WaitWalk


def dependents(
    graph: Graph, engine: Engine, entries: Collection[int], before: list[list[WaitState]], operations: Iterable[Site]
) -> Iterator[tuple[Site, frozenset[Site]]]:
    """For operations the instructions that must wait for them, on paths that exist; none for one without an answer.

    before: the states on arrival at each node.
    """
    certain = paths_onward.certain(graph, entries)
    left = bounds.SEGMENTS_OF_PROGRAM
    for operation in operations:
        node = graph.node_of(operation.segment)
        known = certain[node] if node is not None else None
        if node is None or known is None or not before[node]:
            continue
        way = _Way(engine, operation)
        start = paths_onward.Start(node, known, way.issue(graph.nodes[node], reduce(engine.join, before[node])))
        most = min(left, bounds.SEGMENTS_OF_OPERATION)
        passed = paths_onward.follow(graph, start, way.transfer, engine.join, most)
        left -= passed
        if passed < most:
            yield operation, frozenset(way.dependents)


class _Way:
    """The way of control from an operation on. dependents: the instructions on it that must wait for the operation."""

    def __init__(self, engine: Engine, operation: Site) -> None:
        self._engine = engine
        self._operation = operation
        self.dependents: set[Site] = set()

    def issue(self, segment: Segment, state: WaitState) -> WaitState:
        """The state after the segment that issues the operation."""
        walk = _FeasibleWalk(self._engine, state, self._operation, set())
        for site in segment.sites:
            if site is self._operation:
                walk.begin(self.dependents)
            walk.step(site)
        return walk.state()

    def transfer(self, segment: Segment, state: WaitState) -> "WaitState | None":
        """The state after a segment; None if the operation is no longer in flight, or is issued again."""
        walk = _FeasibleWalk(self._engine, state, self._operation, self.dependents)
        for site in segment.sites:
            if site is self._operation:
                return None
            walk.step(site)
        after = walk.state()
        is_in_flight = any(each.site is self._operation for entries in after.pending for each in entries)
        return after if is_in_flight and segment.flow != "call" else None


class _FeasibleWalk(WaitWalk):
    """Goes through instructions, and notes those that must wait for an operation, which is done after the first."""

    __slots__ = ("_dependents", "_operation")

    def __init__(self, engine: Engine, state: WaitState, operation: Site, dependents: set[Site]) -> None:
        super().__init__(engine, state)
        self._operation = operation
        self._dependents = dependents

    def begin(self, dependents: set[Site]) -> None:
        """Come to the operation; if an earlier issue of it is in flight, that was followed when it was made."""
        self._dependents = dependents
        self._end()

    def _end(self) -> None:
        self._entries = [[each for each in entries if each.site is not self._operation] for entries in self._entries]

    def _report(self, site: Site, causes: list[Cause]) -> None:
        if any(cause.pending.site is self._operation for cause in causes):
            self._dependents.add(site)
            self._end()

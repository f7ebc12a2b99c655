"""Follows control onward from one node, along the paths that exist.

`control.paths` keeps the states at each node by the answers to repeated questions, from every entry at once, and drops
answers where there are too many. From one node there are far fewer: most questions were answered on the way to it.

Question: to which nodes does control come after one, with which state?
Direction: forward from the node. The answers known at it are those that all paths to it give.
Lattice and join: for each set of answers the caller's states; the caller's join.
May or must: as the caller's; branches that contradict an answer are not taken.
Ignored: which of several paths led to the node, where they gave different answers. Where another node has more than
four sets of answers, those to questions that were not answered before the first.
"""

import heapq
from collections.abc import Callable, Collection
from typing import Generic, NamedTuple, TypeVar

from gcn_lsp.analysis.control import paths
from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Segment

State = TypeVar("State")

_VARIANTS = 4  # sets of facts for a node


class Start(NamedTuple, Generic[State]):
    """Where control leaves: the node, the answers known before it, as in `paths.Facts`, and the state after it."""

    node: int
    answers: int
    after: State


def follow(
    graph: Graph,
    start: Start[State],
    transfer: "Callable[[Segment, State], State | None]",
    join: Callable[[State, State], State],
    most: int,
) -> int:
    """Follow control from the end of a node; the number of segments passed, which is below `most` if it is complete.

    transfer: the state after a segment, None where nothing further is of interest. join: as in `flow.solver.solve`.
    """
    facts = paths.facts_of(graph)
    answered = paths.about(start.answers)
    arrived: dict[int, dict[int, State]] = {}
    waiting: list[tuple[int, int]] = []
    is_waiting: set[tuple[int, int]] = set()

    def leave(left: int, known: int, state: State) -> None:
        for successor, answers in facts.ways(graph, left, known):
            states = arrived.setdefault(successor, {})
            kept = answers & facts.matter[successor]
            if kept not in states and len(states) >= _VARIANTS:
                kept &= answered
            before = states.get(kept)
            joined = state if before is None else join(before, state)
            if joined is not before:
                states[kept] = joined
                here = successor, kept
                if here not in is_waiting:
                    is_waiting.add(here)
                    heapq.heappush(waiting, here)

    leave(start.node, start.answers, start.after)
    passed = 0
    while waiting and passed < most:
        passed += 1
        here = heapq.heappop(waiting)
        is_waiting.discard(here)
        node, known = here
        left = transfer(graph.nodes[node], arrived[node][known])
        if left is not None:
            leave(*here, left)
    return passed


def certain(graph: Graph, entries: Collection[int]) -> "list[int | None]":
    """For each node the answers that every path to it gives, as in `paths.Facts`; None if control never arrives."""
    facts = paths.facts_of(graph)
    known: list[int | None] = [None] * len(graph.nodes)
    waiting = sorted(entries)
    for node in waiting:
        known[node] = 0
    is_waiting = set(waiting)
    while waiting:
        node = heapq.heappop(waiting)
        is_waiting.discard(node)
        for successor, answers in facts.ways(graph, node, known[node] or 0):
            before = known[successor]
            joined = answers & facts.matter[successor] if before is None else before & answers
            if joined != before:
                known[successor] = joined
                if successor not in is_waiting:
                    is_waiting.add(successor)
                    heapq.heappush(waiting, successor)
    return known

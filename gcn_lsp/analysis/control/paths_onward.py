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

from collections.abc import Callable, Collection
from operator import and_
from typing import Generic, TypeVar

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import paths
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment
from gcn_lsp.flow.search import Fixpoint
from gcn_lsp.records import NamedTuple

State = TypeVar("State")


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
    variants: dict[int, set[int]] = {}
    search: Fixpoint[tuple[int, int], State] = Fixpoint(join, most)

    def leave(left: int, known: int, state: State) -> None:
        for successor, answers in facts.ways(graph, left, known):
            seen = variants.setdefault(successor, set())
            kept = answers & facts.matter[successor]
            if kept not in seen and len(seen) >= bounds.VARIANTS_ONWARD:
                kept &= answered
            seen.add(kept)
            search.arrive((successor, kept), state)

    leave(start.node, start.answers, start.after)
    for (node, known), state in search:
        left = transfer(graph.nodes[node], state)
        if left is not None:
            leave(node, known, left)
    return search.visits


def certain(graph: Graph, entries: Collection[int]) -> "list[int | None]":
    """For each node the answers that every path to it gives, as in `paths.Facts`; None if control never arrives."""
    facts = paths.facts_of(graph)
    search: Fixpoint[int, int] = Fixpoint(and_)
    for node in entries:
        search.arrive(node, 0)
    for node, known in search:
        for successor, answers in facts.ways(graph, node, known):
            search.arrive(successor, answers & facts.matter[successor])
    return [search.states.get(node) for node in range(len(graph.nodes))]

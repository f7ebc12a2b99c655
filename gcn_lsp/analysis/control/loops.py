"""The loops of a graph: what lies between a branch back and the head that it leads to.

Question: which nodes belong to the rounds of the loop that a branch back closes?
Direction: backward, from the branch to the head.
May or must: may; a node on some path from the head to the branch belongs to the loop.
Ignored: loops that no edge to an earlier node closes.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from gcn_lsp.analysis.control.graphs import Graph, GraphShape
from gcn_lsp.analysis.control.segment_questions import Found
from gcn_lsp.flow.kept import once, renewed
from gcn_lsp.flow.search import Search
from gcn_lsp.records import NamedTuple


class Loop(NamedTuple):
    """A loop. head: the node that each round begins with; last: the one that leads back; body: all its nodes."""

    head: int
    last: int
    body: frozenset[int]


def body(graph: Graph, head: int, last: int) -> set[int]:
    """The nodes on the ways from the head to the branch back, without those on which control comes into the middle."""
    return _body(graph.shape, head, last)


def whole(graph: Graph, loop: Loop) -> Loop:
    """A loop with all rounds that begin at its head, also those after other branches back."""
    lasts = [each for each in graph.predecessors[loop.head] if each >= loop.head]
    return loop._replace(body=loop.body.union(*(_body(graph.shape, loop.head, each) for each in lasts)))


def round_of(graph: Graph, node: int) -> "Loop | None":
    """The loop that a branch back at the end of a node closes, without the rounds that other branches close."""
    heads = [each for each in graph.successors[node] if each <= node]
    return Loop(heads[0], node, frozenset(body(graph, heads[0], node))) if len(heads) == 1 else None


def closed_by(graph: Graph, node: int) -> "Loop | None":
    """The loop that a branch back at the end of a node closes, with all its rounds."""
    loop = round_of(graph, node)
    return whole(graph, loop) if loop is not None else None


def innermost(graph: Graph, node: int) -> "Loop | None":
    """The smallest loop that a node is in."""
    return _innermost(graph.shape).get(node)


Result = TypeVar("Result")


class _OfLoops(NamedTuple, Generic[Result]):
    """The results, and by branch the nodes that each depends on, with the loop and its result if there is one."""

    shape: GraphShape
    found: list[tuple[int, Loop, Result]]
    by_branch: dict[int, tuple[frozenset[int], "tuple[int, Loop, Result] | None"]]


def in_loops(
    branches: Callable[[Graph], Found[Any]],
    loop_of: Callable[[Graph, int], "Loop | None"],
    find: Callable[[Graph, Loop, int], "Result | None"],
) -> Callable[[Graph], list[tuple[int, Loop, Result]]]:
    """The branches with a result that is not empty, each with its loop. Those that an edit does not touch are kept.

    branches: nodes that end with a branch. loop_of: the loop of a branch; it depends on the shape of the graph alone.
    find: depends on nothing but that, and the instructions of the loop.
    """

    @renewed
    def kept(graph: Graph, earlier: "_OfLoops[Result] | None") -> _OfLoops[Result]:
        changed = graph.changed
        is_kept = earlier is not None and changed is not None and earlier.shape is graph.shape
        known = earlier.by_branch if earlier is not None and is_kept else {}
        touched = range(changed.front, changed.end) if changed is not None else range(0)
        by_branch = {}
        for node, _ in branches(graph):
            result = known.get(node)
            if result is None or not result[0].isdisjoint(touched):
                loop = loop_of(graph, node)
                found = find(graph, loop, node) if loop is not None else None
                body = loop.body if loop is not None else frozenset((node,))
                result = body, (node, loop, found) if loop is not None and found else None
            by_branch[node] = result
        return _OfLoops(graph.shape, [found for _, found in by_branch.values() if found is not None], by_branch)

    return lambda graph: kept(graph).found


def is_passed_in_each_round(graph: Graph, loop: Loop, node: int) -> bool:
    """Whether no way from the head of a loop back to it leaves out a node."""
    if node == loop.head:
        return True
    search = Search((loop.head,))
    for each in search:
        if loop.head in graph.successors[each]:
            return False
        search.add(after for after in graph.successors[each] if after in loop.body and after != node)
    return True


def _body(shape: GraphShape, head: int, last: int) -> set[int]:
    search = Search((last,))
    search.seen.add(head)
    for node in search:
        if node != head:
            search.add(shape.predecessors[node])
    before = search.seen  # with what leads into the middle, where compilers begin loops that end at their head
    rounds = Search((head,))
    for node in rounds:
        rounds.add(after for after in shape.successors[node] if after in before)
    return rounds.seen


@once
def _innermost(shape: GraphShape) -> dict[int, Loop]:
    found: dict[int, Loop] = {}
    backward = [(head, last) for last, after in enumerate(shape.successors) for head in after if head <= last]
    loops = (Loop(head, last, frozenset(_body(shape, head, last))) for head, last in backward)
    for loop in sorted(loops, key=lambda loop: -len(loop.body)):
        found.update(dict.fromkeys(loop.body, loop))
    return found

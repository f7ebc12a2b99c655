"""The loops of a graph: what lies between a branch back and the head that it leads to.

Question: which nodes belong to the rounds of the loop that a branch back closes?
Direction: backward, from the branch to the head.
May or must: may; a node on some path from the head to the branch belongs to the loop.
Ignored: loops that no edge to an earlier node closes.
"""

from gcn_lsp.analysis.control.graphs import Graph, GraphShape
from gcn_lsp.flow.kept import once
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


def innermost(graph: Graph, node: int) -> "Loop | None":
    """The smallest loop that a node is in."""
    return _innermost(graph.shape).get(node)


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

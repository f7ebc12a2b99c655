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
    """The nodes from which control reaches the branch back without passing the head again, and the head."""
    return _body(graph.shape, head, last)


def innermost(graph: Graph, node: int) -> "Loop | None":
    """The smallest loop that a node is in."""
    return _innermost(graph.shape).get(node)


def is_passed_in_each_round(graph: Graph, loop: Loop, node: int) -> bool:
    """Whether no way from the head of a loop to the branch back leaves out a node."""
    if node in (loop.head, loop.last):
        return True
    search = Search((loop.head,))
    for each in search:
        if each == loop.last:
            return False
        search.add(after for after in graph.successors[each] if after in loop.body and after != node)
    return True


def _body(shape: GraphShape, head: int, last: int) -> set[int]:
    search = Search((last,))
    search.seen.add(head)
    for node in search:
        if node != head:
            search.add(shape.predecessors[node])
    return search.seen


@once
def _innermost(shape: GraphShape) -> dict[int, Loop]:
    found: dict[int, Loop] = {}
    backward = [(head, last) for last, after in enumerate(shape.successors) for head in after if head <= last]
    loops = (Loop(head, last, frozenset(_body(shape, head, last))) for head, last in backward)
    for loop in sorted(loops, key=lambda loop: -len(loop.body)):
        found.update(dict.fromkeys(loop.body, loop))
    return found

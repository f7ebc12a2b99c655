"""Branches that separate paths which have just joined, each toward the arm that is right for it.

A loop that is unrolled twice has an exit in either half, with different loads in flight. Both exits lead to one place,
which computes from the number of rounds which half was the last one, and branches to the matching end. Nothing in the
code says that the branch and the exits agree, but the two ends show it: each is right after some of the exits and wrong
after others.
"""

from collections.abc import Iterable, Sequence

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.records import NamedTuple

_ARMS = 2


class Fork(NamedTuple):
    """A branch where paths join. predecessors: the nodes that lead to it. stem: the nodes up to the branch.

    arms: for each way on, the consecutive nodes that only it leads to.
    """

    predecessors: tuple[int, ...]
    stem: tuple[int, ...]
    arms: tuple[tuple[int, ...], ...]


def containing(graph: Graph, nodes: Iterable[int]) -> list[Fork]:
    """The forks with some of `nodes` in an arm."""
    found: dict[int, Fork] = {}
    for node in nodes:
        branch = _branch_before(graph, node)
        if branch is not None and branch not in found:
            fork = _fork(graph, branch)
            if fork is not None:
                found[branch] = fork
    return list(found.values())


def right_ways(wrong: Sequence[Sequence[bool]]) -> "tuple[list[int], list[int]] | None":
    """For both arms, the paths that it is right for; None unless the arms are for different paths.

    wrong: for each path, whether something is wrong in either arm.
    """
    first, second = ([way for way, arms in enumerate(wrong) if not arms[arm]] for arm in range(_ARMS))
    everywhere = set(range(len(wrong)))
    # Each arm is right for some paths and wrong for others, and each path has an arm that is right.
    if not first or not second or len(first) == len(everywhere) or len(second) == len(everywhere):
        return None
    return (first, second) if everywhere == {*first, *second} else None


def _branch_before(graph: Graph, node: int) -> "int | None":
    """The node with the branch to the arm that a node is in; None if it is in none."""
    seen = {node}
    while True:
        before = graph.predecessors[node]
        if len(before) != 1 or before[0] in seen or node in graph.entries:
            return None
        (node,) = before
        if len(graph.successors[node]) == _ARMS:
            return node
        seen.add(node)


def _fork(graph: Graph, branch: int) -> "Fork | None":
    if graph.nodes[branch].flow != "conditional":
        return None
    stem = [branch]
    while len(graph.predecessors[stem[0]]) == 1 and len(graph.successors[graph.predecessors[stem[0]][0]]) == 1:
        before = graph.predecessors[stem[0]][0]
        if before in stem:
            return None
        stem.insert(0, before)
    ways = tuple(graph.predecessors[stem[0]])
    arms = tuple(_arm(graph, branch, successor) for successor in graph.successors[branch])
    if len(ways) < _ARMS or stem[0] in graph.entries or not all(arms):
        return None
    return Fork(ways, tuple(stem), arms)


def _arm(graph: Graph, branch: int, node: int) -> tuple[int, ...]:
    """The nodes after a branch that only it leads to, up to the next branch or join."""
    found: list[int] = []
    before = branch
    while graph.predecessors[node] == [before] and node not in graph.entries:
        found.append(node)
        if len(graph.successors[node]) != 1:
            break
        before, node = node, graph.successors[node][0]
    return tuple(found)

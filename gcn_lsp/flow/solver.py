"""Finds the least fixed point of a forward dataflow problem over a graph."""

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

State = TypeVar("State")
# Nodes can be ordered: they are numbers, or tuples of them.
Node = TypeVar("Node", int, tuple[int, int])


_SEVERAL = -1  # no node's number


def explore(
    entries: Mapping[Node, State],
    step: Callable[[Node, State], Iterable[tuple[Node, State]]],
    join: Callable[[State, State], State],
) -> dict[Node, State]:
    """The state before each reachable node.

    entries: the states in which control enters from outside. step: the nodes that control reaches from a node in a
    state, and the state on arrival; monotone. join: the least state that covers two; it returns its first argument, the
    very object, if that covers the second. States are compared by identity.

    Nodes are taken in ascending order, so that numbering them in program order visits straight code once. A state that
    arrives again by the only edge into a node replaces the earlier one without a join: a join that gives up exactness
    for speed does so only where paths meet, however straight code is cut into nodes.
    """
    before: dict[Node, State] = dict(entries)
    only: dict[Node, Node | None] = dict.fromkeys(entries)  # the one node that control comes from; None for several
    waiting = list(before)
    is_waiting = set(waiting)
    heapq.heapify(waiting)
    while waiting:
        node = heapq.heappop(waiting)
        is_waiting.discard(node)
        for successor, after in step(node, before[node]):
            known = before.get(successor)
            is_only = known is None or only[successor] == node
            only[successor] = node if is_only else None
            joined = _arrived(known, after, join, is_only=is_only)
            if joined is not known:
                before[successor] = joined
                if successor not in is_waiting:
                    is_waiting.add(successor)
                    heapq.heappush(waiting, successor)
    return before


def _arrived(known: "State | None", after: State, join: Callable[[State, State], State], *, is_only: bool) -> State:
    """The state before a node after `after` arrives there; the very `known` if that changes nothing.

    is_only: whether the node has no other edge into it so far.
    """
    if known is None:
        return after
    if is_only:
        return known if after == known else after
    return join(known, after)


def solve(
    successors: Sequence[Sequence[int]],
    entries: Mapping[int, State],
    transfer: Callable[[int, State], State],
    join: Callable[[State, State], State],
) -> "list[State | None]":
    """The state before each of the nodes 0 to n - 1 of a graph; None for those that are not reachable.

    successors: the nodes after each node. transfer: the state after a node, from the one before it; its last call for
    each node has the state that is returned for it. The rest is as in `explore`.
    """
    # As `explore`, for nodes that are numbers: a byte for each says whether it waits.
    before: list[State | None] = [None] * len(successors)
    only = [_SEVERAL] * len(successors)  # the one node that control comes from
    waiting = bytearray(len(successors))
    for node, state in entries.items():
        before[node] = state
        waiting[node] = 1
    node = waiting.find(1)
    while node >= 0:
        waiting[node] = 0
        known = before[node]
        assert known is not None, "only what has a state waits"
        after = transfer(node, known)
        lowest = node + 1  # this was the lowest that waited
        for successor in successors[node]:
            known = before[successor]
            is_only = known is None or only[successor] == node
            only[successor] = node if is_only else _SEVERAL
            joined = _arrived(known, after, join, is_only=is_only)
            if joined is not known:
                before[successor] = joined
                waiting[successor] = 1
                lowest = min(lowest, successor)
        node = waiting.find(1, lowest)
    return before

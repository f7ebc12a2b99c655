"""Finds the least fixed point of a forward dataflow problem over a graph with numbered nodes."""

import heapq
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

State = TypeVar("State")


def solve(
    successors: Sequence[Sequence[int]],
    entries: Mapping[int, State],
    transfer: Callable[[int, State], State],
    join: Callable[[State, State], State],
) -> "list[State | None]":
    """The state before each node; None for those that nothing leads to.

    successors: the nodes after each node. entries: the states in which control comes in from outside. transfer: the
    state after a node, from that before it; monotone. join: the least state that covers two; it returns its first
    argument, the very object, when that covers the second. States are compared by identity.

    Nodes are taken in ascending order, so that numbering them in program order visits straight code once.
    """
    before: list[State | None] = [None] * len(successors)
    waiting: list[int] = []
    is_waiting = bytearray(len(successors))
    for node, state in entries.items():
        before[node] = state
        is_waiting[node] = 1
        waiting.append(node)
    heapq.heapify(waiting)
    while waiting:
        node = heapq.heappop(waiting)
        is_waiting[node] = 0
        state_before = before[node]
        assert state_before is not None
        after = transfer(node, state_before)
        for successor in successors[node]:
            known = before[successor]
            joined = after if known is None else join(known, after)
            if joined is not known:
                before[successor] = joined
                if not is_waiting[successor]:
                    is_waiting[successor] = 1
                    heapq.heappush(waiting, successor)
    return before

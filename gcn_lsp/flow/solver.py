"""Finds the least fixed point of a forward dataflow problem over a graph."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Generic, TypeVar

from gcn_lsp.flow.steps import give_way
from gcn_lsp.records import NamedTuple

State = TypeVar("State")


_SEVERAL = -1  # no node's number


def arrived(known: "State | None", after: State, join: Callable[[State, State], State], *, is_only: bool) -> State:
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

    successors: the nodes after each node. entries: the states in which control enters from outside. transfer: the state
    after a node, from the one before it; monotone. join: the least state that covers two; it returns its first
    argument, the very object, if that covers the second. States are compared by identity.

    Nodes are taken in ascending order, so that numbering them in program order visits straight code once. A state that
    arrives again by the only edge into a node replaces the earlier one without a join: a join that gives up exactness
    for speed does so only where paths meet, however straight code is cut into nodes.
    """

    def pass_through(node: int, state: State) -> tuple[State, None]:
        return transfer(node, state), None

    return pass_blocks(range(len(successors)), Blocks.of(successors), entries, pass_through, join).before


Result = TypeVar("Result")
Value = TypeVar("Value")


class Blocks:
    """The edges of a graph whose nodes are divided into blocks. No edge leads from a node of a block to an earlier one.

    limits: the first node of each block and the one after its last. ways: the nodes after each node, as their distance.
    """

    def __init__(self, limits: Sequence[tuple[int, int]], ways: Sequence[Sequence[int]]) -> None:
        self.limits = limits
        self.ways = ways

    @classmethod
    def of(cls, successors: Sequence[Sequence[int]], firsts: Iterable[int] = ()) -> "Blocks":
        """The blocks of a graph; each but the first begins with one of `firsts`."""
        count = len(successors)
        lowest = [count] * (count + 1)  # the lowest node that one of those from here on leads to
        for node in range(count - 1, -1, -1):
            lowest[node] = min((lowest[node + 1], *successors[node]))
        starts = [0, *(node for node in firsts if 0 < node <= lowest[node]), count]
        ways = [tuple([other - node for other in after]) for node, after in enumerate(successors)]
        return cls(tuple(pairwise(starts)), ways)


class BlockResult(NamedTuple, Generic[State, Result]):
    """What happened in one block: it depends on the first three alone.

    nodes: its values. ways: its part of `Blocks.ways`. arrived: the state before each node after all earlier blocks.
    before, results: of its nodes at the end. leaving: the states that left the block, in that order, each with the
    distances of its node from the first one, and of the node after it from that.
    """

    nodes: Sequence[Any]
    ways: Sequence[Sequence[int]]
    arrived: "list[State | None]"
    before: "list[State | None]"
    results: "list[Result | None]"
    leaving: list[tuple[int, int, State]]


class Solution(NamedTuple, Generic[State, Result]):
    """The state before each node, None where control does not arrive, and the result of passing the node in it.

    blocks: those in which control arrives, by the identity of the value of their first node.
    """

    before: "list[State | None]"
    results: "list[Result | None]"
    blocks: "dict[int, BlockResult[State, Result]]"


def pass_blocks(
    nodes: Sequence[Value],
    blocks: Blocks,
    entries: Mapping[int, State],
    pass_through: Callable[[Value, State], tuple[State, Result]],
    join: Callable[[State, State], State],
    earlier: "Solution[State, Result] | None" = None,
) -> "Solution[State, Result]":
    """As `solve`, for nodes with values, with the result of passing each node in the state before it.

    earlier: the solution of the same problem on another graph. Nodes are taken in ascending order, so nothing in a
    block depends on a later one. If the earlier solution has the same block, with the same states arriving at it, the
    same happened in it, and it is not passed again.
    """
    before: list[State | None] = [None] * len(nodes)
    results: list[Result | None] = [None] * len(nodes)
    only = [_SEVERAL] * len(nodes)  # the one node that control comes from
    waiting = bytearray(len(nodes))  # whether each node waits
    passed: dict[int, BlockResult[State, Result]] = {}
    ways = blocks.ways

    def arrive(node: int, successor: int, after: State) -> bool:
        known = before[successor]
        is_only = known is None or only[successor] == node
        only[successor] = node if is_only else _SEVERAL
        joined = arrived(known, after, join, is_only=is_only)
        if joined is known:
            return False
        before[successor] = joined
        waiting[successor] = 1
        return True

    for node, state in entries.items():
        before[node] = state
        waiting[node] = 1
    for first, end in blocks.limits:
        node = waiting.find(1, first, end)
        if node < 0:
            continue
        values, start, own = nodes[first:end], before[first:end], ways[first:end]
        known = earlier.blocks.get(id(values[0])) if earlier is not None else None
        if known is not None and known.arrived == start and known.nodes == values and known.ways == own:
            before[first:end] = known.before
            results[first:end] = known.results
            for offset, way, after in known.leaving:
                arrive(first + offset, first + offset + way, after)
            passed[id(values[0])] = known
            continue
        leaving: list[tuple[int, int, State]] = []
        while node >= 0:
            give_way()
            waiting[node] = 0
            arrival = before[node]
            assert arrival is not None, "only what has a state waits"
            after, results[node] = pass_through(nodes[node], arrival)
            lowest = node + 1  # this was the lowest that waited
            for way in ways[node]:
                successor = node + way
                is_new = arrive(node, successor, after)
                if successor >= end:
                    leaving.append((node - first, way, after))
                elif is_new and successor < lowest:
                    lowest = successor
            node = waiting.find(1, lowest, end)
        passed[id(values[0])] = BlockResult(values, own, start, before[first:end], results[first:end], leaving)
    return Solution(before, results, passed)

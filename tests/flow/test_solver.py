"""The fixed-point solver: joins, loops, and nodes that nothing reaches."""

import random
from collections.abc import Sequence

import pytest

from gcn_lsp.flow.solver import Blocks, pass_blocks, solve

Set = frozenset


def union(one: "Set[int]", other: "Set[int]") -> "Set[int]":
    return one if other <= one else one | other


def test_a_join_takes_both_sides() -> None:
    found = solve([(1, 2), (3,), (3,), ()], {0: Set({0})}, lambda node, state: union(state, Set({node})), union)
    assert found == [Set({0}), Set({0}), Set({0}), Set({0, 1, 2})]


def test_a_loop_reaches_a_fixed_point() -> None:
    found = solve([(1,), (2,), (1, 3), ()], {0: Set({9})}, lambda node, state: union(state, Set({node})), union)
    assert found[1] == Set({9, 0, 1, 2})
    assert found[3] == Set({9, 0, 1, 2})


def test_what_nothing_reaches_has_no_state() -> None:
    assert solve([(), (0,)], {0: Set({1})}, lambda _, state: state, union) == [{1}, None]


def test_straight_code_is_visited_once() -> None:
    visits: list[int] = []

    def transfer(node: int, state: "Set[int]") -> "Set[int]":
        visits.append(node)
        return union(state, Set({node}))

    solve([(node + 1,) for node in range(99)] + [()], {0: Set({0})}, transfer, union)
    assert visits == list(range(100))


@pytest.mark.parametrize("cuts", [1, 2, 5])
def test_a_join_that_widens_does_so_only_where_ways_meet(cuts: int) -> None:
    # A loop whose body, in so many pieces, leaves two to five; only its head takes a bound of eight for it.
    successors = [(1,), *[(node + 1,) for node in range(1, cuts)], (1, cuts + 1), ()]

    def transfer(node: int, state: int) -> int:
        return min(state, 3) + 2 if node == 1 else state

    def widened(one: int, other: int) -> int:
        return one if other <= one else 8

    found = solve(successors, {0: 0}, transfer, widened)
    assert found == [0, 8, *[5] * cuts]


class Node:
    """A node that adds some numbers and takes others away. Two nodes are equal only if they are one object."""

    def __init__(self, added: "Set[int]", removed: "Set[int]", way: "int | None" = None) -> None:
        self.added, self.removed, self.way = added, removed, way


def some_node(dice: random.Random) -> Node:
    added, removed = (Set(dice.sample(range(20), dice.randrange(3))) for _ in range(2))
    return Node(added, removed, dice.choice([None, None, None, dice.randint(-6, 9)]))


def ways(nodes: Sequence[Node]) -> list[tuple[int, ...]]:
    """Every node leads to the next, some also over a distance."""
    found = []
    for number, node in enumerate(nodes):
        after = {number + 1, *([number + node.way] if node.way is not None else [])}
        found.append(tuple(sorted(each for each in after if 0 <= each < len(nodes))))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_what_an_earlier_solution_saves_changes_nothing(seed: int) -> None:
    dice = random.Random(seed)
    nodes = [some_node(dice) for _ in range(80)]
    calls = 0

    def pass_through(node: Node, state: "Set[int]") -> "tuple[Set[int], int]":
        nonlocal calls
        calls += 1
        return (state - node.removed) | node.added, len(state)

    def once_more(earlier: object = None) -> object:
        blocks = Blocks.of(ways(nodes), range(0, len(nodes), 5))
        return pass_blocks(nodes, blocks, {0: Set(), 40: Set({1})}, pass_through, union, earlier)  # type: ignore[arg-type]

    kept = once_more()
    fewest = calls
    for _ in range(12):
        place = dice.randrange(len(nodes))
        nodes[place : place + dice.randrange(2)] = [some_node(dice) for _ in range(dice.randrange(3))]
        calls = 0
        kept = once_more(kept)
        fewest = min(fewest, calls)
        fresh = once_more()
        assert (kept.before, kept.results) == (fresh.before, fresh.results)  # type: ignore[attr-defined]
    assert fewest < 70, "no block was reused"


def test_blocks_end_where_no_edge_leads_back() -> None:
    successors = [(1,), (2,), (1, 3), (4,), (5,), (3, 6), ()]
    assert Blocks.of(successors, range(7)).limits == ((0, 1), (1, 3), (3, 6), (6, 7))
    assert Blocks.of(successors, (2, 3, 4)).limits == ((0, 3), (3, 7))
    assert Blocks.of([]).limits == ((0, 0),)

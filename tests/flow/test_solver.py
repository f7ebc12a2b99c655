"""The fixed-point solver: joins, loops, and nodes that nothing reaches."""

import pytest

from gcn_lsp.flow.solver import explore, solve

Set = frozenset


def union(one: "Set[int]", other: "Set[int]") -> "Set[int]":
    return one if other <= one else one | other


def test_a_join_takes_both_sides() -> None:
    found = solve([(1, 2), (3,), (3,), ()], {0: Set({0})}, lambda node, state: union(state, Set({node})), union)
    assert found == [{0}, {0}, {0}, {0, 1, 2}]


def test_a_loop_reaches_a_fixed_point() -> None:
    found = solve([(1,), (2,), (1, 3), ()], {0: Set({9})}, lambda node, state: union(state, Set({node})), union)
    assert found[1] == {9, 0, 1, 2}
    assert found[3] == {9, 0, 1, 2}


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

    explored = explore(
        {(0, 0): 0},
        lambda place, state: [((after, 0), transfer(place[0], state)) for after in successors[place[0]]],
        widened,
    )
    found = solve(successors, {0: 0}, transfer, widened)
    assert found == [0, 8, *[5] * cuts]
    assert found == [explored.get((node, 0)) for node in range(len(successors))]

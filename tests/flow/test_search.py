"""Searches: each place once, fixed points, bounds; on random graphs the same as a search without any order."""

from collections.abc import Mapping, Sequence
from operator import or_

from hypothesis import given
from hypothesis import strategies as st

from gcn_lsp.flow import solver
from gcn_lsp.flow.search import Fixpoint, Search, reached

Graph = Sequence[Sequence[int]]  # the nodes after each node


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 12))
    nodes = st.integers(0, count - 1)
    return draw(st.lists(st.lists(nodes, max_size=3), min_size=count, max_size=count))


def naive(graph: Graph, starts: Sequence[int]) -> set[int]:
    """What a search finds that goes over all nodes until nothing is new."""
    found = set(starts)
    while more := {after for node in found for after in graph[node]} - found:
        found |= more
    return found


def bits(graph: Graph, entries: Mapping[int, int], own: Sequence[int]) -> dict[int, int]:
    """The bits before each node: those that control brings, where each node clears its own and sets the next one."""
    search: Fixpoint[int, int] = Fixpoint(or_)
    for node, state in entries.items():
        search.arrive(node, state)
    for node, state in search:
        for after in graph[node]:
            search.arrive(after, passed(own[node], state))
    return search.states


def passed(own: int, state: int) -> int:
    return state & ~own | own << 1


@given(graphs(), st.data())
def test_a_search_reaches_the_same_as_a_naive_one(graph: Graph, data: st.DataObject) -> None:
    starts = data.draw(st.lists(st.integers(0, len(graph) - 1), max_size=3))
    assert reached(starts, graph.__getitem__) == naive(graph, starts)


@given(graphs())
def test_a_search_visits_each_place_once_and_in_the_same_order_each_time(graph: Graph) -> None:
    def visits() -> list[int]:
        search, found = Search([0]), []
        for node in search:
            found.append(node)
            search.add(graph[node])
        return found

    first = visits()
    assert len(first) == len(set(first))
    assert visits() == first


def test_the_place_added_last_is_visited_first() -> None:
    search, found = Search([0]), []
    for node in search:
        found.append(node)
        search.add({0: (1, 2), 2: (3, 1)}.get(node, ()))
    assert found == [0, 2, 3, 1]


def test_a_search_goes_on_with_what_is_added_after_its_end() -> None:
    search = Search([0])
    assert [*search] == [0]
    search.add([0, 7])
    assert [*search] == [7]


@given(graphs(), st.data())
def test_a_fixed_point_is_the_one_of_the_solver(graph: Graph, data: st.DataObject) -> None:
    own = data.draw(st.lists(st.sampled_from([0, 1, 2, 4]), min_size=len(graph), max_size=len(graph)))
    entries = data.draw(st.dictionaries(st.integers(0, len(graph) - 1), st.sampled_from([0, 1, 8]), max_size=3))

    def join(one: int, other: int) -> int:
        return one | other

    solved = solver.solve(graph, entries, lambda node, state: passed(own[node], state), join)
    assert bits(graph, entries, own) == {node: state for node, state in enumerate(solved) if state is not None}


def test_a_fixed_point_takes_the_lowest_place_first_and_straight_code_once() -> None:
    visits = []
    search: Fixpoint[int, int] = Fixpoint(or_)
    for node in (3, 0, 5):
        search.arrive(node, 1 << node)
    for node, state in search:
        visits.append((node, state))
        if node < 6:
            search.arrive(node + 1, state)
    assert visits == [(0, 1), (1, 1), (2, 1), (3, 9), (4, 9), (5, 41), (6, 41)]


def test_a_state_that_changes_nothing_brings_no_visit() -> None:
    search: Fixpoint[str, frozenset[int]] = Fixpoint(frozenset.union)
    search.arrive("here", frozenset((1, 2)))
    assert [*search] == [("here", {1, 2})]
    search.arrive("here", frozenset((2,)))
    assert [*search] == []


def test_a_fixed_point_stops_at_its_bound() -> None:
    search: Fixpoint[int, int] = Fixpoint(max, most=3)
    search.arrive(0, 0)
    for node, state in search:
        search.arrive(node + 1, state)
    assert search.visits == 3
    assert search.states == {0: 0, 1: 0, 2: 0, 3: 0}

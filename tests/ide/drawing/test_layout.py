"""The layout of drawings: properties of any graph, and the shapes of a few."""

import time
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from gcn_lsp.ide.drawing.layout import Box, Layout, Way, layout

Edges = list[tuple[int, int]]


@some.composite
def graphs(draw: some.DrawFn) -> tuple[list[tuple[int, int]], Edges]:
    count = draw(some.integers(1, 14))
    number = some.integers(0, count - 1)
    sizes = draw(
        some.lists(some.tuples(some.integers(20, 300), some.integers(20, 200)), min_size=count, max_size=count)
    )
    return sizes, draw(some.lists(some.tuples(number, number), max_size=30))


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def uprights(way: Way) -> list[tuple[int, int, int]]:
    """The straight parts of a way: x, and the y between which they run."""
    return [(x, *sorted((y, to_y))) for (x, y), (to_x, to_y) in pairwise(way.points) if x == to_x]  # type: ignore[misc]


def chain(count: int) -> Edges:
    return list(pairwise(range(count)))


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_boxes_are_apart_and_inside_and_ways_join_them(graph: tuple[list[tuple[int, int]], Edges]) -> None:
    sizes, edges = graph
    laid = layout(sizes, edges)
    assert [(box.width, box.height) for box in laid.boxes] == sizes
    assert not any(overlap(one, other) for one, other in combinations(laid.boxes, 2))
    assert all(box.x >= 0 and box.x + box.width <= laid.width for box in laid.boxes)
    assert all(box.y >= 0 and box.y + box.height <= laid.height for box in laid.boxes)
    for (source, target), way in zip(edges, laid.ways, strict=True):
        above, below = laid.boxes[source], laid.boxes[target]
        (x, y), (to_x, to_y) = way.points[0], way.points[-1]
        assert above.x <= x <= above.x + above.width
        assert y == above.y + above.height
        assert below.x <= to_x <= below.x + below.width
        assert to_y == below.y
        assert way.is_back == (to_y < y)


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_no_way_runs_through_a_box(graph: tuple[list[tuple[int, int]], Edges]) -> None:
    laid = layout(*graph)
    for way in laid.ways:
        for x, top, bottom in uprights(way):
            for box in laid.boxes:
                assert not (box.x < x < box.x + box.width and top < box.y + box.height and box.y < bottom)


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_the_same_graph_has_the_same_layout(graph: tuple[list[tuple[int, int]], Edges]) -> None:
    assert layout(*graph) == layout(*graph)


def test_only_ways_to_a_box_on_the_path_lead_back() -> None:
    laid = layout([(50, 20)] * 5, [(0, 1), (1, 2), (2, 1), (1, 3), (0, 4), (4, 3), (2, 2)])
    assert [way.is_back for way in laid.ways] == [False, False, True, False, False, False, True]


def test_a_diamond_has_both_sides_beside_each_other_and_crosses_nothing() -> None:
    laid = layout([(100, 40)] * 4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    first, left, right, last = laid.boxes
    assert left.y == right.y
    assert left.x + left.width < right.x
    assert first.x == last.x
    assert abs(first.x + 50 - (left.x + right.x + 100) / 2) <= 1


def test_many_exits_to_one_end_are_one_line() -> None:
    count = 40
    laid = layout([(100, 30)] * count, [*chain(count), *((number, count - 1) for number in range(count - 2))])
    assert laid.width < 300


def crossings(laid: Layout) -> int:
    """How many curves between two layers cross."""
    curves = [
        (one, other)
        for way in laid.ways
        for one, other in pairwise(way.points)
        if one[1] < other[1] and not way.is_back
    ]
    return sum(
        one[0][1] == other[0][1] and (one[0][0] - other[0][0]) * (one[1][0] - other[1][0]) < 0
        for one, other in combinations(curves, 2)
    )


def test_sides_are_exchanged_until_no_ways_cross() -> None:
    laid = layout([(60, 20)] * 7, [(0, 1), (0, 2), (0, 3), (3, 4), (2, 5), (1, 6)])
    assert crossings(laid) == 0


@pytest.mark.parametrize("shape", ["chain", "exits", "jumps"])
def test_a_thousand_boxes_take_no_more_than_moments(shape: str) -> None:
    count = 1000
    more = {
        "chain": [],
        "exits": [(number, count - 1) for number in range(0, count - 2, 2)],
        "jumps": [(number, (number * 7 + 3) % 40 + max(0, number - 10)) for number in range(0, count - 40, 3)],
    }
    start = time.process_time()
    laid = layout([(300, 100)] * count, [*chain(count), *more[shape]])
    assert len(laid.boxes) == count
    assert time.process_time() - start < 10  # some 1.5 s on a slow machine

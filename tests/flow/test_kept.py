import gc
from typing import Any

import pytest

from gcn_lsp.flow.kept import (
    ByIdentity,
    ByTurns,
    ByValue,
    common,
    forget,
    hand_over,
    handed_on,
    last,
    latest,
    once,
    recent,
    renewed,
)


class Thing:
    def __init__(self) -> None:
        self.memo: dict[Any, Any] = {}
        self.earlier: dict[Any, Any] = {}


def test_once_is_found_once_for_each_thing() -> None:
    asked: list[Thing] = []

    @once
    def found(thing: Thing) -> None:
        asked.append(thing)

    one, other = Thing(), Thing()
    for thing in (one, one, other, one):
        found(thing)
    assert asked == [one, other], "None is a result, too"


def test_two_functions_keep_results_apart() -> None:
    thing = Thing()
    assert once(lambda _: 1)(thing) == 1
    assert once(lambda _: 2)(thing) == 2


def test_latest_goes_with_another_key() -> None:
    asked: list[int] = []

    @latest
    def found(thing: Thing, key: int, context: str) -> str:
        asked.append(key)
        return f"{context}{key}"

    thing = Thing()
    assert [found(thing, key, "k") for key in (1, 1, 2, 1)] == ["k1", "k1", "k2", "k1"]
    assert asked == [1, 2, 1]


def test_recent_has_results_for_several_keys() -> None:
    asked: list[int] = []

    @recent(2)
    def found(thing: Thing, key: int, *, context: str = "") -> int:
        asked.append(key)
        return -key

    thing = Thing()
    assert [found(thing, key) for key in (1, 2, 1, 2, 3, 3, 1)] == [-1, -2, -1, -2, -3, -3, -1]
    assert asked == [1, 2, 3, 1], "the third one takes the place of both"


def test_what_is_kept_goes_with_the_thing_even_if_it_holds_it() -> None:
    @once
    def itself(thing: Thing) -> list[Thing]:
        return [thing]

    gc.collect()
    there = sum(isinstance(each, Thing) for each in gc.get_objects())
    itself(Thing())
    gc.collect()
    assert sum(isinstance(each, Thing) for each in gc.get_objects()) == there


def test_results_by_identity_go_with_their_value() -> None:
    kept: ByIdentity[str] = ByIdentity()
    one, other = Thing(), Thing()
    assert kept.keep(one, "one") == "one"
    kept.keep(other, "other")
    assert kept[id(one)].result == "one"
    del one
    assert [each.result for each in kept.values()] == ["other"]
    assert kept.get(id(other)) is not None


def test_results_by_value_have_a_limit() -> None:
    kept: ByValue[int, int] = ByValue(3)
    sizes = []
    for number in range(7):
        assert kept.keep(number, -number) == -number
        sizes.append(len(kept))
    assert sizes == [1, 2, 3, 1, 2, 3, 1]
    with pytest.raises(KeyError):
        kept[0]


def test_results_by_turns_stay_while_they_are_asked_for() -> None:
    kept: ByTurns[int, int] = ByTurns(3)
    for number in range(9):
        assert (kept.find(0) if number else kept.keep(0, 0)) == 0
        kept.keep(100 + number, number)
    assert kept.find(100) is None, "of two turns ago"
    assert kept.size <= 6
    assert kept.find(107) == 7
    kept.clear()
    assert (kept.size, kept.find(0)) == (0, None)


def test_there_is_room_for_the_last_large_thing() -> None:
    for most, made, room in ((100, 20, 20), (10, 20, 10), (100, 1, 3)):
        kept: ByTurns[int, int] = ByTurns(3)
        with kept.whole(most):
            for number in range(made):
                kept.keep(number, number)
            with kept.whole(1):
                assert kept.limit >= min(made, most)
            assert len(kept) == min(made, most)
        assert kept.limit == room
        with kept.whole(most):
            kept.keep(-1, -1)
        assert kept.limit == 3


def test_only_large_tables_are_forgotten() -> None:
    large: ByValue[int, int] = ByValue(10_000)
    small: ByValue[int, int] = ByValue(10_000)
    heavy: ByValue[int, int] = ByValue(9000)
    for number in range(600):
        large.keep(number, number)
        heavy.keep(number, number)
    small.keep(1, 1)
    forget(600)
    assert (len(large), len(small), len(heavy)) == (600, 1, 0), "600 is more than a sixteenth of 9,000"
    forget(0)
    assert (len(large), len(small)) == (0, 1)


def test_what_none_of_the_last_files_was_worked_out_in_is_dropped() -> None:
    used, unused, small = ByTurns[int, int](10), ByTurns[int, int](10), ByTurns[int, int](10)
    for table in (used, unused):
        with table.whole(1000):
            for number in range(600):
                table.keep(number, number)
    for number in range(600):  # nobody says when this is used
        small.keep(number, number)
    left = small.size
    for _ in range(30):
        with used.whole(1000):
            assert used.find(1) == 1
        forget(10_000)
    assert (used.size, unused.size, small.size) == (600, 0, left)


def test_renewed_gets_the_result_of_the_version_before() -> None:
    @renewed
    def found(_: Thing, earlier: "int | None") -> int:
        return 1 if earlier is None else earlier + 1

    first, second = Thing(), Thing()
    once(lambda _: "not handed on")(first)
    assert found(first) == found(first) == 1
    second.earlier = handed_on(first)
    assert found(second) == found(second) == 2
    assert second.earlier == {}, "what has been renewed is gone"


def test_common_ends_of_sequences() -> None:
    assert common("abcd", "abxd") == (2, 1)
    assert common("aa", "aaa") == (2, 0)
    assert common("", "a") == (0, 0)
    for length in range(30, 100, 7):
        for place in (0, 1, 31, 32, length - 1):
            changed = [*range(length)]
            changed.insert(min(place, length), -1)
            assert common([*range(length)], changed) == (min(place, length), length - min(place, length))


def test_the_last_result_is_there_whatever_its_key() -> None:
    @latest
    def doubled(_: Thing, key: int) -> int:
        return 2 * key

    thing = Thing()
    assert last(doubled, thing) is None
    doubled(thing, 3)
    doubled(thing, 4)
    assert last(doubled, thing) == 8
    assert last(doubled, Thing()) is None


def test_a_result_is_handed_over_to_an_object_without_one() -> None:
    @latest
    def doubled(_: Thing, key: int) -> int:
        return 2 * key

    one, other, third = Thing(), Thing(), Thing()
    hand_over(doubled, one, other)
    assert last(doubled, other) is None
    doubled(one, 3)
    doubled(third, 5)
    for thing in (other, third):
        hand_over(doubled, one, thing)
    assert last(doubled, other) == 6
    assert last(doubled, third) == 10, "it has one"

"""The names that a chunk reads and writes in a persistent map."""

import immutables
import pytest

from gcn_lsp.preproc.tracked import Tracked


@pytest.fixture
def tracked() -> Tracked[int]:
    return Tracked(immutables.Map({"a": 1, "b": 2}))


def test_a_name_is_read_whether_it_is_there_or_not(tracked: Tracked[int]) -> None:
    assert tracked.get("a") == 1
    assert tracked.get("x") is None
    assert "b" in tracked
    assert "y" not in tracked
    assert tracked["a"] == 1
    assert tracked.read == {"a", "b", "x", "y"}
    assert tracked.written == set()
    assert not tracked.all_read


def test_subscripts_read_too(tracked: Tracked[int]) -> None:
    assert tracked["b"] == 2
    with pytest.raises(KeyError):
        tracked["z"]
    assert tracked.read == {"b", "z"}


def test_setting_and_deleting_write_without_reading(tracked: Tracked[int]) -> None:
    tracked["c"] = 3
    del tracked["a"]
    assert tracked.written == {"a", "c"}
    assert tracked.read == set()
    assert dict(tracked.finish()) == {"b": 2, "c": 3}


def test_all_names_are_those_with_a_value_now(tracked: Tracked[int]) -> None:
    tracked["c"] = 3
    del tracked["a"]
    assert sorted(tracked.names()) == ["b", "c"]
    assert tracked.all_read


def test_the_map_before_stays_as_it_was() -> None:
    before = immutables.Map({"a": 1})
    tracked = Tracked(before)
    tracked["a"] = 2
    assert before["a"] == 1

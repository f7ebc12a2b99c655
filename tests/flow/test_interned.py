"""Interned states: one object for each content, joins kept, nothing kept that is not referred to."""

import gc
import weakref

from gcn_lsp.flow.interned import Interned, Table, joined


class Names(Interned):
    __slots__ = ("names",)

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names


TABLE = Table(Names)


def names(*found: str) -> Names:
    return TABLE.state(frozenset(found))


def union(one: Names, other: Names) -> Names:
    return TABLE.state(one.names | other.names)


def test_the_same_content_is_the_same_object() -> None:
    assert names("a", "b") is names("b", "a")
    assert names("a") is not names("b")


def test_a_join_is_worked_out_once() -> None:
    calls: list[Names] = []

    def counted(one: Names, other: Names) -> Names:
        calls.append(other)
        return union(one, other)

    one, other = names("a"), names("b")
    both = joined(one, other, counted)
    assert both is names("a", "b")
    assert joined(one, other, counted) is both
    assert joined(both, one, counted) is joined(both, one, counted) is both  # what covers the other stays itself
    assert calls == [other, one]


def test_a_state_joins_itself_without_asking() -> None:
    one = names("joined with itself")
    assert joined(one, one, union) is one
    assert not one.joins


def test_what_nobody_holds_is_gone_at_once() -> None:
    gc.disable()
    try:
        one, other = names("left"), names("right")
        both = joined(one, other, union)
        assert joined(one, both, union) is both
        seen = [weakref.ref(state) for state in (one, other, both)]
        del one, other, both
        assert [state() for state in seen] == [None, None, None]
    finally:
        gc.enable()


def test_few_joins_are_remembered() -> None:
    one = names("a")
    others = [names(str(number)) for number in range(100)]
    for other in others:
        joined(one, other, union)
    assert len(one.joins) < 20

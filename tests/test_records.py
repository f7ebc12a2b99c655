"""Our `NamedTuple` beside that of `typing`: everything that one can ask of a class and its values is the same."""

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec
import pytest

from gcn_lsp.records import NamedTuple

T = TypeVar("T")


class Own(NamedTuple):
    """A row."""

    name: str
    number: "int | None"
    parts: tuple[int, ...] = ()
    is_last: bool = False

    @property
    def twice(self) -> int:
        """A property beside the fields."""
        return 2 * (self.number or 0)

    def renamed(self, name: str) -> "Own":
        """Another one."""
        return self._replace(name=name)


class Typings(typing.NamedTuple):
    """A row."""

    name: str
    number: "int | None"
    parts: tuple[int, ...] = ()
    is_last: bool = False


class Empty(NamedTuple):
    """A row without fields."""


class Of(NamedTuple, Generic[T]):
    """A row of anything."""

    value: T

    def shown(self) -> str:
        """What the base shows."""
        return super().__repr__()


ASKED: tuple[Callable[[Any], Any], ...] = (
    lambda row: row("a", 1),
    lambda row: row(number=None, name="b", is_last=True),
    lambda row: row("a", 1).number,
    lambda row: hash(row("a", 1)),
    lambda row: row("a", 1) == ("a", 1, (), False),
    lambda row: [*row("a", 1, (2,))],
    lambda row: repr(row("a", 1)).removeprefix(row.__name__),
    lambda row: row("a", 1)._replace(parts=(3,)),
    lambda row: row("a", 1)._asdict(),
    lambda row: row._make(["a", 1, (), True]),
    lambda row: (row._fields, row._field_defaults, row.__match_args__, row.__doc__, row.__slots__),
    lambda row: [*row.__annotations__],
    lambda row: msgspec.json.encode(row("a", 1)),
    lambda row: msgspec.json.decode(b'["a", 1]', type=tuple[str, int]),
    lambda row: copy.deepcopy(row("a", 1)),
    lambda row: pickle.loads(pickle.dumps(row("a", 1))),
)
REFUSED: tuple[Callable[[Any], Any], ...] = (
    lambda row: row("a"),
    lambda row: row("a", 1, (), True, 5),
    lambda row: row("a", 1, other=2),
    lambda row: row._make(["a"]),
    lambda row: setattr(row("a", 1), "name", "b"),
    lambda row: setattr(row("a", 1), "other", "b"),
)


@pytest.mark.parametrize("asked", ASKED)
def test_values_and_classes_are_those_of_typing(asked: Callable[[Any], Any]) -> None:
    assert asked(Own) == asked(Typings)


@pytest.mark.parametrize("refused", REFUSED)
def test_what_typing_refuses_is_refused(refused: Callable[[Any], Any]) -> None:
    for row in (Own, Typings):
        with pytest.raises((TypeError, AttributeError)):
            refused(row)


def test_unknown_fields_are_refused() -> None:
    with pytest.raises((TypeError, ValueError), match="other"):
        Own("a", 1)._replace(other=2)  # type: ignore[call-arg]


def test_a_field_without_a_default_comes_first() -> None:
    with pytest.raises(TypeError):

        class _(NamedTuple):
            first: int = 1
            second: str  # type: ignore[misc]


def test_methods_generics_and_patterns() -> None:
    assert Own("a", 2).twice == 4
    assert Own("a", 2).renamed("b") == ("b", 2, (), False)
    assert Own.__new__.__qualname__ == "Own.__new__"
    assert (Of[int](3).value, Of("x").shown(), Empty()) == (3, "Of(value='x')", ())
    match Own("a", 2):
        case Own(name, number=2):
            assert name == "a"
        case _:
            pytest.fail("no match")

"""Interns states: equal content is one object, so that states can be compared by identity.

A fixed point compares states all the time; with one object for each content that is a comparison of addresses. A state
is freed when nothing refers to it any more, so the states of a version of a program go with that version.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary


class Interned:
    """Common to all states. joins: the results of joins with others, None for the state itself; see `joined`."""

    __slots__ = ("__weakref__", "joins")

    def __init__(self) -> None:
        self.joins: dict[Any, Any] = {}


State = TypeVar("State", bound=Interned)
Object = TypeVar("Object")


class Table(Generic[Object]):
    """The objects in use, by content. make: builds one, that has `__weakref__`, from hashable content."""

    def __init__(self, make: Callable[..., Object]) -> None:
        self._make = make
        self._known: WeakValueDictionary[tuple[Any, ...], Object] = WeakValueDictionary()

    def state(self, *content: Any) -> Object:
        """The object with that content."""
        found = self._known.get(content)
        if found is None:
            found = self._known[content] = self._make(*content)
        return found


_UNKNOWN = object()
_REMEMBERED = 8  # joins of one state: there are few other ways in, and each edit makes new states


def joined(one: State, other: State, join: Callable[[State, State], State]) -> State:
    """What `join` gives for two different states; `one` remembers it."""
    if one is other:
        return one
    joins = one.joins
    known = joins.get(other, _UNKNOWN)
    if known is _UNKNOWN:
        if len(joins) >= _REMEMBERED:
            joins.clear()
        found = join(one, other)
        joins[other] = None if found is one else found  # a state that held itself would never be freed
        return found
    return one if known is None else known

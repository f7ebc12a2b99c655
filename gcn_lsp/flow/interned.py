"""States that are one object as long as their content is the same, so that identity tells them apart.

A fixed point asks again and again whether a state is the one that it had, and what a join or a block gave for it:
with one object for each content that is a comparison of addresses. A state goes when nothing holds it any more, so
what a version of a program had is gone with that version.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary


class Interned:
    """What states have in common. joins: what a join with others gave, None for the state itself; see `joined`."""

    __slots__ = ("__weakref__", "joins")

    def __init__(self) -> None:
        self.joins: dict[Any, Any] = {}


State = TypeVar("State", bound=Interned)


class Table(Generic[State]):
    """The states that are in use, by their content. make: a new state from its content, which can be hashed."""

    def __init__(self, make: Callable[..., State]) -> None:
        self._make = make
        self._known: WeakValueDictionary[tuple[Any, ...], State] = WeakValueDictionary()

    def state(self, *content: Any) -> State:
        """The state with that content."""
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
        joins[other] = None if found is one else found  # a state that held itself would not go by itself
        return found
    return one if known is None else known

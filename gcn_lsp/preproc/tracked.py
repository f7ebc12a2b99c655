"""A mutable view of a persistent map that records the names read and written.

A chunk thus knows what it depends on and what it changes: after an edit of a symbol, only chunks that use it are
redone.
"""

from typing import Generic, TypeVar

import immutables

Value = TypeVar("Value")


class Tracked(Generic[Value]):
    """`read`: names that were looked up, found or not. `written`: names that were set or deleted.

    all_read: something depends on the whole set of names.
    """

    __slots__ = ("_before", "_map", "all_read", "read", "written")

    def __init__(self, before: "immutables.Map[str, Value]") -> None:
        self._before = before
        self._map = before.mutate()
        self.all_read = False
        self.read: set[str] = set()
        self.written: set[str] = set()

    def get(self, name: str) -> "Value | None":
        """The value of `name`, None if it has none."""
        self.read.add(name)
        return self._map.get(name)

    def __contains__(self, name: str) -> bool:
        self.read.add(name)
        return name in self._map

    def __getitem__(self, name: str) -> Value:
        self.read.add(name)
        return self._map[name]

    def __setitem__(self, name: str, value: Value) -> None:
        self.written.add(name)
        self._map[name] = value

    def __delitem__(self, name: str) -> None:
        self.written.add(name)
        del self._map[name]

    def names(self) -> list[str]:
        """Every name with a value."""
        self.all_read = True
        return [name for name in {*self._before, *self.written} if name in self._map]

    def finish(self) -> "immutables.Map[str, Value]":
        """The map as it is now; it cannot be changed after this."""
        return self._map.finish()

"""A persistent map under change that remembers which names were asked for and which were set.

So a chunk knows what it depends on and what it does: when an edit changes a symbol, only chunks that use it are redone.
"""

from typing import Generic, TypeVar

import immutables

Value = TypeVar("Value")


class Tracked(Generic[Value]):
    """`read`: names that were looked up, found or not. `written`: names that were set or deleted.

    all_read: something depends on which names there are.
    """

    __slots__ = ("_before", "_map", "all_read", "read", "written")

    def __init__(self, before: "immutables.Map[str, Value]") -> None:
        self._before = before
        self._map = before.mutate()
        self.all_read = False
        self.read: set[str] = set()
        self.written: set[str] = set()

    def get(self, name: str) -> "Value | None":
        """The value of `name`, None when it has none."""
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
        """The map as it is now; nothing can be changed after this."""
        return self._map.finish()

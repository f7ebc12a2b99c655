"""Results kept with what they describe, and results kept by value up to a limit.

A result about a chunk, a segment, a graph or a program is kept in the `memo` of that object and freed with it: after an
edit only what is new is computed, and nothing of earlier versions remains. Four ways, by what the result depends on:

- `once`: on the object alone. `latest`: on the object and a key that changes with edits; only the last result is kept.
- `recent`: on the object and a key with several values in use at once, such as the states that a loop brings.
- `renewed`: on the object alone, and the result for the version before saves work. An object gets its `earlier` from
  `handed_on` of that version, and each result in it goes as soon as there is a new one.
- `ByIdentity`: on a frozen value without a memo that many places share. The reference to it is weak.
- `ByValue`: on text or numbers, which anyone may type again. All results are dropped when their number reaches the
  limit. The limit bounds the memory; it is far above what one large kernel needs, since a kernel above it would lose
  its results again and again. `functools.lru_cache` with a size does the same for a function with hashable arguments.
- `ByTurns`: as `ByValue`, for large results that open documents use again. Those that nobody asked for during a whole
  turn are dropped, so typing for hours does not fill the table.

A property that an object computes from itself is a `functools.cached_property`. Before a result is computed for `once`
or `latest`, the thread gives way to what is more urgent.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar
from weakref import ref

from gcn_lsp.flow.steps import give_way
from gcn_lsp.records import NamedTuple


class Described(Protocol):
    """An object that results are kept with. memo: the results, by the function that computes them; empty at first."""

    memo: dict[Any, Any]


class Renewable(Described, Protocol):
    """An object with versions. earlier: results of the version before, by the function that computes them."""

    earlier: dict[Any, Any]


D = TypeVar("D", bound=Described)
R = TypeVar("R", bound=Renewable)
Key = TypeVar("Key")
Value = TypeVar("Value")
Result = TypeVar("Result")
Context = ParamSpec("Context")


def once(find: Callable[[D], Result]) -> Callable[[D], Result]:
    """`find`, called once for each object; its result depends on nothing else."""

    @wraps(find)
    def result(described: D) -> Result:
        memo = described.memo
        try:
            return memo[find]  # type: ignore[no-any-return]
        except KeyError:
            give_way()
            found = memo[find] = find(described)
            return found

    return result


def latest(
    find: Callable[Concatenate[D, Key, Context], Result],
) -> Callable[Concatenate[D, Key, Context], Result]:
    """`find`, called again for an object only when its key differs from the last one.

    The arguments after the key do not change the result.
    """

    @wraps(find)
    def result(described: D, key: Key, /, *args: Context.args, **kwargs: Context.kwargs) -> Result:
        known = described.memo.get(find)
        if known is not None and known[0] == key:
            return known[1]  # type: ignore[no-any-return]
        give_way()
        found = find(described, key, *args, **kwargs)
        described.memo[find] = (key, found)
        return found

    return result


def last(kept: Callable[..., Result], described: Described) -> "Result | None":
    """The last result of a function under `latest` for an object, whatever its key; None without one."""
    known = described.memo.get(kept.__wrapped__)  # type: ignore[attr-defined]
    return known[1] if known is not None else None


def hand_over(kept: Callable[..., Any], described: Described, to: Described) -> None:
    """Give an object that has no result of a function under `latest` the last one of another object."""
    find = kept.__wrapped__  # type: ignore[attr-defined]
    if find in described.memo:
        to.memo.setdefault(find, described.memo[find])


def recent(
    most: int,
) -> Callable[
    [Callable[Concatenate[D, Key, Context], Result]],
    Callable[Concatenate[D, Key, Context], Result],
]:
    """As `latest`, with the results for up to `most` keys of an object; when there are more, all are dropped."""

    def keeping(find: Callable[Concatenate[D, Key, Context], Result]) -> Callable[Concatenate[D, Key, Context], Result]:
        @wraps(find)
        def result(described: D, key: Key, /, *args: Context.args, **kwargs: Context.kwargs) -> Result:
            known = described.memo.get(find)
            if known is None:
                known = described.memo[find] = {}
            try:
                return known[key]  # type: ignore[no-any-return]
            except KeyError:
                found = find(described, key, *args, **kwargs)
                if len(known) >= most:
                    known.clear()
                known[key] = found
                return found

        return result

    return keeping


_RENEWED: set[Any] = set()


def renewed(find: Callable[[R, "Result | None"], Result]) -> Callable[[R], Result]:
    """`find`, called once for each object with the result of the version before; None if there is none.

    The result must not depend on that of the version before.
    """
    _RENEWED.add(find)

    @wraps(find)
    def result(described: R) -> Result:
        memo = described.memo
        try:
            return memo[find]  # type: ignore[no-any-return]
        except KeyError:
            found = memo[find] = find(described, described.earlier.pop(find, None))
            return found

    return result


def handed_on(described: Described) -> dict[Any, Any]:
    """The results that `renewed` kept with an object, for its next version."""
    return {find: result for find, result in described.memo.items() if find in _RENEWED}


class Kept(ref[Any], Generic[Result]):
    """A result, as long as the value lives that it is of."""

    __slots__ = ("key", "result")
    key: int
    result: Result


class ByIdentity(dict[int, Kept[Result]], Generic[Result]):
    """Results of values compared by identity, each kept as long as its value lives: `table.get(id(value)).result`.

    A result must not refer to its value. One object for each, since a large kernel has some ten thousand of them.
    """

    __slots__ = ("_gone",)

    def __init__(self) -> None:
        super().__init__()

        def gone(kept: Kept[Result]) -> None:
            self.pop(kept.key, None)

        self._gone = gone

    def keep(self, value: Any, result: Result) -> Result:
        """Remember a result, and return it."""
        kept = Kept(value, self._gone)
        kept.key = id(value)
        kept.result = result
        self[kept.key] = kept
        return result


_LARGE = 500  # results
_UNUSED = 16  # files after which what none of them needed is dropped
_PART = 16  # of the limit of a table: what is left of it between files
_large: ByIdentity[None] = ByIdentity()  # each `ByValue` that has had as many


def forget(most: int) -> None:
    """Drop the results of every large `ByValue` with more than `most`: for a process that goes on to another file.

    Also those of one that is a part full, whose limit is by what a result takes. And those of a `ByTurns` in which none
    of the last files was worked out, such as those of a target.
    """
    for table in tuple(_large.values()):
        results = table()
        if results is not None and (results.size > results.room(most) or results.has_aged()):
            results.clear()


class ByValue(dict[Key, Value]):
    """Results by value; all are dropped when there are `limit` of them. It is read like any `dict`."""

    __slots__ = ("__weakref__", "limit")

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    @property
    def size(self) -> int:
        """How many results it has."""
        return len(self)

    def room(self, most: int) -> int:
        """How many of at most `most` results may stay between files."""
        return min(most, self.limit // _PART)

    def has_aged(self) -> bool:
        """Whether nobody needs the results any more; called once for each file."""
        return False

    def keep(self, key: Key, value: Value) -> Value:
        """Remember a result, and return it."""
        if len(self) >= self.limit:
            self._make_room()
        self[key] = value
        if len(self) == _LARGE:
            _large.keep(self, None)
        return value

    def _make_room(self) -> None:
        self.clear()


class ByTurns(ByValue[Key, Value]):
    """Results by value: a turn is over when there are `limit` new ones, and those of the turn before it are dropped.

    Where `get` has none, `find` brings back the result of the turn before.
    """

    __slots__ = ("_age", "_before", "_is_whole", "_least")

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self._least = limit
        self._is_whole = False
        self._age: int | None = None  # files since one was worked out here; None if that is never said
        self._before: dict[Key, Value] = {}

    @property
    def size(self) -> int:
        """How many results it has, in both turns."""
        return len(self) + len(self._before)

    def room(self, most: int) -> int:
        """How many of at most `most` results may stay between files: all, since its limit is that of the last file."""
        return most

    def has_aged(self) -> bool:
        """Whether the last files were worked out elsewhere."""
        if self._age is not None:
            self._age += 1
        return self._age is not None and self._age > _UNUSED

    def find(self, key: Key) -> Value | None:
        """The result for a key, which belongs to this turn from now on; None without one."""
        found = self.get(key)
        if found is None:
            found = self._before.pop(key, None)
            if found is not None:
                self.keep(key, found)
        return found

    @contextmanager
    def whole(self, most: int) -> Iterator[None]:
        """While something large is worked out keep its results, up to `most`; afterwards there is room for as many."""
        self._age = 0
        if self._is_whole:  # something small in the middle of something large
            yield
            return
        before, self._is_whole, self.limit = len(self), True, max(self.limit, most)
        try:
            yield
        finally:
            # Not what an earlier one needed: something enormous would leave its room behind for good.
            self._is_whole, self.limit = False, max(self._least, min(len(self) - before, most))

    def clear(self) -> None:
        """Drop all results."""
        self._make_room()
        self._make_room()

    def _make_room(self) -> None:
        self._before = self.copy()
        super().clear()


class Common(NamedTuple):
    """How many values two sequences have in common at the front, and then at the back."""

    front: int
    back: int


_RUN = 32  # values compared at once


def common(one: Sequence[Any], other: Sequence[Any]) -> Common:
    """What two sequences have in common."""
    most = min(len(one), len(other))
    front = 0
    while front < most and one[front : front + _RUN] == other[front : front + _RUN]:
        front += _RUN
    front = min(front, most)
    while front < most and one[front] == other[front]:
        front += 1
    most -= front
    back, ends = 0, (len(one), len(other))
    while (
        back + _RUN <= most
        and one[ends[0] - back - _RUN : ends[0] - back] == other[ends[1] - back - _RUN : ends[1] - back]
    ):
        back += _RUN
    while back < most and one[ends[0] - back - 1] == other[ends[1] - back - 1]:
        back += 1
    return Common(front, back)

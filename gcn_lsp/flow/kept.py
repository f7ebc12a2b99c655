"""Results kept with what they describe, and results kept by value up to a limit.

A result about a chunk, a segment, a graph or a program lives in the `memo` of that object and goes with it: after an
edit only what is new is worked out, and nothing of earlier versions stays. Four ways, by what the result depends on:

- `once`: on the object alone. `latest`: on the object and a key that changes with edits; the last result is kept.
- `recent`: on the object and a key of which several are in use at once, such as the states that a loop brings.
- `ByIdentity`: on a frozen value that many places share and that has no memo. It is referred to weakly.
- `ByValue`: on text or numbers, which anyone may type again. All results go when there are as many as its limit. So a
  limit bounds the memory; it is far above what one large kernel needs, since a kernel above it would lose its results
  again and again. `functools.lru_cache` with a size does the same for a function whose arguments can be hashed.

A property of an object that it works out itself is a `functools.cached_property`.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar
from weakref import KeyedRef


class Described(Protocol):
    """Something that results are kept with. memo: the results, by the function that finds them; starts empty."""

    memo: dict[Any, Any]


D = TypeVar("D", bound=Described)
Key = TypeVar("Key")
Value = TypeVar("Value")
Result = TypeVar("Result")
Context = ParamSpec("Context")


def once(find: Callable[[D], Result]) -> Callable[[D], Result]:
    """`find`, called once for each object. It depends on nothing else."""

    @wraps(find)
    def result(described: D) -> Result:
        memo = described.memo
        try:
            return memo[find]  # type: ignore[no-any-return]
        except KeyError:
            found = memo[find] = find(described)
            return found

    return result


def latest(
    find: Callable[Concatenate[D, Key, Context], Result],
) -> Callable[Concatenate[D, Key, Context], Result]:
    """`find`, called again for an object only when its key is another one than the last time.

    What follows the key gives the same result for the same object and key.
    """

    @wraps(find)
    def result(described: D, key: Key, /, *args: Context.args, **kwargs: Context.kwargs) -> Result:
        known = described.memo.get(find)
        if known is not None and known[0] == key:
            return known[1]  # type: ignore[no-any-return]
        found = find(described, key, *args, **kwargs)
        described.memo[find] = (key, found)
        return found

    return result


def recent(
    most: int,
) -> Callable[
    [Callable[Concatenate[D, Key, Context], Result]],
    Callable[Concatenate[D, Key, Context], Result],
]:
    """As `latest`, with the results for up to `most` keys of an object; beyond that all of them go."""

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


class ByIdentity(dict[int, tuple["KeyedRef[int, Any]", Result]], Generic[Result]):
    """Results of values that are told apart by identity, each as long as its value: `table.get(id(value))`.

    The second part of an entry is the result, which must not hold the value.
    """

    def __init__(self) -> None:
        super().__init__()
        self._forget = lambda reference: self.pop(reference.key, None)

    def keep(self, value: Any, result: Result) -> Result:
        """Remember a result, and return it."""
        key = id(value)
        self[key] = (KeyedRef(value, self._forget, key), result)
        return result


class ByValue(dict[Key, Value]):
    """Results by value; all go when there are `limit` of them. It is read as any `dict` is."""

    __slots__ = ("limit",)

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def keep(self, key: Key, value: Value) -> Value:
        """Remember a result, and return it."""
        if len(self) >= self.limit:
            self.clear()
        self[key] = value
        return value

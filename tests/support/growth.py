"""What the modules of gcn_lsp keep: every dict, list, set and cache that can be reached from them, with its size."""

import functools
import gc
import sys
from collections import deque
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from gcn_lsp.flow.kept import ByValue

_CACHE = type(functools.lru_cache(lambda: None))
_CONTAINERS = (dict, list, set, deque)


class Store(NamedTuple):
    """A container and how it is reached. size: its entries. limit: how many it may have; None for no limit."""

    path: str
    container: Any
    size: int
    limit: int | None


def stores() -> list[Store]:
    """Everything that is kept. Garbage is collected first, so entries of dropped programs do not count."""
    gc.unfreeze()  # what a server's worker of an earlier test has frozen
    gc.collect()
    return list(_walk())


def grown(before: list[Store], after: list[Store], most: int) -> list[str]:
    """What is over its limit, or has none and more than `most` new entries.

    What came to be in between is in something that was there before: that has grown, or it has a limit.
    """
    sizes = {id(store.container): store.size for store in before}
    found = [(store, sizes.get(id(store.container), store.size)) for store in after]
    return [
        f"{store.path}: {size} to {store.size} entries, limit {store.limit}"
        for store, size in found
        if store.size > (size + most if store.limit is None else max(size, store.limit))
    ]


def by_value() -> list[ByValue[Any, Any]]:
    """All memos by value."""
    gc.unfreeze()
    return [each for each in gc.get_objects() if isinstance(each, ByValue)]


def _walk() -> Iterator[Store]:
    modules = [module for name, module in list(sys.modules.items()) if name.split(".")[0] == "gcn_lsp"]
    # Of a module its values are looked at, never the names of another one.
    seen = {id(each) for module in sys.modules.values() for each in (module, getattr(module, "__dict__", None))}
    waiting: deque[tuple[str, Any, bool]] = deque(
        (f"{module.__name__}.{name}", value, True) for module in modules for name, value in vars(module).items()
    )
    while waiting:
        path, each, is_counted = waiting.popleft()
        if id(each) in seen or isinstance(each, ModuleType) or _is_foreign(each):
            continue
        seen.add(id(each))
        if isinstance(each, _CACHE):
            info = each.cache_info()
            yield Store(path, each, info.currsize, info.maxsize)
        elif is_counted and isinstance(each, _CONTAINERS):
            yield Store(path, each, len(each), getattr(each, "limit", None))
        for name, part in _parts(each):
            # The dict within a cache is that cache's own.
            waiting.append((f"{path}{name}", part, not (isinstance(each, _CACHE) and type(part) is dict)))


def _is_foreign(each: Any) -> bool:
    """Whether it is foreign code, which keeps nothing of ours."""
    return isinstance(each, type | FunctionType) and not (each.__module__ or "").startswith("gcn_lsp")


def _parts(each: Any) -> Iterator[tuple[str, Any]]:
    own = getattr(each, "__dict__", {}) if not isinstance(each, dict) else {}
    names = {id(value): f".{name}" for name, value in own.items()}
    for part in gc.get_referents(each):
        if gc.is_tracked(part) or isinstance(part, _CONTAINERS):
            yield names.get(id(part), f"<{type(part).__name__}>"), part

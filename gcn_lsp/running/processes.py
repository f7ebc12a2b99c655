"""Processes that share the runs of a kernel: they inherit the opened file, or open it again.

Where processes are forks of this one they have the opened file as it is; elsewhere each opens it once.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import count

from gcn_lsp.running.opened import RunnableFile

_kept: dict[int, RunnableFile] = {}
_keys = count()


@contextmanager
def kept(opened: RunnableFile) -> Iterator[int]:
    """A key by which processes that begin now find an opened file."""
    key = next(_keys)
    _kept[key] = opened
    try:
        yield key
    finally:
        del _kept[key]


def found(key: int, make: Callable[[], RunnableFile]) -> RunnableFile:
    """The opened file of a key, in another process."""
    opened = _kept.get(key)
    if opened is None:
        opened = _kept[key] = make()
    return opened


@contextmanager
def pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end at once when this one is interrupted."""
    made = ProcessPoolExecutor(workers)
    try:
        yield made
    finally:
        made.shutdown(cancel_futures=True)

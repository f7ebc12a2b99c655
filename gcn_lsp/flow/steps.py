"""Long work that lets what is more urgent go first: in steps, or by giving way in the middle.

Steps are for work that can wait for a pause of any length: a generator that pauses, and returns its result. Giving way
is for work that somebody waits for: it calls `give_way` every millisecond or so, and goes on when that returns.
"""

import threading
from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")

Steps: TypeAlias = Generator[None, None, Result]

# The task that each thread, by its identity, does when it next gives way.
_interruptions: dict[int, Callable[[], None]] = {}


class Superseded(Exception):
    """Nobody wants the result of the work any more."""


def always() -> bool:
    """Work is wanted whatever happens meanwhile."""
    return True


def finish(work: Steps[Result], is_wanted: Callable[[], bool] = always) -> Result:
    """The result of all steps; between them the thread gives way.

    Raises Superseded after a step if the result `is_wanted` no longer.
    """
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        give_way()
        if not is_wanted():
            raise Superseded


def give_way() -> None:
    """Do what `interrupt` has asked of this thread since the last time."""
    if _interruptions:
        task = _interruptions.pop(threading.get_ident(), None)
        if task is not None:
            task()


def interrupt(thread: int, task: Callable[[], None]) -> None:
    """Make a thread do `task`, in place of an earlier one, when it next gives way.

    thread: its identity. task: it runs in the middle of other work, so it must not ask for the result of that.
    """
    _interruptions[thread] = task

"""One thread that does all the work on programs, most urgent first, so that the event loop never waits.

One, not several: Python runs one thread at a time, and what only this thread touches needs no locks.
"""

import gc
import heapq
import itertools
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from typing import Any, TypeVar

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class Urgency(IntEnum):
    """What is done first: answers that a user waits for, then checks, then what can wait for a pause.

    Last comes long work that is done bit by bit.
    """

    REQUEST = 0
    CHECK = 1
    BACKGROUND = 2
    IDLE = 3


IDLE = 1.0  # seconds without a task after which there is time to collect garbage


class Worker:
    """A queue and its thread, which starts with the first task and does not keep the process alive.

    Going through all that a kernel and the tables have allocated takes the garbage collector 15 to 30 ms, twice a
    keystroke's budget. So `main` has it look at old objects rarely, and it is run here when nobody types.
    """

    def __init__(self) -> None:
        self._tasks: list[tuple[Urgency, int, Callable[[], Any], Future[Any]]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def submit(self, urgency: Urgency, task: "Callable[[], Result]") -> "Future[Result]":
        """Run `task` on the thread. A future that is cancelled before its turn is passed over."""
        future: Future[Result] = Future()
        with self._changed:
            heapq.heappush(self._tasks, (urgency, next(self._numbers), task, future))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
                self._thread.start()
            self._changed.notify()
        return future

    def _run(self) -> None:
        task: Callable[[], Any] = gc.collect
        while True:
            task, future = self._next(has_garbage=task is not gc.collect)
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(task())
            except Exception as error:
                future.set_exception(error)
            # Nothing may hold on to a program until the next task comes.
            del future

    def _next(self, *, has_garbage: bool) -> tuple[Callable[[], Any], Future[Any]]:
        with self._changed:
            while not self._tasks:
                if not self._changed.wait(IDLE if has_garbage else None):
                    return gc.collect, Future()
            return heapq.heappop(self._tasks)[2:]

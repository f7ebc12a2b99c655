"""One thread that does all the work on programs, most urgent first, so that the event loop never waits.

One, not several: Python runs one thread at a time, and what only this thread touches needs no locks.
"""

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
    """What is done first: answers that a user waits for, then checks, then what can wait for a pause."""

    REQUEST = 0
    CHECK = 1
    BACKGROUND = 2


class Worker:
    """A queue and its thread, which starts with the first task and does not keep the process alive."""

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
        while True:
            with self._changed:
                while not self._tasks:
                    self._changed.wait()
                _, _, task, future = heapq.heappop(self._tasks)
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(task())
            except Exception as error:
                future.set_exception(error)
            # Nothing may hold on to a program until the next task comes.
            del task, future

"""One thread that does all the work on programs, most urgent first, so that the event loop never waits.

One, not several: Python runs one thread at a time, and data that only this thread touches need no locks.
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

from gcn_lsp.flow.steps import Steps

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class Urgency(IntEnum):
    """The order of tasks: answers that a user waits for, then checks, then tasks that can wait for a pause.

    Long work that is done step by step comes last.
    """

    REQUEST = 0
    CHECK = 1
    BACKGROUND = 2
    IDLE = 3


IDLE = 1.0  # seconds without a task before garbage is collected


class Worker:
    """A queue and its thread, which starts with the first task and does not keep the process alive.

    The garbage collector takes 15 to 30 ms to go through all that a kernel and the tables have allocated, twice a
    keystroke's budget. So `main` makes it check old objects rarely, and this thread runs it while nobody types.
    """

    def __init__(self) -> None:
        self._tasks: list[tuple[Urgency, int, Callable[[], Any], Future[Any]]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def submit(self, urgency: Urgency, task: "Callable[[], Result]") -> "Future[Result]":
        """Run `task` on the thread. A future that is cancelled before its turn is skipped."""
        future: Future[Result] = Future()
        with self._changed:
            heapq.heappush(self._tasks, (urgency, next(self._numbers), task, future))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
                self._thread.start()
            self._changed.notify()
        return future

    def submit_steps(self, urgency: Urgency, work: Steps[None]) -> None:
        """Do `work` on the thread, and before each of its steps everything that is more urgent or was asked before.

        What it raises is logged.
        """

        def step() -> None:
            try:
                next(work)
            except StopIteration:
                return
            except Exception:
                log.exception("work in steps failed")
                return
            self.submit(urgency, step)

        self.submit(urgency, step)

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
            # No variable may keep a program alive until the next task.
            del future

    def _next(self, *, has_garbage: bool) -> tuple[Callable[[], Any], Future[Any]]:
        with self._changed:
            while not self._tasks:
                if not self._changed.wait(IDLE if has_garbage else None):
                    return gc.collect, Future()
            return heapq.heappop(self._tasks)[2:]

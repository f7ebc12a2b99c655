"""One thread that does all the work on programs, most urgent first, so that the event loop never waits.

One, not several: Python runs one thread at a time, and data that only this thread touches need no locks. What cannot
wait for the end of a long task is done in the middle of it, by the same thread.
"""

import gc
import heapq
import itertools
import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from typing import Any, TypeVar

from gcn_lsp.flow import steps
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


IDLE = 10.0  # seconds without a task before all garbage is collected: long enough that the next key is not near
_MOMENT = 0.02  # seconds without a task before the collector goes through a few new objects
_FEW = 5_000  # new objects, which take the collector some 2 ms
_LARGE = 30_000  # that one task makes
_MANY = 100_000


class Worker:
    """A queue and its thread, which starts with the first task and does not keep the process alive.

    The garbage collector takes 15 to 150 ms to go through all that a kernel and the tables have allocated, and nothing
    else runs meanwhile. So it goes through new objects between keys, a few at a time, and through all of them while
    nobody types. What a large task has made, such as the first analysis of a kernel, lives long: the collector leaves
    it out until then.
    """

    def __init__(self) -> None:
        self._tasks: list[tuple[Urgency, int, Callable[[], Any], Future[Any]]] = []
        self._at_once: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def submit(self, urgency: Urgency, task: "Callable[[], Result]") -> "Future[Result]":
        """Run `task` on the thread. A future that is cancelled before its turn is skipped."""
        future: Future[Result] = Future()
        with self._changed:
            heapq.heappush(self._tasks, (urgency, next(self._numbers), task, future))
            self._wake()
        return future

    def submit_at_once(self, task: "Callable[[], Result]") -> "Future[Result]":
        """Run `task` before all others, in the middle of the one that is running, as soon as that gives way.

        So it must not ask for what the other may be computing.
        """
        future: Future[Result] = Future()
        with self._changed:
            self._at_once.append((task, future))
            thread = self._wake()
            if thread.ident is not None:
                steps.interrupt(thread.ident, self._do_at_once)
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

    def _wake(self) -> threading.Thread:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
            self._thread.start()
        self._changed.notify()
        return self._thread

    def _run(self) -> None:
        # What the imports have made stays: with it, the first check would be followed by a collection of 150 ms.
        gc.freeze()
        task: Callable[[], Any] = _collect
        while True:
            task, future = self._next(has_garbage=task is not _collect)
            before = gc.get_count()[0]
            _do(task, future)
            # No variable may keep a program alive until the next task.
            del future
            _clean_up(before)

    def _do_at_once(self) -> None:
        while self._at_once:
            _do(*self._at_once.popleft())

    def _next(self, *, has_garbage: bool) -> tuple[Callable[[], Any], Future[Any]]:
        with self._changed:
            while not self._tasks and not self._at_once:
                has_new = gc.get_count()[0] > _FEW
                if not self._changed.wait(_MOMENT if has_new else IDLE if has_garbage else None):
                    return (_collect_new if has_new else _collect), Future()
            return self._at_once.popleft() if self._at_once else heapq.heappop(self._tasks)[2:]


def _do(task: Callable[[], Any], future: Future[Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(task())
    except Exception as error:
        future.set_exception(error)


def _clean_up(before: int) -> None:
    """Take care of new objects after a task; before: their number before it."""
    young = gc.get_count()[0]
    if young - before > _LARGE:
        gc.freeze()
    elif young > _MANY:
        gc.collect(0)


def _collect_new() -> None:
    """Free the garbage among new objects."""
    gc.collect(0)


def _collect() -> None:
    """Free all garbage."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()

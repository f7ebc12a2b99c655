"""The worker's order of work, and that nothing ends it."""

import threading

import pytest

from gcn_lsp.server.worker import Urgency, Worker


def test_urgent_tasks_go_first() -> None:
    worker = Worker()
    started, gate = threading.Event(), threading.Event()
    done: list[str] = []

    def block() -> None:
        started.set()
        gate.wait(5)

    worker.submit(Urgency.CHECK, block)
    assert started.wait(5)
    last = worker.submit(Urgency.BACKGROUND, lambda: done.append("background"))
    worker.submit(Urgency.CHECK, lambda: done.append("check"))
    worker.submit(Urgency.REQUEST, lambda: done.append("first request"))
    worker.submit(Urgency.REQUEST, lambda: done.append("second request"))
    worker.submit(Urgency.REQUEST, lambda: done.append("cancelled")).cancel()
    gate.set()
    last.result(5)
    assert done == ["first request", "second request", "check", "background"]


def test_an_exception_is_the_tasks_own() -> None:
    worker = Worker()

    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        worker.submit(Urgency.CHECK, fail).result(5)
    assert worker.submit(Urgency.CHECK, lambda: 5).result(5) == 5

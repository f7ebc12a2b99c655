"""The worker's order of work, and that nothing ends it."""

import threading

import pytest

from gcn_lsp.flow.steps import Steps
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


def test_what_is_more_urgent_goes_between_steps() -> None:
    worker = Worker()
    done: list[str] = []
    ended = threading.Event()

    def work() -> Steps[None]:
        done.append("one")
        worker.submit(Urgency.REQUEST, lambda: done.append("request"))
        yield
        done.append("two")
        yield
        ended.set()

    worker.submit_steps(Urgency.IDLE, work())
    assert ended.wait(5)
    assert done == ["one", "request", "two"]


def test_an_exception_in_a_step_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    worker = Worker()

    def work() -> Steps[None]:
        yield
        raise ValueError("no")

    worker.submit_steps(Urgency.CHECK, work())
    worker.submit(Urgency.IDLE, lambda: None).result(5)
    assert [record.message for record in caplog.records] == ["work in steps failed"]


def test_an_exception_is_the_tasks_own() -> None:
    worker = Worker()

    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        worker.submit(Urgency.CHECK, fail).result(5)
    assert worker.submit(Urgency.CHECK, lambda: 5).result(5) == 5

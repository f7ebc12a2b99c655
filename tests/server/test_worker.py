"""The worker's order of work, and that nothing ends it."""

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from gcn_lsp import garbage_collection
from gcn_lsp.flow.steps import Steps, give_way
from gcn_lsp.server import worker as worker_module
from gcn_lsp.server.worker import Urgency, Worker


@pytest.fixture(autouse=True, scope="module")
def _busy() -> Iterator[None]:
    """No worker of an earlier test is idle for long enough to collect and freeze what a later one makes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_module, "IDLE", 3600)
        yield


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


def test_what_is_at_once_is_done_in_the_middle_of_a_task_that_gives_way() -> None:
    worker = Worker()
    done: list[str] = []
    started, gate = threading.Event(), threading.Event()

    def work() -> None:
        started.set()
        gate.wait(5)
        done.append("one")
        give_way()
        done.append("two")
        give_way()

    def fail() -> None:
        raise ValueError("no")

    long = worker.submit(Urgency.REQUEST, work)
    assert started.wait(5)
    worker.submit(Urgency.REQUEST, lambda: done.append("request"))
    answers = [worker.submit_at_once(lambda name=name: done.append(name)) for name in ("a", "b")]  # type: ignore[misc]
    failed = worker.submit_at_once(fail)
    gate.set()
    long.result(5)
    assert done[:4] == ["one", "a", "b", "two"]
    assert all(answer.done() for answer in answers)
    with pytest.raises(ValueError, match="no"):
        failed.result(5)


def kept_busy(worker: Worker) -> threading.Event:
    """Give the worker a task that runs now, and ends when the event is set."""
    started, gate = threading.Event(), threading.Event()

    def work() -> None:
        started.set()
        gate.wait(5)

    worker.submit(Urgency.CHECK, work)
    assert started.wait(5)
    return gate


def test_what_is_at_once_goes_first_if_nothing_runs() -> None:
    assert Worker().submit_at_once(lambda: 5).result(5) == 5
    worker = Worker()
    done: list[str] = []
    gate = kept_busy(worker)
    last = worker.submit(Urgency.REQUEST, lambda: done.append("request"))
    worker.submit_at_once(lambda: done.append("at once"))
    gate.set()
    last.result(5)
    assert done == ["at once", "request"]


def test_only_the_thread_that_is_meant_is_interrupted() -> None:
    worker = Worker()
    gate = kept_busy(worker)
    answer = worker.submit_at_once(threading.get_ident)
    give_way()  # of the test's own thread
    assert not answer.done()
    gate.set()
    assert answer.result(5) != threading.get_ident()


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def rare_collections() -> Iterator[None]:
    """The thresholds of the server, and nothing frozen before or after."""
    before = gc.get_threshold()
    gc.unfreeze()
    gc.collect()  # what earlier tests left would be collected in the middle of this one
    garbage_collection.collect_rarely()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.usefixtures("rare_collections")
def test_what_a_large_task_makes_is_collected_when_the_worker_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker()
    garbage_collection, made = worker.submit(
        Urgency.CHECK, lambda: (weakref.ref(Cycle()), [[number] for number in range(300_000)])
    ).result(5)
    worker.submit(Urgency.CHECK, lambda: None).result(5)  # so that the one before is cleaned up
    assert len(made) < gc.get_freeze_count()
    assert garbage_collection() is not None
    monkeypatch.setattr(worker_module, "IDLE", 0.01)
    worker.submit(Urgency.CHECK, lambda: None).result(5)  # the worker now waits for the shorter time
    wait_until(lambda: garbage_collection() is None)
    monkeypatch.undo()
    worker.submit(Urgency.CHECK, lambda: None).result(5)  # so that it has ended its collection


@pytest.mark.usefixtures("rare_collections")
def test_what_small_tasks_leave_is_collected_between_them() -> None:
    worker = Worker()
    garbage_collection = weakref.ref(worker.submit(Urgency.CHECK, Cycle).result(5))
    frozen = gc.get_freeze_count()  # what was there when the thread started
    made = [worker.submit(Urgency.CHECK, lambda: [[number] for number in range(20_000)]) for _ in range(6)]
    worker.submit(Urgency.CHECK, lambda: None).result(5)
    assert [len(each.result(5)) for each in made] == [20_000] * 6
    assert garbage_collection() is None
    assert gc.get_freeze_count() <= frozen  # nothing more is left out; what is freed is no longer


@pytest.mark.usefixtures("rare_collections")
def test_a_few_new_objects_are_collected_in_the_moment_after_a_task() -> None:
    worker = Worker()
    worker.submit(Urgency.CHECK, lambda: None).result(5)  # so that what was there is frozen
    garbage = weakref.ref(worker.submit(Urgency.CHECK, Cycle).result(5))
    made = worker.submit(Urgency.CHECK, lambda: [[number] for number in range(8_000)]).result(5)
    wait_until(lambda: garbage() is None)
    assert len(made) == 8_000

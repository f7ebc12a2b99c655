"""Work in steps, and work that gives way."""

import threading

import pytest

from gcn_lsp.findings.rule import Stage
from gcn_lsp.flow import solver, steps
from gcn_lsp.flow.kept import once
from gcn_lsp.server import diagnostics
from tests.benchmarks.in_process import Session
from tests.benchmarks.kernel import kernel


class Interruptions:
    """Interrupts this thread again and again, and counts how often it gave way."""

    def __init__(self) -> None:
        self.count = 0
        self._again()

    def _again(self) -> None:
        steps.interrupt(threading.get_ident(), self._one)

    def _one(self) -> None:
        self.count += 1
        self._again()

    def end(self) -> int:
        """The number so far, and no more interruptions."""
        steps.interrupt(threading.get_ident(), lambda: None)
        steps.give_way()
        return self.count


def test_an_interruption_is_done_once() -> None:
    done: list[str] = []
    steps.interrupt(threading.get_ident(), lambda: done.append("first"))
    steps.interrupt(threading.get_ident(), lambda: done.append("in its place"))
    steps.give_way()
    steps.give_way()
    assert done == ["in its place"]


def test_finish_gives_way_between_steps() -> None:
    def work() -> steps.Steps[str]:
        yield
        yield
        return "done"

    interruptions = Interruptions()
    assert steps.finish(work()) == "done"
    assert interruptions.end() == 2


def test_work_ends_after_the_step_in_which_nobody_wants_it_any_more() -> None:
    done: list[int] = []

    def work() -> steps.Steps[None]:
        for number in range(5):
            done.append(number)
            yield

    with pytest.raises(steps.Superseded):
        steps.finish(work(), lambda: len(done) < 2)
    assert done == [0, 1]


def test_the_solver_gives_way_at_each_node_and_a_kept_result_before_it_is_computed() -> None:
    class Described:
        def __init__(self) -> None:
            self.memo: dict[object, object] = {}

    interruptions = Interruptions()
    solver.solve([[1], [2], []], {0: "state"}, lambda node, state: state, lambda one, other: one)
    assert interruptions.count == 3
    find, described = once(lambda described: 5), Described()
    assert find(described) == find(described) == 5
    assert interruptions.end() == 4


def test_the_first_check_of_a_file_gives_way_often() -> None:
    session = Session(kernel(2_500))
    interruptions = Interruptions()
    session.check(diagnostics.FIRST)
    first = interruptions.count
    session.check(Stage.HINTS)
    assert first > 2_500 / 64
    assert interruptions.end() - first > 1_000

"""Runs the cases of tests and compares what comes out with what is expected."""

import os
import runpy
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, Literal

import msgspec
import numpy as np

from gcn_lsp import project
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.machine.arguments import Array, Empty, Number, WrongLaunch
from gcn_lsp.machine.run import LIMIT
from gcn_lsp.project import report as reports
from gcn_lsp.project.report import Report
from gcn_lsp.running import opened as opening
from gcn_lsp.running import processes, runs
from gcn_lsp.running.cases import Case
from gcn_lsp.running.runs import Outcome

_MOST_SHOWN = 5


class Verdict(msgspec.Struct, frozen=True):
    """What came of a case. said: why it failed or could not run, a sentence. findings: of its run, at source lines.

    report: the findings with the lines of text that they mention.
    """

    case: Case
    result: Literal["passed", "failed", "broken"]
    said: str = ""
    findings: tuple[Finding, ...] = ()
    seconds: float = 0.0
    executed: int = 0
    report: "Report | None" = None
    is_interrupted: bool = False


def run_all(cases: "Sequence[Case]", jobs: int = 1) -> Iterator[Verdict]:
    """Run cases, in so many processes; the verdicts come in the order of the cases, until one is interrupted."""
    workers = min(jobs, len(cases))
    if workers < 2:
        for case in cases:
            verdict = run(case, jobs)
            yield verdict
            if verdict.is_interrupted:
                return
        return
    with processes.pool(workers) as pool:
        tasks = [pool.submit(run, case) for case in cases]
        for case, task in zip(cases, tasks, strict=True):
            try:
                verdict = task.result()
            except KeyboardInterrupt:
                for each in tasks:
                    each.cancel()
                verdict = Verdict(case, "broken", "it was interrupted.", is_interrupted=True)
            yield verdict
            if verdict.is_interrupted:
                return


def run(case: Case, jobs: int = 1) -> Verdict:
    """Run a case, its orders in so many processes; never raises for what is wrong with it."""
    start = perf_counter()
    try:
        settings = project.Settings(
            target=case.target, mattr=case.mattr, defines=dict(case.defines), include_paths=case.include
        )
        opened = opening.read(case.source, settings)
        kernel = runs.kernel_of(opened, case.kernel)
        expected = dict(case.expected)
        if case.reference:
            expected.update(_referenced(case))
        outcome = runs.run(
            opened, kernel, case.launch, seed=case.seed, limit=case.limit or LIMIT, all_orders=case.orders, jobs=jobs
        )
        said = _fault(case, outcome, expected)
    except WrongLaunch as error:
        return Verdict(case, "broken", str(error), seconds=perf_counter() - start)
    seconds = perf_counter() - start
    result: Literal["passed", "failed"] = "failed" if said else "passed"
    made = reports.of(opened.path, outcome.findings, opened.file.source)
    return Verdict(case, result, said, outcome.findings, seconds, outcome.executed, made, outcome.is_interrupted)


def _fault(case: Case, outcome: Outcome, expected: Mapping[str, Any]) -> str:
    """Why a case failed; empty if it passed."""
    rules = [each.rule for each in outcome.findings]
    if outcome.is_interrupted:
        return "it was interrupted"
    if case.fails:
        return "" if case.fails in rules else f"no {case.fails} is found; found: {', '.join(rules) or 'nothing'}"
    worst = next((each for each in outcome.findings if each.severity is Severity.ERROR), None)
    worst = worst or next(iter(outcome.findings), None)
    if worst is not None:
        return f"line {worst.where.line + 1}: {worst.message}"
    for name, value in expected.items():
        if name not in outcome.arrays:
            return f"there is no buffer {name}; the buffers: {', '.join(outcome.arrays) or 'none'}"
        said = difference(name, outcome.arrays[name], value, case.tolerance)
        if said:
            return said
    return ""


def difference(name: str, found: Array, expected: Any, tolerance: float) -> str:
    """How an array differs from what is expected, in a sentence; empty if it does not."""
    wanted = np.asarray(expected.value if isinstance(expected, Number) else expected)
    if wanted.shape not in ((), found.shape) and wanted.size != found.size:
        return f"{name} has {found.size} elements, the expected array {wanted.size}"
    wanted = np.broadcast_to(wanted, found.shape) if wanted.shape == () else wanted.reshape(found.shape)
    if found.dtype.kind == "f":
        same = np.isclose(found.astype(np.float64), wanted.astype(np.float64), tolerance, tolerance, equal_nan=True)
    else:
        same = np.abs(found.astype(np.float64) - wanted.astype(np.float64)) <= tolerance
        same |= found == wanted
    if same.all():
        return ""
    places = np.argwhere(~same)
    shown = ", ".join(
        f"{name}[{','.join(map(str, place))}] is {found[tuple(place)]}, not {wanted[tuple(place)]}"
        for place in places[:_MOST_SHOWN]
    )
    return f"{len(places)} of {found.size} elements differ: {shown}"


def _referenced(case: Case) -> dict[str, Any]:
    """The arrays that a function in Python expects."""
    path, _, name = case.reference.rpartition(":")
    if not path or not name:
        raise WrongLaunch(f"{case.reference!r} is not FILE.py:FUNCTION.")
    full = os.path.join(os.path.dirname(case.path), path)
    try:
        function = runpy.run_path(full).get(name)
    except OSError as error:
        raise WrongLaunch(f"{full} cannot be read: {error.strerror}.") from error
    except Exception as error:
        raise WrongLaunch(f"{full} fails: {error!r}.") from error
    if not callable(function):
        raise WrongLaunch(f"{full} has no function {name}.")
    return _called(function, case, f"{path}:{name}")


def _called(function: Callable[..., Any], case: Case, name: str) -> dict[str, Any]:
    plain = {key: _plain(value) for key, value in case.launch.arguments.items()}
    try:
        found = function(**plain)
    except Exception as error:
        raise WrongLaunch(f"{name} fails: {error!r}.") from error
    if isinstance(found, Mapping):
        return dict(found)
    buffers = [key for key, value in case.launch.arguments.items() if isinstance(value, np.ndarray | Empty)]
    if found is None or not buffers:
        raise WrongLaunch(f"{name} returns neither arrays by name nor one array.")
    return {buffers[-1]: found}


def _plain(value: Any) -> Any:
    """An argument as a function in Python takes it: arrays as copies, numbers as numbers."""
    if isinstance(value, Empty):
        return value.array.copy()
    if isinstance(value, np.ndarray):
        return value.copy()
    return value.value if isinstance(value, Number) else value

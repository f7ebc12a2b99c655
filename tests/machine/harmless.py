"""Which planted defects change nothing in the launch of their kernel: an oracle that asks no finding of a run.

A barrier that is gone is harmless if no two waves of a work-group access the same byte of LDS, one of them to write,
between the same barriers of those that are left: then every order of the waves computes the same. A check of bounds
that is gone is harmless if it never switched a lane off.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np

from gcn_lsp.machine.barriers import Barrier
from gcn_lsp.machine.races import Clocks, History
from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.running import runs
from tests.machine import planted
from tests.machine.planted import Defect, Subject


def is_harmless(kind: str, of: Subject, defect: Defect, path: str) -> bool:
    """Whether a defect of a kind of `planted.KINDS` is one of these; False for other kinds."""
    if kind == "barriers":
        return not _conflicts(of, defect.text, path)
    return kind == "bounds" and not _switches(of, defect.line, path)


def _conflicts(of: Subject, text: str, path: str) -> bool:
    """Whether waves access the same bytes of LDS between the same barriers, atomics with each other aside."""
    with _accesses() as found:
        planted.run(of, text, path, all_orders=False)
    for users in found.values():
        writers = {wave for wave, is_write, _ in users if is_write}
        for wave, is_write, is_atomic in users:
            others = {
                other for other, writes, atomic in users if other != wave and writes and not (atomic and is_atomic)
            }
            if others or (is_write and not is_atomic and writers - {wave}):
                return True
    return False


_Users = dict[tuple[int, int, int], set[tuple[int, bool, bool]]]
"""By work-group, barriers passed and byte of LDS: the waves that access it, whether they write, and by an atomic."""


@contextmanager
def _accesses() -> Iterator[_Users]:
    found: _Users = defaultdict(set)
    rounds: Counter[tuple[int, int]] = Counter()
    passed, read, write = Barrier.passed, History.read, History.write

    def note(clocks: Clocks, wave: int, offsets: Any, size: int, *, is_write: bool, is_atomic: bool) -> None:
        for byte in np.unique(offsets[:, None] + np.arange(size)).tolist():
            found[clocks.first, rounds[clocks.first, wave], byte].add((wave, is_write, is_atomic))

    def reading(history: History, clocks: Clocks, wave: int, offsets: Any, size: int, step: int) -> Any:
        note(clocks, wave, offsets, size, is_write=False, is_atomic=False)
        return read(history, clocks, wave, offsets, size, step)

    def writing(
        history: History, clocks: Clocks, wave: int, offsets: Any, size: int, step: int, *, is_atomic: bool = False
    ) -> Any:
        note(clocks, wave, offsets, size, is_write=True, is_atomic=is_atomic)
        return write(history, clocks, wave, offsets, size, step, is_atomic=is_atomic)

    def passing(barrier: Barrier, wave: int, clocks: "Clocks | None") -> None:
        if clocks is not None:
            rounds[clocks.first, wave] += 1
        passed(barrier, wave, clocks)

    with (
        mock.patch.object(History, "read", reading),
        mock.patch.object(History, "write", writing),
        mock.patch.object(Barrier, "passed", passing),
    ):
        yield found


def _switches(of: Subject, line: int, path: str) -> bool:
    """Whether the instruction of a line ever changes EXEC."""
    before: dict[tuple[Any, int], int] = {}
    changed = False

    def trace(run: WaveRun) -> None:
        nonlocal changed
        key = (run.group.place, run.number)
        old = before.pop(key, None)
        changed |= old is not None and old != run.wave.exec
        step = run.image.steps.get(run.wave.pc)
        if step is not None and run.image.placed(step).where.line == line:
            before[key] = run.wave.exec

    outcome: runs.Outcome = planted.run(of, of.text, path, all_orders=False, trace=trace)
    assert outcome.is_complete
    return changed

"""Documents of every kind under random edits; `python -m tests.server.random_kinds` does so at length."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.server import random_kinds
from tests.server.random_kinds import Kind


@pytest.mark.parametrize("kind", random_kinds.kinds(), ids=lambda kind: kind.name)
def test_an_edited_document_is_found_as_a_fresh_one(kind: Kind) -> None:
    found = list(random_kinds.run(kind, 24, 12, random.Random(1), Counter()))
    assert not found, found[0].what


@pytest.mark.slow
@pytest.mark.parametrize("kind", random_kinds.kinds(), ids=lambda kind: kind.name)
def test_many_edits(kind: Kind) -> None:
    found = [
        failure for seed in range(5) for failure in random_kinds.run(kind, 200, 20, random.Random(seed), Counter())
    ]
    assert not found, found[0].what


def test_growth_is_that_of_the_second_half(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = random_kinds.Memory()
    readings = iter((100.0, 200.0, 210.0, 212.0, 213.0))
    monkeypatch.setattr(random_kinds, "resident", lambda: next(readings))
    for edits in range(0, 50_000, 10_000):
        memory.read(edits)
    assert memory.now == 213.0
    assert memory.growth == 1.5


@pytest.mark.parametrize("kind", random_kinds.kinds()[:4], ids=lambda kind: kind.name)
def test_requests_are_cancelled_while_edits_go_on(kind: Kind, tmp_path: Path) -> None:
    editing = random_kinds.Editing(kind, tmp_path, random.Random(3))
    assert sum(editing.cancel() for _ in range(4)) > 0
    assert editing.compared(4) == ""

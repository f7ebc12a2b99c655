"""The measurement in one process runs, and leaves the rules as they were."""

import json

import pytest

from gcn_lsp.findings import run
from gcn_lsp.findings.rule import Stage
from tests.benchmarks import in_process
from tests.benchmarks.kernel import kernel


def test_times_and_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_process, "KEYS", 12)
    monkeypatch.setattr(in_process, "HOVERS", 5)
    before = run._found_by
    times, costs = in_process.measured(kernel(300))
    assert run._found_by is before
    assert [len(times[what]) for what in ("open", "hovers")] == [2, 5]
    assert len(times["keys"]) >= 12
    assert "missing-wait" in costs


def test_the_same_keys_each_time_and_the_text_is_left_as_it_was() -> None:
    text = kernel(300)
    session = in_process.Session(text)
    pressed = list(in_process.keys(text, 20))
    assert pressed == list(in_process.keys(text, 20))
    for key in pressed:
        session.press(key)
    assert session.document.snapshot.source.lines == in_process.Session(text).document.snapshot.source.lines
    assert json.loads(session.check(Stage.HINTS))["diagnostics"] == []

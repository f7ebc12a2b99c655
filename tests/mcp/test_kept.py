"""Whole answers are kept for their cursors, while what they were read from is as it was."""

from pathlib import Path
from typing import Any

import pytest

from gcn_lsp import api
from gcn_lsp.mcp import kept, tools
from gcn_lsp.mcp.kept import KeptAnswers

KERNEL = '; gcn-lsp: target=gfx90a\n.include "rows.inc"\n'
ROWS = "v_mov_b33 v0, v1\n" * 30


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that were opened."""
    paths: list[str] = []
    real = api.open_file

    def open_file(path: str, target: str | None = None) -> api.Assembly:
        paths.append(path)
        return real(path, target)

    monkeypatch.setattr(api, "open_file", open_file)
    return paths


def every(path: Path, between: Any = None) -> list[Any]:
    """The findings of all parts."""
    found, cursor = [], ""
    while True:
        part = tools.answer("check", {"path": str(path), "cursor": cursor})
        found += part["findings"]
        cursor = part["next_cursor"]
        if not cursor:
            return found
        if between is not None:
            between()


def test_a_file_is_checked_once_for_all_parts_of_an_answer(tmp_path: Path, opened: list[str]) -> None:
    path = tmp_path / "k.s"
    path.write_text(KERNEL)
    (tmp_path / "rows.inc").write_text(ROWS)
    first = every(path)
    assert len(first) == 30
    assert opened == [str(path)]
    assert every(path, path.touch) == first
    assert len(opened) == 1


@pytest.mark.parametrize("name", ["k.s", "rows.inc", "gcn-lsp.toml"])
def test_a_file_that_was_read_or_looked_for_is_checked_anew(tmp_path: Path, opened: list[str], name: str) -> None:
    texts = {
        "k.s": KERNEL + "v_mov_b44 v0, v1\n",
        "rows.inc": ROWS + "v_mov_b44 v0, v1\n",
        "gcn-lsp.toml": 'severity = { unknown-mnemonic = "off" }\n',
    }
    path = tmp_path / "k.s"
    path.write_text(KERNEL)
    (tmp_path / "rows.inc").write_text(ROWS)
    assert len(every(path)) == 30
    (tmp_path / name).write_text(texts[name])
    assert len(every(path)) != 30
    assert len(opened) == 2


def test_no_more_answers_are_kept_than_a_few_and_the_oldest_goes_first() -> None:
    answers = KeptAnswers()
    asked: list[int] = []

    def of(question: int) -> None:
        def ask() -> tuple[str, tuple[api.Assembly, ...]]:
            asked.append(question)
            return f"answer {question}", ()

        assert answers.of(question, ask) == f"answer {question}"

    for question in (*range(kept.MOST), 0, kept.MOST):
        of(question)
    assert asked == [*range(kept.MOST), kept.MOST]
    of(0)
    of(1)  # which was asked for the longest time ago
    assert asked == [*range(kept.MOST), kept.MOST, 1]

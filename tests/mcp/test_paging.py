"""Parts of long answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gcn_lsp.mcp import paging, tools
from gcn_lsp.text import json_bytes


@given(st.lists(st.text(max_size=400), max_size=60))
def test_parts_of_rows_are_all_rows(rows: list[str]) -> None:
    found: list[str] = []
    cursor = ""
    while True:
        part, cursor = paging.part_of(rows, cursor)
        assert len(json_bytes(list(part))) <= paging.MOST + 2 or len(part) == 1
        found += part
        if not cursor:
            break
    assert found == rows


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=6000))
def test_parts_of_a_text_are_the_text(text: str) -> None:
    found, cursor = "", ""
    while True:
        part, cursor = paging.text_part(text, cursor)
        assert len(json_bytes(part)) <= paging.MOST
        assert part or not text
        found += part
        if not cursor:
            break
    assert found == text


def test_a_text_is_cut_at_the_end_of_a_line() -> None:
    part, cursor = paging.text_part("a line of text\n" * 200, "")
    assert part.endswith("\n")
    assert cursor == str(len(part))


@pytest.mark.parametrize("cursor", ["-1", "x", "3", "1.0", "\u0661"])
def test_another_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(paging.WrongCursor, match="is not a cursor of this answer"):
        paging.part_of(("a", "b", "c"), cursor)


def test_what_is_before_the_cursor_of_an_answer_is_cut() -> None:
    text = tools.ExplainAnswer("a line of text\n" * 200)
    part = paging.part_of_answer(text, "")
    rest = paging.part_of_answer(text, part.next_cursor)
    assert text.markdown.startswith(part.markdown + rest.markdown)
    every = tools.MixAnswer(("k",) * 900, ())
    assert paging.part_of_answer(every, "") == every
    legal = tools.LegalAnswer(("gfx90a",))
    assert paging.part_of_answer(legal, "") is legal


def test_counts_that_are_left_out_are_summed() -> None:
    whole = {"blocks": [{"mnemonics": {f"v_{number:020}": number for number in range(500)}}]}
    (row,) = paging.shortened(whole)["blocks"]
    assert len(json_bytes(whole)) > 10_000
    assert len(json_bytes(row)) <= paging.LONGEST
    assert sum(row["mnemonics"].values()) == sum(range(500))
    assert "…" in row["mnemonics"]


def test_a_short_answer_is_not_cut() -> None:
    answer = {"findings": ({"message": "x" * 1500},), "next_cursor": "1"}
    assert paging.shortened(answer) is answer

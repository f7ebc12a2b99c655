"""Blocks of lines that are collected: where they end, in pieces too, and what a repetition steps through."""

import pytest

from tests.preproc.recorder import run, texts


@pytest.mark.parametrize("pieces", [1, 2, 3, 5])
def test_a_block_may_go_on_in_the_next_chunk(pieces: int) -> None:
    recorder, state = run(".rept 2\n.irp x, 1, 2\ns_nop \\x\n.endr\n.endr", pieces=pieces)
    assert recorder.texts == ["s_nop 1", "s_nop 2"] * 2
    assert state.block is None


def test_only_words_of_the_same_kind_nest() -> None:
    assert texts(".macro m\n.rept 2\ns_nop 0\n.endr\n.endm\nm") == ["s_nop 0", "s_nop 0"]
    assert texts(".rept 1\n.macro m\ns_nop 1\n.endm\n.endr\nm") == ["s_nop 1"]


def test_an_end_in_a_comment_ends_nothing() -> None:
    assert texts(".rept 2\n/* .endr */ s_nop 0\n.endr") == ["s_nop 0", "s_nop 0"]


@pytest.mark.parametrize("word", [".endm", ".endmacro", ".endr", ".end_amdgpu_metadata"])
def test_an_end_without_a_block(word: str) -> None:
    assert run(word)[0].problems == [("stray-block-end", 0)]


def test_lines_that_are_not_assembly() -> None:
    recorder, _ = run(".amdgpu_metadata\n.macro m\n.end_amdgpu_metadata\ns_nop 0")
    assert recorder.raw == [(b".macro m",)]
    assert recorder.texts == ["s_nop 0"]

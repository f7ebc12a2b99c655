"""Byte columns to editor columns and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gcn_lsp import text
from gcn_lsp.text.position import PositionEncoding

LINE = "v_mov v0, é𝄞x".encode()


@pytest.mark.parametrize(
    ("encoding", "column"),
    [("utf-8", 16), ("utf-16", 13), ("utf-32", 12)],
)
def test_columns_of_a_byte_after_wide_characters(encoding: PositionEncoding, column: int) -> None:
    byte = LINE.index(b"x")
    assert text.byte_to_column(LINE, byte, encoding) == column
    assert text.column_to_byte(LINE, column, encoding) == byte


def test_columns_are_clipped_to_the_line() -> None:
    assert text.byte_to_column(b"abc", 9, "utf-16") == 3
    assert text.column_to_byte(b"abc", 9, "utf-16") == 3
    assert text.column_to_byte(LINE, 99, "utf-16") == len(LINE)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(0, 40))
def test_conversion_is_its_own_inverse_at_character_boundaries(line: str, index: int) -> None:
    data = line.encode()
    byte = len(line[:index].encode())
    encodings: tuple[PositionEncoding, ...] = ("utf-8", "utf-16", "utf-32")
    for encoding in encodings:
        column = text.byte_to_column(data, byte, encoding)
        assert text.column_to_byte(data, column, encoding) == byte


def test_invalid_utf8_does_not_raise() -> None:
    assert text.column_to_byte(b"\xff\xfe ab", 3, "utf-16") == 3


@pytest.mark.parametrize("character", ["a", "é", "€", "𝄞"])
def test_where_a_character_ends(character: str) -> None:
    line = f"x{character}é".encode()
    assert text.character_end(line, 1) == 1 + len(character.encode())


@pytest.mark.parametrize("line", [b"\x80\x80", b"\xff(", b"\xc3(", b"\xc3"])
def test_a_byte_of_no_character_is_one_by_itself(line: bytes) -> None:
    assert text.character_end(line, 0) == 1

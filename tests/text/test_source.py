"""Cutting text into lines and replacing parts of it."""

import re
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gcn_lsp.text import SourceText


@pytest.mark.parametrize("data", [b"a\nb", b"a\r\nb", b"a\rb"])
def test_every_line_end_is_one(data: bytes) -> None:
    assert SourceText.from_bytes("k.s", data).lines == (b"a", b"b")


def test_an_empty_file_has_one_line() -> None:
    assert SourceText.from_bytes("k.s", b"").lines == (b"",)


def test_a_byte_order_mark_is_dropped() -> None:
    assert SourceText.from_bytes("k.s", b"\xef\xbb\xbfs_nop 0").lines == (b"s_nop 0",)


def test_replace_across_lines() -> None:
    source = SourceText.from_bytes("k.s", b"one\ntwo\nthree")
    assert source.replace(0, 1, 2, 2, b"X\nY").lines == (b"oX", b"Yree")


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n"]), max_size=12), st.sampled_from([0, 1, 3, 8]))
def test_a_long_text_is_split_part_by_part(parts: list[bytes], size: int) -> None:
    data = b"".join(parts)
    with patch("gcn_lsp.text.source._PART", size):
        assert SourceText.from_bytes("k.s", data).lines == tuple(re.split(rb"\r\n|\r|\n", data))


@given(st.binary(max_size=60).filter(lambda data: b"\r" not in data), st.data(), st.binary(max_size=20))
def test_replace_is_replacing_in_the_joined_text(data: bytes, draw: st.DataObject, new: bytes) -> None:
    new = new.replace(b"\r", b"")
    source = SourceText("k.s", tuple(data.split(b"\n")))
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, len(data)))

    def place(offset: int) -> tuple[int, int]:
        before = data[:offset].split(b"\n")
        return len(before) - 1, len(before[-1])

    edited = source.replace(*place(start), *place(end), new)
    assert edited.to_bytes() == data[:start] + new + data[end:]

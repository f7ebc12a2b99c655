"""Arguments of data directives, and numbers as bytes."""

import pytest

from gcn_lsp.program.data_bytes import float_bytes, leb128, split_arguments
from gcn_lsp.syntax.lines import parse_line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b".long 1, f(2, 3) , v[4,5]", [b"1", b"f(2, 3)", b"v[4,5]"]),
        (b'.ascii "a,b\\",", "c"', [b'"a,b\\","', b'"c"']),
        (b".long", []),
        (b".long 1,", [b"1", b""]),
    ],
)
def test_arguments(text: bytes, expected: list[bytes]) -> None:
    statement = parse_line(text).statements[0]
    assert [text[start:end] for start, end in split_arguments(statement)] == expected


@pytest.mark.parametrize(
    ("value", "signed", "size", "expected"),
    [(0, False, 1, "00"), (624485, False, 1, "e58e26"), (-123456, True, 1, "c0bb78"), (1, False, 3, "818000")],
)
def test_leb128(value: int, signed: bool, size: int, expected: str) -> None:
    assert leb128(value, signed=signed, size=size).hex() == expected


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [("1.5", 4, "0000c03f"), ("-inf", 8, "000000000000f0ff"), ("nan", 4, "ffffff7f"), ("0x1p3", 4, "00000041")],
)
def test_floats(text: str, size: int, expected: str) -> None:
    found = float_bytes(text, size)
    assert found is not None
    assert found.hex() == expected


def test_what_is_no_float() -> None:
    assert float_bytes("a", 4) is None

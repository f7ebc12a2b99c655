"""Arguments of data directives, and numbers as bytes."""

import pytest

from gcn_lsp.program import program
from gcn_lsp.program.data_bytes import float_bytes, leb128, split_arguments
from gcn_lsp.program.program import Options
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.text import SourceText


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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (".long 0x1,0xfFfFfFfF , 0X2", "01000000ffffffff02000000"),
        (".quad 0x1, 0x12345678 // a comment", "01000000000000007856341200000000"),
        (".octa 0x12", "12" + "00" * 15),
        (".long 0x1, 0x123456789", "01000000"),  # the second is reported
        (".short 0x1, 0x2", "01000200"),
        (".long 0x1+0x2, 0x3", "0300000003000000"),
        (".long 0x1, 0x2f // end", "010000002f000000"),
    ],
)
def test_lists_of_words(line: str, expected: str) -> None:
    source = SourceText.from_bytes("a.s", f".data\n\t{line}\n".encode())
    assert program.build(source, Options(target="gfx942")).section_bytes(".data").hex().startswith(expected)

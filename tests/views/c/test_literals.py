"""The values of literals, and the places of the parts of strings."""

import pytest

from gcn_lsp.views.c import literals
from gcn_lsp.views.c.literals import Part


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"0", (0, False)),
        (b"010", (8, False)),
        (b"0x1FuLL", (31, True)),
        (b"1LLU", (1, True)),
        (b"0b101l", (5, False)),
        (b"1'000", (1000, False)),
        (b"08", None),
        (b"1.5", None),
        (b"1ul1", None),
        (b"0x", None),
        (b"9" * 10_000, None),
    ],
)
def test_numbers(text: bytes, expected: "tuple[int, bool] | None") -> None:
    assert literals.number(text) == expected


def test_a_number_without_octal_digits() -> None:
    assert literals.number(b"018", octal=False) == (18, False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [(b"'a'", 97), (b"'\\n'", 10), (b"'\\377'", -1), (b"'\\x41'", 65), (b"'ab'", 0x6162), (b"''", None), (b"'", None)],
)
def test_characters(text: bytes, expected: "int | None") -> None:
    assert literals.character(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'"a\\tb"', b"a\tb"),
        (b'u8"\\u00e9"', "é".encode()),
        (b'"\\x41\\101\\q"', b"AAq"),
        (b'"\\xz\\uz\\Uz"', b"xzuzUz"),  # no digits
        (b'"a\\\n b"', b"a b"),
        (b'R"x(a\\n)x"', b"a\\n"),
        (b"a", b""),
    ],
)
def test_strings(text: bytes, expected: bytes) -> None:
    assert literals.text(text) == expected


def test_the_places_of_parts() -> None:
    assert list(literals.parts(b'"a\\nb"', 3, 10)) == [
        Part(b"a", 3, 11, 12),
        Part(b"\n", 3, 12, 14, exact=False),
        Part(b"b", 3, 14, 15),
    ]
    assert list(literals.parts(b'R"(a\nb)"', 3, 10)) == [
        Part(b"a", 3, 13, 14, raw=True),
        Part(b"\n", 3, 14, 14, exact=False, raw=True),
        Part(b"b", 4, 0, 1, raw=True),
    ]

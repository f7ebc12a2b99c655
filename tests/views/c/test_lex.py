"""The tokens of C: their places, what is one token, and that no text takes long."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gcn_lsp.views.c.lex import TokenKind, comment_after, outside, source_tokens, tokens, would_join

PARTS = some.lists(
    some.sampled_from([
        b"asm", b" ", b"x1", b"0x1f", b"1'000", b'"a\\"b"', b'"', b"'", b"'c'", b"/*", b"*/", b"//", b"##", b"<<",
        b"::", b"\\", b'R"x(', b')x"', b"u8", b"(", b"\t", b"\xff", b"$a", b".5e+3",
    ])
)  # fmt: skip


@given(PARTS)
def test_tokens_and_what_is_between_them_are_the_line(parts: list[bytes]) -> None:
    text = b"".join(parts)
    for read in (tokens, source_tokens):
        at = 0
        for token in read(text):
            assert token.text == text[token.start : token.end]
            assert token.start >= at
            assert token.spaced == (token.start > at)
            assert not read(text[at : token.start])
            at = token.end
        assert not read(text[at:])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a<<b", [b"a", b"<<", b"b"]),
        (b"1.5e+3+x", [b"1.5e+3", b"+", b"x"]),
        (b'"a // b" // c', [b'"a // b"']),
        (b"a/*b*/c /* d", [b"a", b"c"]),
        (b"x don't F // c", [b"x", b"don", b"'t F // c"]),
        (b"'' a", [b"''", b"a"]),
    ],
)
def test_a_line_of_assembly(text: bytes, expected: list[bytes]) -> None:
    assert [token.text for token in tokens(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'u8R"x(a)" )x" b', [b'u8R"x(a)" )x"', b"b"]),
        (b"1'000u a::b", [b"1'000u", b"a", b"::", b"b"]),
        (b'a // b \\\n c\n"d"', [b"a", b'"d"']),
        (b"L'a' \\\n b", [b"L'a'", b"b"]),
    ],
)
def test_a_source(text: bytes, expected: list[bytes]) -> None:
    assert [token.text for token in source_tokens(text)] == expected


def test_a_token_has_a_kind_and_a_place() -> None:
    (token,) = tokens(b"  ab  12", 7, 0, 5)
    assert (token.kind, token.line, token.start, token.end, token.spaced) == (TokenKind.NAME, 7, 2, 4, True)


@pytest.mark.parametrize(
    ("text", "is_open", "expected"),
    [
        (b"a /* b", False, True),
        (b"a */ b", True, False),
        (b'"/*"', False, False),
        (b"// /*", False, False),
        (b"/* */ /*", False, True),
        (b"a", True, True),
    ],
)
def test_an_open_comment(text: bytes, is_open: bool, expected: bool) -> None:
    assert comment_after(text, is_open) is expected


def test_words_outside_of_comments_literals_and_directives() -> None:
    text = b'asm /* asm */ "asm" // asm\n#define asm asm \\\n asm\nasm 1\'0asm R"(asm)"'
    found = [match.start() for match in outside(rb"asm").finditer(text) if match[0] == b"asm"]
    assert found == [0, text.index(b"\nasm 1") + 1, text.index(b"0asm") + 1]


def test_tokens_that_would_join() -> None:
    assert would_join(b"a", b"1")
    assert not would_join(b"a", b"+")
    assert not would_join(b"", b"a")


@pytest.mark.parametrize("unit", [b'"\\', b"'\\", b"/*", b'R"x(', b'"', b"\\", b"((", b"\xff"])
def test_no_line_takes_long(unit: bytes) -> None:
    text = unit * 100_000
    started = time.process_time()
    tokens(text)
    source_tokens(text)
    comment_after(text + b"*", False)
    assert time.process_time() - started < 3

"""Literals of C and C++: escapes, the text of strings, and the values of numbers and characters."""

import re
from collections.abc import Iterator

import msgspec

from gcn_lsp.patterns import regex

_START = regex(rb'(?:u8|[uUL])?"')
_RAW = regex(rb'(?:u8|[uUL])?R"([^()\\\s]{0,16})\(')
# A run of plain text, a line end (in Python), a continued line, or an escape.
_PART = regex(
    rb"[^\\\r\n]+|\r\n|\n|\r|\\\r?\n|\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|\\", re.DOTALL
)
_LINE = regex(rb"\r\n|\n|\r|[^\r\n]+")
_ZERO = ord("0")
_SIMPLE = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a", b"b": b"\b"}
_NUMBER = regex(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:([uU])?(?:ll|LL|[lLzZ])?|(?:ll|LL|[lLzZ])([uU]))")


class Part(msgspec.Struct, frozen=True, gc=False):
    """Consecutive characters of a string.

    text: as the program has them; the place is bytes `start` to `end` of a line. exact: whether each byte of `text` is
    a byte there. raw: whether the string has no escapes.
    """

    text: bytes
    line: int
    start: int
    end: int
    exact: bool = True
    raw: bool = False


def parts(literal: bytes, line: int, column: int) -> Iterator[Part]:
    """The parts of a string, with its quotes, that begins at a place; none of anything else."""
    raw = _RAW.match(literal)
    start = raw or _START.match(literal)
    if start is not None:
        closing = b'"' if raw is None else b")" + raw[1] + b'"'
        body = literal[start.end() :].removesuffix(closing)
        yield from content(body, line, column + start.end(), is_raw=raw is not None)


def content(body: bytes, line: int, column: int, *, is_raw: bool) -> Iterator[Part]:
    """The parts of the text between quotes that begins at a place. is_raw: it has no escapes."""
    for part in (_LINE if is_raw else _PART).finditer(body):
        text = part[0]
        end = column + len(text)
        if text[:1] in b"\r\n":
            yield Part(b"\n", line, column, column, False, is_raw)
            line, end = line + 1, 0
        elif is_raw or not text.startswith(b"\\"):
            yield Part(text, line, column, end, True, is_raw)
        elif text.endswith(b"\n"):  # the line goes on
            line, end = line + 1, 0
        else:
            yield Part(_escaped(text[1:]), line, column, end, False)
        column = end


def text(literal: bytes) -> bytes:
    """The text of a string."""
    return b"".join(part.text for part in parts(literal, 0, 0))


def _escaped(text: bytes) -> bytes:
    if text in _SIMPLE:
        return _SIMPLE[text]
    if text[:1] in b"01234567" and text:
        return bytes((int(text, 8) & 0xFF,))
    if text[:1] == b"x" and len(text) > 1:
        return bytes((int(text[1:], 16) & 0xFF,))
    if text[:1] in (b"u", b"U") and len(text) > 1:
        return chr(min(int(text[1:], 16), 0x10FFFF)).encode("utf-8", "replace")
    return text


def number(text: bytes, *, octal: bool = True) -> tuple[int, bool] | None:
    """The value of a whole number and whether a suffix makes it unsigned; None for anything else.

    octal: whether a leading zero makes the digits octal.
    """
    if text.isdigit() and (len(text) == 1 or (text[0] != _ZERO and len(text) < 20)):  # most are
        return int(text), False
    found = _NUMBER.fullmatch(text.decode("latin-1").replace("'", ""))
    if found is None:
        return None
    digits = found[1]
    base = {"x": 16, "b": 2}.get(digits[1:2].lower(), 8 if octal and digits[0] == "0" else 10)
    try:
        return int(digits, base), bool(found[2] or found[3])
    except ValueError:  # `08`, or thousands of digits
        return None


def character(literal: bytes) -> int | None:
    """The value of a character in quotes, as clang has it: several are the bytes of one number of 32 bits."""
    if len(literal) < 3 or not literal.startswith(b"'") or not literal.endswith(b"'"):
        return None
    made = b"".join(part.text for part in content(literal[1:-1], 0, 0, is_raw=False))
    width = 32 if len(made) > 1 else 8
    value = int.from_bytes(made[-4:], "big")
    return value - (1 << width) if value >> (width - 1) else value

"""Reads string literals of C and C++ into pieces of text with their places."""

import re
from collections.abc import Iterator

from gcn_lsp.views.inline.statement import Piece, Span

_START = re.compile(rb'(?:u8|[uUL])?(R?)"')
_RAW = re.compile(rb'(?:u8|[uUL])?R"([^()\\\s]{0,16})\(', re.DOTALL)
# A run of plain text, a line end (in Python), a continued line, or an escape.
_PART = re.compile(
    rb"[^\\\r\n]+|\r\n|\n|\r|\\\r?\n|\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL
)
_LINE = re.compile(rb"\r\n|\n|\r|[^\r\n]+")
_SIMPLE = {
    b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a", b"b": b"\b", b"0": b"\0",
}  # fmt: skip


def pieces(literal: bytes, line: int, column: int) -> Iterator[Piece]:
    """The pieces of a literal, with its quotes, that begins at a place of the source."""
    raw = _RAW.match(literal)
    if raw is not None:
        closing = b")" + raw[1] + b'"'
        body = literal[raw.end() :].removesuffix(closing)
        yield from _raw(body, line, column + raw.end())
        return
    start = _START.match(literal)
    if start is None:
        return
    yield from content(literal[start.end() :].removesuffix(b'"'), line, column + start.end(), is_raw=False)


def content(body: bytes, line: int, column: int, *, is_raw: bool) -> Iterator[Piece]:
    """The pieces of the text between quotes that begins at a place of the source. is_raw: it has no escapes."""
    if is_raw:
        yield from _raw(body, line, column)
        return
    for part in _PART.finditer(body):
        text = part[0]
        end = column + len(text)
        if text[:1] in b"\r\n":
            yield Piece(b"\n", Span(line, column, column), exact=False)
            line, end = line + 1, 0
        elif not text.startswith(b"\\"):
            yield Piece(text, Span(line, column, end))
        elif text.endswith(b"\n"):  # the line goes on
            line, end = line + 1, 0
        else:
            yield Piece(_escaped(text[1:]), Span(line, column, end), exact=False)
        column = end


def _raw(body: bytes, line: int, column: int) -> Iterator[Piece]:
    for part in _LINE.finditer(body):
        text = part[0]
        if text[:1] in b"\r\n":
            yield Piece(b"\n", Span(line, column, column), exact=False, raw=True)
            line, column = line + 1, 0
        else:
            yield Piece(text, Span(line, column, column + len(text)), raw=True)
            column += len(text)


def _escaped(text: bytes) -> bytes:
    if text in _SIMPLE:
        return _SIMPLE[text]
    if text[:1] in b"01234567":
        return bytes((int(text, 8) & 0xFF,))
    if text[:1] in b"x" and len(text) > 1:
        return bytes((int(text[1:], 16) & 0xFF,))
    if text[:1] in b"uU" and len(text) > 1:
        return chr(min(int(text[1:], 16), 0x10FFFF)).encode("utf-8", "replace")
    return text

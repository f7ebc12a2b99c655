"""Text as the C preprocessor's tokens."""

import re
from enum import IntEnum

import msgspec


class Kind(IntEnum):
    """NAME: an identifier. NUMBER: what starts with a digit. STRING: in quotes. OTHER: one character or an operator."""

    NAME = 0
    NUMBER = 1
    STRING = 2
    OTHER = 3


class Token(msgspec.Struct, frozen=True, gc=False):
    """One token.

    line, start, end: its place; that of the macro's use if `copied` is false. spaced: blanks precede it. hidden: the
    macros that do not expand in it any more.
    """

    kind: Kind
    text: bytes
    spaced: bool
    line: int
    start: int
    end: int
    copied: bool = True
    hidden: frozenset[bytes] = frozenset()


NAME = re.compile(rb"[A-Za-z_$][A-Za-z0-9_$]*")

_TOKEN = re.compile(
    rb"(?P<blank>[ \t\f\v]+|/\*.*?\*/|/\*.*|//.*)"
    rb"|(?P<name>[A-Za-z_$][A-Za-z0-9_$]*)"
    rb"|(?P<number>\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*)"
    rb"|(?P<string>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+')"
    rb"|(?P<other>##|<<|>>|<=|>=|==|!=|&&|\|\||.)",
    re.DOTALL,
)
_KINDS = {"name": Kind.NAME, "number": Kind.NUMBER, "string": Kind.STRING, "other": Kind.OTHER}


def tokens(text: bytes, line: int = 0, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of a line from one column to another; comments count as blanks."""
    found = []
    spaced = False
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        name = match.lastgroup or ""
        if name == "blank":
            spaced = True
            continue
        found.append(Token(_KINDS[name], match[0], spaced, line, match.start(), match.end()))
        spaced = False
    return found


_COMMENT = re.compile(rb"\"(?:\\.|[^\"\\])*\"|//.*|/\*|\*/", re.DOTALL)


def comment_after(text: bytes, is_open: bool) -> bool:
    """Whether a block comment is open after a line."""
    if b"*" not in text:
        return is_open
    position = 0
    while True:
        if is_open:
            end = text.find(b"*/", position)
            if end < 0:
                return True
            is_open, position = False, end + 2
            continue
        match = _COMMENT.search(text, position)
        if match is None:
            return False
        is_open, position = match[0] == b"/*", match.end()


def would_join(left: bytes, right: bytes) -> bool:
    """Whether two tokens side by side would be read as one."""
    return (
        bool(left)
        and bool(right)
        and left[-1:].isalnum() | (left[-1:] in b"_$")
        and (right[:1].isalnum() or right[:1] in b"_$")
    )

"""Text as C's tokens, for the preprocessor of assembly, SP3, and the inline assembly of C and C++."""

import re
from enum import IntEnum

import msgspec

from gcn_lsp.patterns import regex


class TokenKind(IntEnum):
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

    kind: TokenKind
    text: bytes
    spaced: bool
    line: int
    start: int
    end: int
    copied: bool = True
    hidden: frozenset[bytes] = frozenset()

    @property
    def said(self) -> str:
        """The text for people."""
        return self.text.decode("utf-8", "replace")


class Wrong(Exception):
    """A part of a text that its language rejects: the place as columns, a sentence, and the rule that reports it.

    end: 0 for the whole statement. rule: empty for that of the language's syntax.
    """

    def __init__(self, start: int, end: int, message: str, line: int = 0, rule: str = "") -> None:
        super().__init__(message)
        self.rule, self.line, self.start, self.end, self.message = rule, line, start, end, message


NAME = regex(rb"[A-Za-z_$][A-Za-z0-9_$]*")

# Every alternative ends at the end of the text if nothing closes it, so that no text is searched twice.
COMMENT = rb"//[^\\\n]*(?:\\(?:\r\n|.|\Z)[^\\\n]*)*|/\*.*?(?:\*/|\Z)"
RAW_STRING = rb'R"(?P<delimiter>[^()\\\s]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z)'
STRING = rb'"[^"\\\n]*(?:\\(?:\r\n|.)[^"\\\n]*)*"?'
CHARACTERS = rb"'[^'\\\n]*(?:\\.[^'\\\n]*)*'?"

_NAMES = rb"(?P<name>[A-Za-z_$][A-Za-z0-9_$]*)"
_OPERATORS = rb"(?P<other>##|<<|>>|<=|>=|==|!=|&&|\|\||%s.)"
# In assembly a quote that nothing closes is one token with the rest of the line, as clang has it: most are in comments.
_ASSEMBLY = regex(
    rb"(?P<blank>[ \t\f\v]+|/\*.*?\*/|/\*.*|//.*)|" + _NAMES + rb"|(?P<number>\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*)"
    rb"|(?P<string>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+')|" + _OPERATORS % rb"''|[\"'].*|",
    re.DOTALL,
)
_SOURCE = regex(
    rb"(?P<blank>[ \t\f\v\r\n]+|\\\r?\n|" + COMMENT + rb")"
    rb"|(?P<string>(?:u8|[uUL])?(?:"
    + RAW_STRING
    + rb"|"
    + STRING
    + rb"|"
    + CHARACTERS
    + rb"))|"
    + _NAMES
    + rb"|(?P<number>\.?[0-9](?:[eEpP][+-]|'?[A-Za-z0-9_]|\.)*)|"
    + _OPERATORS % rb"::|",
    re.DOTALL,
)
_KINDS = {"name": TokenKind.NAME, "number": TokenKind.NUMBER, "string": TokenKind.STRING, "other": TokenKind.OTHER}


def tokens(
    text: bytes, line: int = 0, start: int = 0, end: int | None = None, pattern: "re.Pattern[bytes]" = _ASSEMBLY
) -> list[Token]:
    """The tokens of a line of assembly from one column to another; comments count as blanks."""
    found = []
    spaced = False
    for match in pattern.finditer(text, start, len(text) if end is None else end):
        name = match.lastgroup or ""
        if name == "blank":
            spaced = True
            continue
        found.append(Token(_KINDS[name], match[0], spaced, line, match.start(), match.end()))
        spaced = False
    return found


def source_tokens(text: bytes) -> list[Token]:
    """The tokens of C or C++ text, which may have several lines; columns count from the start of the text."""
    return tokens(text, pattern=_SOURCE)


def outside(words: bytes) -> "re.Pattern[bytes]":
    """A pattern that finds words of C or C++ text, and the comments, literals and directives that may hold such words.

    Each alternative begins with a letter of its own, by which the search skips everything else; a directive begins at
    the end of the line before.
    """
    directive = rb"\n[ \t]*\#[^/\\\n]*(?:(?:\\(?:\r\n|.)|/\*.*?\*/|/)[^/\\\n]*)*"
    quoted = rb"'(?<![0-9a-fA-F]')" + CHARACTERS[1:]  # not the one between the digits of a number
    return re.compile(b"|".join((COMMENT, RAW_STRING, STRING, quoted, directive, words)), re.DOTALL)


_OPENS_COMMENT = regex(rb"\"(?:\\.|[^\"\\])*(?:\"|\\?\Z)|//.*|/\*|\*/", re.DOTALL)


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
        match = _OPENS_COMMENT.search(text, position)
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

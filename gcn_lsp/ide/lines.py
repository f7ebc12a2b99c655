"""The main file's lines, parsed, for features that look at all of them or at those that hold a word."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Line

if TYPE_CHECKING:
    from gcn_lsp.asm.program import Program

# The whole text in one piece, for each snapshot that was searched: a search in it is ten times quicker than one in
# each line, and joining the lines costs half a millisecond after an edit.
_texts: "WeakKeyDictionary[Program, bytes]" = WeakKeyDictionary()


def parsed_lines(program: "Program") -> Iterator[Line]:
    """Every line in order; going through all is much cheaper than `program.line` for each."""
    for chunk in program.chunks:
        comment_open = chunk.before.comment_open
        for text in chunk.lines:
            line = parse_line(text, comment_open)
            comment_open = line.comment_open
            yield line


def whole(program: "Program") -> bytes:
    """The main file's text in one piece."""
    text = _texts.get(program)
    if text is None:
        text = _texts[program] = program.source.to_bytes()
    return text


def occurrences(program: "Program", word: bytes) -> Iterator[tuple[int, int]]:
    """Where `word` stands in the main file as a whole word, comments included: line and byte column."""
    text = whole(program)
    number = line_start = 0
    position = text.find(word) if word else -1
    while position != -1:
        end = position + len(word)
        if text[end : end + 1] not in _WORD_BYTES and (
            not position or text[position - 1 : position] not in _WORD_BYTES
        ):
            start = text.rfind(b"\n", line_start, position) + 1
            if start > line_start:
                number += text.count(b"\n", line_start, start)
                line_start = start
            yield number, position - line_start
        position = text.find(word, end)


_WORD_BYTES = frozenset(
    bytes((byte,)) for byte in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$?@"
)

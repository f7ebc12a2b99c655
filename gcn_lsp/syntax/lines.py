"""Cuts a line into its statements and its comment: labels, then at most one command or assignment.

`parse_line` is memoised by the text: real kernels of 10,000 lines have some 2,400 distinct ones. The whole-file
tree of `gcn_lsp.syntax.tree` serves the editor features about structure; interpretation goes line by line with
this parser because macros paste lines that stand in no file, and because it is several times quicker than
walking tree-sitter nodes from Python.
"""

import re

from gcn_lsp.flow.kept import ByValue
from gcn_lsp.syntax import listing
from gcn_lsp.syntax.statement import Kind, Line, Statement

# A word may hold macro arguments (`\name`, `\@`, `\()`), so that the bodies of macros have words too.
WORD = rb"(?:[A-Za-z_.$?@]|\\[A-Za-z_@+.$]|\\\(\))(?:[A-Za-z0-9_.$?@#]|\\[A-Za-z_@+.$]|\\\(\))*"

_COMMENT_OR_STRING = re.compile(rb'"(?:\\.|[^"\\])*"?|;|//|/\*.*?\*/|/\*', re.DOTALL)
_LABEL = re.compile(rb"[ \t\f\v]*(" + WORD + rb'|[0-9]+|"(?:\\.|[^"\\])*")[ \t]*:(?![:=])')
_COMMAND = re.compile(rb"[ \t\f\v]*(" + WORD + rb")[ \t]*(==?(?!=))?")
_BLANK = b" \t\f\v\0"

_memo: ByValue[tuple[bytes, bool], Line] = ByValue(200_000)


def parse_line(text: bytes, comment_open: bool = False) -> Line:
    """The statements of `text`; `comment_open` says that a block comment is open at its start."""
    key = (text, comment_open)
    line = _memo.get(key)
    if line is None:
        line = _memo.keep(key, _parse(text, comment_open))
    return line


def _parse(text: bytes, comment_open: bool) -> Line:
    if not comment_open and text.endswith(listing.ENDS) and (listed := _listed(text)) is not None:
        return listed
    clean = text
    comment_start: int | None = None
    if comment_open:
        close = text.find(b"*/")
        if close < 0:
            return Line(text, (), 0, True)
        clean = b" " * (close + 2) + text[close + 2 :]
        comment_start = 0
    open_at_end = False
    if b";" in clean or b"/" in clean:
        clean, start, open_at_end = _without_comments(clean)
        if start is not None:
            comment_start = start
    body = clean.rstrip(_BLANK)
    if not body.strip(_BLANK):
        return Line(text, (), comment_start, open_at_end)
    if body.lstrip(_BLANK).startswith(b"#"):  # `# 1 "file"`: what a C preprocessor leaves behind
        return Line(text, (), len(body) - len(body.lstrip(_BLANK)), open_at_end)
    return Line(text, tuple(_statements(clean, len(body))), comment_start, open_at_end)


def _listed(text: bytes) -> Line | None:
    """A line that only disassemblers write: a label, or as comment what only tells something; None for another one."""
    if listing.is_text(text):
        return Line(text, (), len(text) - len(text.lstrip(_BLANK)), False)
    columns = listing.label(text)
    if columns is None:
        return None
    start, end = columns
    name = text[start:end].decode("utf-8", "surrogateescape")
    first = len(text) - len(text.lstrip(_BLANK))
    return Line(text, (Statement(Kind.LABEL, text, name, first, end + 2, start, end, end + 2),), None, False)


def _without_comments(text: bytes) -> tuple[bytes, int | None, bool]:
    """`text` with its comments blanked, where the first one starts, and whether a block comment stays open."""
    first: int | None = None
    parts: list[bytes] = []
    kept = 0
    for match in _COMMENT_OR_STRING.finditer(text):
        start, end = match.span()
        if text[start] == 0x22:  # a string
            continue
        first = start if first is None else first
        parts.append(text[kept:start])
        if end - start <= 2:  # `;` and `//` end the line, `/*` stays open
            return b"".join(parts), first, text[start:end] == b"/*"
        parts.append(b" " * (end - start))
        kept = end
    parts.append(text[kept:])
    return b"".join(parts), first, False


def _statements(body: bytes, end: int) -> list[Statement]:
    """The statements in a line without its comments, of which `end` bytes are no blanks at its end."""
    found: list[Statement] = []
    position = 0
    while (match := _LABEL.match(body, position)) is not None:
        name_start, name_end = match.span(1)
        name = body[name_start:name_end].decode("utf-8", "surrogateescape")
        position = match.end()
        found.append(Statement(Kind.LABEL, body, name.strip('"'), name_start, position, name_start, name_end, position))
    if position >= end or not body[position:].strip(_BLANK):
        return found
    match = _COMMAND.match(body, position)
    if match is None:
        start = position + len(body[position:]) - len(body[position:].lstrip(_BLANK))
        found.append(Statement(Kind.MALFORMED, body, "", start, end, start, end, start))
        return found
    name_start, name_end = match.span(1)
    name = body[name_start:name_end].decode("utf-8", "surrogateescape")
    if match.group(2) is not None:
        found.append(Statement(Kind.ASSIGNMENT, body, name, name_start, end, name_start, name_end, match.end()))
        return found
    rest = name_end
    while rest < end and body[rest] in _BLANK:
        rest += 1
    found.append(Statement(Kind.COMMAND, body, name, name_start, end, name_start, name_end, rest))
    return found

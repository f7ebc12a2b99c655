"""Formats the template of a statement of inline assembly: the blanks between its words, as in a file of assembly.

The layout of a source's literals is left to the formatter of its language. So line ends and indentation stay, and each
edit changes blanks inside one literal.
"""

import re
from collections.abc import Iterator

from gcn_lsp.ide.formatting import Style, format_document
from gcn_lsp.text import Location, TextEdit
from gcn_lsp.views.inline.document import StatementAssembly

_BLANKS = re.compile(rb"[ \t]*")
_STYLE = Style(operands="blank", comments="blank")


def formatted(text: StatementAssembly, path: str) -> list[TextEdit]:
    """The edits of the source that format the template."""
    return [edit for line in format_document(text.program, _STYLE) for edit in _edits(text, path, line)]


def _edits(text: StatementAssembly, path: str, change: TextEdit) -> Iterator[TextEdit]:
    """The change of a line as changes of single runs of blanks; nothing for a run that is not plain text."""
    where = change.where
    old = text.program.source.lines[where.line]
    new = old[: where.start] + change.new_text.encode("utf-8", "surrogateescape") + old[where.end :]
    for start, end, blanks in _runs(old, new):
        if start == 0 or old[start:end] == blanks:
            continue  # the indentation
        place = Location("", where.line, start, end)
        if not text.is_plain(place) or (start == end and not text.is_plain(Location("", where.line, start - 1, start))):
            continue
        span = text.span(place)
        yield TextEdit(Location(path, span.line, span.start, span.end), blanks.decode())


def _runs(old: bytes, new: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The runs of blanks of a line, empty ones too, each with the one in its place; nothing else differs."""
    at = there = 0
    while True:
        one, other = _BLANKS.match(old, at), _BLANKS.match(new, there)
        assert one is not None
        assert other is not None
        yield one.start(), one.end(), other[0]
        at, there = one.end() + 1, other.end() + 1
        if at > len(old) or there > len(new) or old[one.end()] != new[other.end()]:
            return

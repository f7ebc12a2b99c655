"""The text of a statement as a derived text of its source."""

from collections.abc import Iterator

from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.inline.document import Document
from gcn_lsp.views.map import Block, Derived, Origin, Piece


class StatementText(Derived, frozen=True, dict=True):
    """The derived text of one statement."""

    document: Document


def derived(text: Document, source: SourceText) -> StatementText:
    """The text, with the places of the source that it stands for."""
    lines = tuple(text.text.split(b"\n"))
    origins = tuple(_origin(text, number, line) for number, line in enumerate(lines))
    return StatementText(source, (Block(len(source.lines), lines, origins),), text)


def _origin(text: Document, number: int, line: bytes) -> Origin:
    pieces = tuple(_pieces(text, number, line))
    return Origin("", pieces[0].line if pieces else text.statement.span.line, pieces)


def _pieces(text: Document, number: int, line: bytes) -> Iterator[Piece]:
    """The runs of a line that are written one for one, and what stands for more or less."""
    at = 0
    for start, end, exact in text.runs(number):
        span = text.span(Location("", number, start, end))
        yield Piece(start, end, span.line, span.start, span.end, exact)
        at = end
    if at == 0 and not line:
        span = text.span(Location("", number, 0, 0))
        yield Piece(0, 0, span.line, span.start, span.start, True)

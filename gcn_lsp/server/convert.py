"""Converts between our places and the client's: each name gives both ends."""

from collections.abc import Iterable

from lsprotocol import types

from gcn_lsp.server import wire
from gcn_lsp.server.documents import Snapshot
from gcn_lsp.server.plain_text import plain_text
from gcn_lsp.text import Location, TextEdit, byte_to_column, column_to_byte


def position_to_place(snapshot: Snapshot, position: types.Position) -> tuple[int, int]:
    """The client's position as line and byte column, moved into the text if it is outside."""
    lines = snapshot.source.lines
    if position.line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    return position.line, column_to_byte(lines[position.line], position.character, snapshot.client.encoding)


def span_to_range(text: bytes, line: int, start: int, end: int, snapshot: Snapshot) -> wire.Range:
    """Bytes `start` to `end` of the line `text` as a range of the client."""
    encoding = snapshot.client.encoding
    if encoding != "utf-8" and not text.isascii():
        start, end = byte_to_column(text, start, encoding), byte_to_column(text, end, encoding)
    elif end > len(text):
        start, end = min(start, len(text)), len(text)
    return wire.Range(wire.Position(line, start), wire.Position(line, end))


def places_to_range(snapshot: Snapshot, first: int, start: int, last: int, end: int) -> wire.Range:
    """From byte `start` of line `first` of this file to byte `end` of line `last`."""
    path, encoding = snapshot.source.path, snapshot.client.encoding
    return wire.Range(
        wire.Position(first, byte_to_column(snapshot.line(path, first), start, encoding)),
        wire.Position(last, byte_to_column(snapshot.line(path, last), end, encoding)),
    )


def lines_to_range(snapshot: Snapshot, first: int, last: int, path: str | None = None) -> wire.Range:
    """Whole lines of this file or another; the end of the last one is excluded."""
    text = snapshot.line(snapshot.source.path if path is None else path, last)
    end = byte_to_column(text, len(text), snapshot.client.encoding)
    return wire.Range(wire.Position(first, 0), wire.Position(last, end))


def location_to_range(snapshot: Snapshot, where: Location) -> wire.Range:
    """The range of a location in this file or an included one."""
    return span_to_range(snapshot.line(where.path, where.line), where.line, where.start, where.end, snapshot)


def location_to_location(snapshot: Snapshot, where: Location) -> wire.Location:
    """The client's location of ours, in whatever file it is."""
    return wire.Location(snapshot.uri_of(where.path), location_to_range(snapshot, where))


def edits_by_uri(snapshot: Snapshot, edits: Iterable[TextEdit]) -> dict[str, list[wire.TextEdit]]:
    """Edits in the client's form, by file."""
    changes: dict[str, list[wire.TextEdit]] = {}
    for edit in edits:
        where = location_to_range(snapshot, edit.where)
        if edit.takes_line:
            where = wire.Range(where.start, wire.Position(where.start.line + 1, 0))
        change = wire.TextEdit(where, edit.new_text)
        changes.setdefault(snapshot.uri_of(edit.where.path), []).append(change)
    return changes


def markup(snapshot: Snapshot, markdown: str) -> wire.MarkupContent:
    """Markdown in the client's form."""
    if snapshot.client.markdown:
        return wire.MarkupContent("markdown", markdown)
    return wire.MarkupContent("plaintext", plain_text(markdown))

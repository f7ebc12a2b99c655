"""Converts between our places and the client's: each name gives both ends."""

from collections.abc import Iterable

from lsprotocol import types

from gcn_lsp.ide.describe.markdown import place
from gcn_lsp.server import wire
from gcn_lsp.server.plain_text import plain_text, with_aligned_tables
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import Location, Text, TextEdit, byte_to_column, column_to_byte, mapped, rendered


def position_to_place(snapshot: Snapshot, position: types.Position) -> tuple[int, int]:
    """The client's position as line and byte column, moved into the text if it is outside."""
    lines = snapshot.source.lines
    place = len(lines) - 1, len(lines[-1])
    if position.line < len(lines):
        place = position.line, column_to_byte(lines[position.line], position.character, snapshot.client.encoding)
    return place


def position_to_program(snapshot: Snapshot, position: types.Position) -> tuple[int, int]:
    """The place of the program that the client's position stands for; one on an empty line if it stands for none."""
    line, column = position_to_place(snapshot, position)
    return snapshot.text.to_derived(line, column) or (snapshot.text.first_derived(line), 0)


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
    program = snapshot.program.path
    begin = snapshot.in_text(Location(program, first, start, start))
    stop = snapshot.in_text(Location(program, last, end, end))
    first, start, last, end = begin.line, begin.start, stop.line, stop.end
    path, encoding = snapshot.source.path, snapshot.client.encoding
    return wire.Range(
        wire.Position(first, byte_to_column(snapshot.line(path, first), start, encoding)),
        wire.Position(last, byte_to_column(snapshot.line(path, last), end, encoding)),
    )


def lines_to_range(snapshot: Snapshot, first: int, last: int, path: str | None = None) -> wire.Range:
    """Whole lines of this file or another; the end of the last one is excluded."""
    if path is None or path == snapshot.program.path:
        first = snapshot.in_text(Location(snapshot.program.path, first, 0, 0)).line
        last = max(first, snapshot.in_text(Location(snapshot.program.path, last, 0, 0)).line)
        path = snapshot.source.path
    text = snapshot.line(path, last)
    end = byte_to_column(text, len(text), snapshot.client.encoding)
    return wire.Range(wire.Position(first, 0), wire.Position(last, end))


def whole_lines(snapshot: Snapshot, first: int, last: int) -> wire.Range:
    """Whole lines of the document's text; the end of the last one is excluded."""
    text = snapshot.line(snapshot.source.path, last)
    return wire.Range(
        wire.Position(first, 0), wire.Position(last, byte_to_column(text, len(text), snapshot.client.encoding))
    )


def location_to_range(snapshot: Snapshot, where: Location) -> wire.Range:
    """The range of a location in this file or an included one."""
    where = snapshot.in_text(where)
    return span_to_range(snapshot.line(where.path, where.line), where.line, where.start, where.end, snapshot)


def location_to_location(snapshot: Snapshot, where: Location) -> wire.Location:
    """One of our locations, in any file, in the client's form."""
    where = snapshot.in_text(where)
    return wire.Location(snapshot.uri_of(where.path), location_to_range(snapshot, where))


def edits_by_uri(snapshot: Snapshot, edits: Iterable[TextEdit]) -> dict[str, list[wire.TextEdit]]:
    """Edits in the client's form, by file; none if one of them would change text that is not in the file."""
    changes: dict[str, list[wire.TextEdit]] = {}
    edits = tuple(edits)
    if not all(snapshot.text.is_copied(edit.where) for edit in edits):
        return {}
    for edit in edits:
        where = location_to_range(snapshot, edit.where)
        if edit.takes_line:
            where = wire.Range(where.start, wire.Position(where.start.line + 1, 0))
        change = wire.TextEdit(where, edit.new_text)
        changes.setdefault(snapshot.uri_of(snapshot.in_text(edit.where).path), []).append(change)
    return changes


def workspace_edit(snapshot: Snapshot, edits: Iterable[TextEdit]) -> wire.WorkspaceEdit:
    """Edits in the client's form, with the parts that were made up as places to type at, if the client takes those."""
    edits = tuple(edits)
    changes = edits_by_uri(snapshot, edits)
    stops = {edit.new_text: edit.stops for edit in edits if edit.stops}
    uri = snapshot.document.uri
    if not stops or not snapshot.client.takes_snippet_edits or tuple(changes) != (uri,):
        return wire.WorkspaceEdit(changes)
    return with_stops(snapshot, [(edit, stops.get(edit.new_text, ())) for edit in changes[uri]])


def with_stops(
    snapshot: Snapshot, edits: Iterable[tuple[wire.TextEdit, Iterable[tuple[int, int]]]]
) -> wire.WorkspaceEdit:
    """Edits of the document as snippets: each has the parts of its text that are places to type at."""
    numbers: dict[str, int] = {}
    made = [
        wire.SnippetTextEdit(edit.range, wire.StringValue(snippet(edit.new_text, stops, numbers))) if stops else edit
        for edit, stops in ((edit, tuple(stops)) for edit, stops in edits)
    ]
    document = wire.VersionedDocument(snapshot.document.uri, snapshot.version)
    return wire.WorkspaceEdit(document_changes=(wire.TextDocumentEdit(document, tuple(made)),))


def snippet(text: str, stops: Iterable[tuple[int, int]], numbers: dict[str, int]) -> str:
    """A text as a snippet. numbers: of the stops by their texts, since equal ones are typed together."""
    parts: list[str] = []
    done = 0
    for start, end in stops:
        number = numbers.setdefault(text[start:end], len(numbers) + 1)
        parts += (_escaped(text[done:start]), f"${{{number}:{_escaped(text[start:end])}}}")
        done = end
    return "".join((*parts, _escaped(text[done:])))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def said(snapshot: Snapshot, text: Text) -> str:
    """A text about the program with the places of the document."""
    return text if isinstance(text, str) else rendered(mapped(text, snapshot.in_text, str), snapshot.source.path)


def markdown(snapshot: Snapshot, text: Text) -> str:
    """Markdown about the program in the words of the document; a place is a link if the client follows those."""

    def link(where: Location, path: str) -> str:
        title = place(where, path)
        if not snapshot.client.renders_markdown:
            return title
        address = snapshot.uri_of(where.path).replace("(", "%28").replace(")", "%29")
        return f"[{title}]({address}#L{where.line + 1})"

    return rendered(mapped(text, snapshot.in_text, snapshot.words.in_original), snapshot.source.path, link)


def markup(snapshot: Snapshot, markdown: str) -> wire.MarkupContent:
    """Markdown in the client's form."""
    client = snapshot.client
    if client.markdown:
        return wire.MarkupContent("markdown", markdown if client.renders_markdown else with_aligned_tables(markdown))
    return wire.MarkupContent("plaintext", plain_text(markdown))


def markup_content(snapshot: Snapshot, markdown: str) -> types.MarkupContent:
    """The same for an object of the client's that is sent back."""
    shown = markup(snapshot, markdown)
    return types.MarkupContent(types.MarkupKind(shown.kind), shown.value)

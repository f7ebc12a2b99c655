"""`textDocument/formatting`, of ranges, and on a line break."""

from collections.abc import Sequence

from lsprotocol import types

from gcn_lsp.ide import formatting as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import TextEdit


def formatting(snapshot: Snapshot, params: types.DocumentFormattingParams) -> list[wire.TextEdit]:
    """The edits that format the whole document."""
    return _edits(snapshot, ide.format_document(snapshot.program_as_written(), _style(snapshot, params.options)))


def range_formatting(snapshot: Snapshot, params: types.DocumentRangeFormattingParams) -> list[wire.TextEdit]:
    """The edits that format the lines of a range, the last one only if something on it is selected."""
    return _of_ranges(snapshot, [params.range], params.options)


def ranges_formatting(snapshot: Snapshot, params: types.DocumentRangesFormattingParams) -> list[wire.TextEdit]:
    """The same of several ranges, which may touch the same lines."""
    return _of_ranges(snapshot, params.ranges, params.options)


def _of_ranges(
    snapshot: Snapshot, ranges: Sequence[types.Range], options: types.FormattingOptions
) -> list[wire.TextEdit]:
    program, style = snapshot.program_as_written(), _style(snapshot, options)
    found: dict[TextEdit, None] = {}
    for each in ranges:
        first, last = each.start.line, each.end.line
        if last > first and each.end.character == 0:
            last -= 1
        found.update(dict.fromkeys(ide.format_lines(program, first, last, style)))
    return _edits(snapshot, list(found))


def on_type_formatting(snapshot: Snapshot, params: types.DocumentOnTypeFormattingParams) -> list[wire.TextEdit]:
    """The edits after a line break."""
    return _edits(snapshot, ide.format_typed(snapshot.program, params.position.line, _style(snapshot, params.options)))


def _style(snapshot: Snapshot, options: types.FormattingOptions) -> ide.Style:
    layout = snapshot.setup.settings.format
    width, by_tabs = max(1, min(options.tab_size, 16)), not options.insert_spaces
    if layout.indent or layout.tabs:  # the project says it, so that an editor and `gcn-lsp format` agree
        width, by_tabs = layout.indent or width, layout.tabs
    return ide.Style(width, by_tabs, layout.operands, layout.comments)


def _edits(snapshot: Snapshot, edits: list[TextEdit]) -> list[wire.TextEdit]:
    return [wire.TextEdit(convert.location_to_range(snapshot, edit.where), edit.new_text) for edit in edits]

"""`textDocument/selectionRange`."""

from lsprotocol import types

from gcn_lsp.ide import selection_range as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def selection_range(snapshot: Snapshot, params: types.SelectionRangeParams) -> list[wire.SelectionRange]:
    """For each position the ranges around it."""
    return [_around(snapshot, position) for position in params.positions]


def _around(snapshot: Snapshot, position: types.Position) -> wire.SelectionRange:
    line, column = convert.position_to_program(snapshot, position)
    found: wire.SelectionRange | None = None
    for span in reversed(ide.selection_range(snapshot.program, line, column)):
        found = wire.SelectionRange(
            convert.places_to_range(snapshot, span.first, span.start, span.last, span.end), found
        )
    assert found is not None, "there is always a span"
    return found

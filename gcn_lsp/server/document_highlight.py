"""`textDocument/documentHighlight`."""

from lsprotocol import types

from gcn_lsp.ide import document_highlight as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot

_TEXT = types.DocumentHighlightKind.Text.value
_READ = types.DocumentHighlightKind.Read.value
_WRITE = types.DocumentHighlightKind.Write.value


def document_highlight(
    snapshot: Snapshot, params: types.DocumentHighlightParams
) -> "list[wire.DocumentHighlight] | None":
    """The places that read and write what is under the cursor; with null the editor highlights equal words."""
    own = snapshot.words.highlights(*convert.position_to_place(snapshot, params.position))
    if own:
        return [wire.DocumentHighlight(convert.location_to_range(snapshot, where), _TEXT) for where in own]
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.document_highlight(snapshot.program, line, column)
    return [
        wire.DocumentHighlight(convert.location_to_range(snapshot, each.where), _WRITE if each.is_write else _READ)
        for each in found
    ] or None

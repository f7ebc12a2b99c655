"""`textDocument/codeLens`."""

from lsprotocol import types

from gcn_lsp.ide import code_lens as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.documents import Snapshot


def code_lens(snapshot: Snapshot, params: types.CodeLensParams) -> list[wire.CodeLens]:
    """The resources of each kernel; a lens has no command."""
    return [
        wire.CodeLens(convert.location_to_range(snapshot, found.where), wire.Command(found.text, ""))
        for found in ide.code_lenses(snapshot.program)
    ]

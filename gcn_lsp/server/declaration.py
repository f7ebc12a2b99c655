"""`textDocument/declaration`."""

from lsprotocol import types

from gcn_lsp.ide import declaration as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def declaration(snapshot: Snapshot, params: types.DeclarationParams) -> list[wire.Location]:
    """The directives and the metadata that declare the label under the cursor."""
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.declaration(snapshot.program, line, column)
    return [convert.location_to_location(snapshot, where) for where in found]

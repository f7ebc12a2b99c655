"""`textDocument/implementation`."""

from lsprotocol import types

from gcn_lsp.ide import implementation as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def implementation(snapshot: Snapshot, params: types.ImplementationParams) -> list[wire.Location]:
    """The label of what is declared under the cursor."""
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.implementation(snapshot.program, line, column)
    return [convert.location_to_location(snapshot, where) for where in found]

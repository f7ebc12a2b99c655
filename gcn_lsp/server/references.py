"""`textDocument/references`."""

from lsprotocol import types

from gcn_lsp.ide import references as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def references(snapshot: Snapshot, params: types.ReferenceParams) -> list[wire.Location]:
    """Every place that uses the symbol, macro or label under the cursor."""
    own = snapshot.words.references(*convert.position_to_place(snapshot, params.position))
    if own:
        return [convert.location_to_location(snapshot, where) for where in own]
    line, column = convert.position_to_program(snapshot, params.position)
    with_declaration = params.context.include_declaration
    found = ide.references(snapshot.program, line, column, include_declaration=with_declaration)
    return [convert.location_to_location(snapshot, where) for where in found]

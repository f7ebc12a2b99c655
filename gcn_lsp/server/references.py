"""`textDocument/references`."""

from lsprotocol import types

from gcn_lsp.ide import references as ide
from gcn_lsp.server import convert, macros, wire
from gcn_lsp.server.documents import Snapshot


def references(snapshot: Snapshot, params: types.ReferenceParams) -> list[wire.Location]:
    """Every place that uses the symbol, macro or label under the cursor."""
    if snapshot.derived is not None and (of_macro := macros.references(snapshot, params.position)):
        return of_macro
    line, column = convert.position_to_program(snapshot, params.position)
    with_declaration = params.context.include_declaration
    found = ide.references(snapshot.program, line, column, include_declaration=with_declaration)
    return [convert.location_to_location(snapshot, where) for where in found]

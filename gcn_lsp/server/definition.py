"""`textDocument/definition`."""

from lsprotocol import types

from gcn_lsp.ide import definition as ide
from gcn_lsp.ide import source_lines
from gcn_lsp.ide.reading import cursor as cursors
from gcn_lsp.server import convert, macros, wire
from gcn_lsp.server.documents import Snapshot


def definition(snapshot: Snapshot, params: types.DefinitionParams) -> list[wire.Location]:
    """The definitions of the symbol, macro, label or included file under the cursor."""
    if snapshot.derived is not None and (of_macro := macros.definition(snapshot, params.position)):
        return of_macro
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.definition(snapshot.program, line, column)
    if not found and cursors.locate(snapshot.program.line(line), column).place == "name":
        place = snapshot.compiled_from(line)
        found = [] if place is None else source_lines.locations(snapshot.program, place)
    return [convert.location_to_location(snapshot, where) for where in found]

"""`textDocument/definition`."""

from lsprotocol import types

from gcn_lsp.ide import definition as ide
from gcn_lsp.ide import source_lines
from gcn_lsp.ide.reading import cursors
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def definition(snapshot: Snapshot, params: types.DefinitionParams) -> list[wire.Location]:
    """The definitions of the symbol, macro, label or included file under the cursor."""
    own = snapshot.words.definition(*convert.position_to_place(snapshot, params.position))
    if own:
        return [convert.location_to_location(snapshot, where) for where in own]
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.definition(snapshot.program, line, column)
    is_line = line < len(snapshot.text.source.lines)  # the last lines of a document may stand for nothing
    if not found and is_line and cursors.locate(snapshot.program.line(line), column).place == "name":
        place = snapshot.compiled_from(line)
        found = [] if place is None else source_lines.locations(snapshot.program, place)
    return [convert.location_to_location(snapshot, where) for where in found]

"""`textDocument/hover`."""

from lsprotocol import types

from gcn_lsp.ide import hover as ide
from gcn_lsp.server import convert, macros, wire
from gcn_lsp.server.documents import Snapshot


def hover(snapshot: Snapshot, params: types.HoverParams) -> wire.Hover | None:
    """The hover at the cursor."""
    if snapshot.derived is not None and (of_macro := macros.hover(snapshot, params.position)) is not None:
        return of_macro
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.hover(snapshot.program, line, column)
    if found is None:
        return None
    return wire.Hover(convert.markup(snapshot, found.markdown), convert.location_to_range(snapshot, found.where))

"""`textDocument/linkedEditingRange`."""

from lsprotocol import types

from gcn_lsp.ide import linked_editing as ide
from gcn_lsp.ide import rename
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def linked_editing(snapshot: Snapshot, params: types.LinkedEditingRangeParams) -> wire.LinkedRanges | None:
    """The places of the label under the cursor."""
    line, column = convert.position_to_program(snapshot, params.position)
    others = snapshot.document.assembled_with(rename.declaring_files(snapshot.program, line, column))
    found = ide.linked_editing(snapshot.program, line, column, others)
    if not found:
        return None
    return wire.LinkedRanges(tuple(convert.location_to_range(snapshot, each) for each in found), ide.WORD)

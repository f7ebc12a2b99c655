"""`textDocument/prepareRename` and `textDocument/rename`."""

from lsprotocol import types

from gcn_lsp.ide import rename as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def prepare_rename(snapshot: Snapshot, params: types.PrepareRenameParams) -> wire.Range | wire.Failure | None:
    """The name to be renamed, or why it has to stay: editors show little of what a rename itself answers."""
    line, column = convert.position_to_program(snapshot, params.position)
    refused = ide.refused(snapshot.program, line, column)
    if refused:
        return wire.Failure(types.LSPErrorCodes.RequestFailed.value, f"{convert.said(snapshot, refused)}.")
    where = ide.prepare(snapshot.program, line, column)
    return convert.location_to_range(snapshot, where) if where is not None else None


def rename(snapshot: Snapshot, params: types.RenameParams) -> wire.WorkspaceEdit | wire.Failure | wire.Told:
    """The edits in all files that are assembled together, open or not."""
    line, column = convert.position_to_program(snapshot, params.position)
    declaring = ide.declaring_files(snapshot.program, line, column)
    others = snapshot.document.assembled_with(declaring)
    found = ide.rename(snapshot.program, line, column, params.new_name, others)
    if found.refused:
        said = f"Cannot rename: {convert.said(snapshot, found.refused)}."
        return wire.Failure(types.LSPErrorCodes.RequestFailed.value, said)
    edit = wire.WorkspaceEdit(convert.edits_by_uri(snapshot, found.edits))
    return wire.Told(edit, f"{convert.said(snapshot, found.along)}.") if found.along else edit

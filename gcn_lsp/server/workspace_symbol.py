"""`workspace/symbol`: the names that contain what is typed, in all files of the workspace and in open ones."""

from lsprotocol import types

from gcn_lsp.ide import workspace_symbol as ide
from gcn_lsp.project.workspace import Workspace
from gcn_lsp.server import wire
from gcn_lsp.server.documents import Documents

_KINDS = {
    ide.KERNEL: types.SymbolKind.Function.value,
    ide.FUNCTION: types.SymbolKind.Function.value,
    ide.MACRO: types.SymbolKind.Method.value,
    ide.SYMBOL: types.SymbolKind.Variable.value,
    ide.LABEL: types.SymbolKind.Key.value,
}


def workspace_symbol(documents: Documents, workspace: Workspace, query: str) -> list[wire.SymbolInformation]:
    """What was found; definitions are ASCII, so their columns are the client's whatever it counts in."""
    open_files = {document.path: ide.of_buffer(document.snapshot.source) for document in documents.all()}
    return [
        wire.SymbolInformation(
            found.name,
            _KINDS[found.kind],
            wire.Location(
                documents.uri_of(found.path),
                wire.Range(wire.Position(found.line, found.start), wire.Position(found.line, found.end)),
            ),
            found.path.replace("\\", "/").rpartition("/")[2],
        )
        for found in workspace.search(query, open_files)
    ]

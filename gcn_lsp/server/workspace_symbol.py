"""`workspace/symbol`: the names that contain the typed text, in all files of the workspace and in open ones."""

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
    """The matching names; definitions are ASCII, so their columns are right in any encoding."""
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

"""The capabilities announced to a client: those of the server that the client supports.

In JSON as the protocol has it, since pygls's builder and the classes of lsprotocol take a tenth of the time until the
answer to `initialize`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lsprotocol import types

from gcn_lsp.server import commands, paths
from gcn_lsp.server.client import Client, says

Announced = dict[str, Any]
"""Capabilities of a server by their names in JSON."""

ALWAYS: Announced = {"textDocumentSync": {"openClose": True, "change": 2, "save": True}}  # 2: by edits
"""What is announced besides the requests."""

_FOLDERS = {"supported": True, "changeNotifications": True}
# Any file or folder may be included, or have such files in it.
_RENAMED = {"filters": [{"scheme": "file", "pattern": {"glob": "**/*"}}]}


def _nothing(announced: Announced, name: str) -> None:
    announced.pop(name, None)


def _no_resolve(announced: Announced, name: str) -> None:
    announced[name] = {**announced[name], "resolveProvider": False}


def _one_file(announced: Announced, name: str) -> None:
    announced[name] = {**announced[name], "workspaceDiagnostics": False}


def _no_options(announced: Announced, name: str) -> None:
    announced[name] = True


# What a client must say that it takes, and what is done with a field of ours if it does not.
_NEEDED: tuple[tuple[str, str, Callable[[Announced, str], None]], ...] = (
    ("text_document.declaration", "declarationProvider", _nothing),
    ("text_document.implementation", "implementationProvider", _nothing),
    ("text_document.linked_editing_range", "linkedEditingRangeProvider", _nothing),
    ("text_document.inline_completion", "inlineCompletionProvider", _nothing),
    ("text_document.diagnostic", "diagnosticProvider", _one_file),
    ("workspace.diagnostics", "diagnosticProvider", _one_file),
    ("text_document.range_formatting.ranges_support", "documentRangeFormattingProvider", _no_options),
    ("text_document.rename.prepare_support", "renameProvider", _no_options),
    ("text_document.code_action.resolve_support", "codeActionProvider", _no_resolve),
    ("text_document.code_lens.resolve_support", "codeLensProvider", _no_resolve),
    ("text_document.document_link.tooltip_support", "documentLinkProvider", _no_resolve),
    ("text_document.inlay_hint.resolve_support", "inlayHintProvider", _no_resolve),
    ("workspace.execute_command", "executeCommandProvider", _nothing),
)


def fitted(possible: Announced, capabilities: types.ClientCapabilities, requests: Iterable[str]) -> Announced:
    """What is announced to a client with these capabilities.

    possible: what the requests add to it. requests: all methods with a handler.
    """
    client = Client.of(capabilities)
    own = [method for method in requests if method.startswith(commands.OWN)]
    announced = {
        **ALWAYS,
        **possible,
        "positionEncoding": client.encoding,
        "executeCommandProvider": {"commands": [*own, *commands.announced(client)]},
        "workspace": dict(_of_workspace(client, capabilities)),
    }
    for needed, name, change in _NEEDED:
        if name in announced and not says(capabilities, needed):
            change(announced, name)
    return announced


def _of_workspace(client: Client, capabilities: types.ClientCapabilities) -> Mapping[str, Any]:
    renames = says(capabilities, "workspace.file_operations.will_rename")
    found = {"workspaceFolders": _FOLDERS, "fileOperations": {"willRename": _RENAMED} if renames else {}}
    return {**found, "textDocumentContent": {"schemes": paths.SCHEMES}} if client.reads_content else found

"""What is announced to a client: of what the server can do, no more than the client says that it takes."""

import copy
from collections.abc import Callable, Iterable

from lsprotocol import types

from gcn_lsp.server import commands, paths
from gcn_lsp.server.client import Client, says

_FILE = types.FileOperationFilter(scheme="file", pattern=types.FileOperationPattern(glob="**/*"))
RENAMED = types.FileOperationRegistrationOptions(filters=[_FILE])
"""Any file or folder may be included, or have such files in it."""


def _nothing(announced: types.ServerCapabilities, name: str) -> None:
    setattr(announced, name, None)


def _no_resolve(announced: types.ServerCapabilities, name: str) -> None:
    _without(announced, name, "resolve_provider")


def _one_file(announced: types.ServerCapabilities, name: str) -> None:
    _without(announced, name, "workspace_diagnostics")


def _without(announced: types.ServerCapabilities, name: str, option: str) -> None:
    options = copy.copy(getattr(announced, name))  # which are those of all clients
    setattr(options, option, False)
    setattr(announced, name, options)


def _one_range(announced: types.ServerCapabilities, name: str) -> None:
    setattr(announced, name, True)


# What a client must say that it takes, and what is done with a field of ours if it does not.
_NEEDED: tuple[tuple[str, str, Callable[[types.ServerCapabilities, str], None]], ...] = (
    ("text_document.declaration", "declaration_provider", _nothing),
    ("text_document.implementation", "implementation_provider", _nothing),
    ("text_document.linked_editing_range", "linked_editing_range_provider", _nothing),
    ("text_document.inline_completion", "inline_completion_provider", _nothing),
    ("text_document.diagnostic", "diagnostic_provider", _one_file),
    ("workspace.diagnostics", "diagnostic_provider", _one_file),
    ("text_document.range_formatting.ranges_support", "document_range_formatting_provider", _one_range),
    ("text_document.code_action.resolve_support", "code_action_provider", _no_resolve),
    ("text_document.code_lens.resolve_support", "code_lens_provider", _no_resolve),
    ("text_document.document_link.tooltip_support", "document_link_provider", _no_resolve),
    ("text_document.inlay_hint.resolve_support", "inlay_hint_provider", _no_resolve),
    ("workspace.execute_command", "execute_command_provider", _nothing),
)


def fitted(
    announced: types.ServerCapabilities, capabilities: types.ClientCapabilities, requests: Iterable[str]
) -> types.ServerCapabilities:
    """Take away what the client does not take, and add what pygls leaves out. requests: all methods with a handler."""
    client = Client.of(capabilities)
    own = [method for method in requests if method.startswith(commands.OWN)]
    announced.execute_command_provider = types.ExecuteCommandOptions([*own, *commands.announced(client)])
    for needed, name, change in _NEEDED:
        if not says(capabilities, needed):
            change(announced, name)
    if client.reads_content and announced.workspace is not None:
        announced.workspace.text_document_content = types.TextDocumentContentOptions(schemes=list(paths.SCHEMES))
    return announced

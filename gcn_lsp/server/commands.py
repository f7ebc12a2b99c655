"""The commands of `workspace/executeCommand`, for editors that have none of their own for what this server can do.

Every one of our own requests is a command of its name: its one argument has the request's parameters, and so has its
result. Others change or show something by way of the client, which must be able to; their argument is a document's URI.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from lsprotocol import types

from gcn_lsp.server import paths, wire
from gcn_lsp.server.client import Client

OWN = "gcn-lsp/"
"""How the names of our own requests begin; VS Code's commands begin otherwise, so that both can be registered."""

SHOW_LINE = "gcn-lsp/showLine"
"""Goes to a line of a document: its URI, and the line from 0."""

SHOW_EXPANSION, SHOW_ENCODED, SHOW_ASSEMBLY = "gcn-lsp/showExpansion", "gcn-lsp/showEncoded", "gcn-lsp/showAssembly"
"""Show a text that is derived from a document, see `content`."""

APPLY_WAITS = "gcn-lsp/applyWaits"
"""Rewrites the waits of a document as `gcn-lsp/reinsertWaits` says."""


def announced(client: Client) -> tuple[str, ...]:
    """The commands that are announced to a client, besides our own requests."""
    return tuple(_possible(client)) if client.executes_commands else ()


def _possible(client: Client) -> Iterator[str]:
    if client.shows_documents:
        yield SHOW_LINE
        if client.reads_content:
            yield from (SHOW_EXPANSION, SHOW_ENCODED, SHOW_ASSEMBLY)
    if client.applies_edits:
        yield APPLY_WAITS


_SCHEMES = {SHOW_EXPANSION: paths.EXPANSION, SHOW_ENCODED: paths.ENCODED, SHOW_ASSEMBLY: paths.ASSEMBLY}


def shown(command: str, arguments: Sequence[Any]) -> types.ShowDocumentParams:
    """The document that a client is asked to show; the first argument is a URI."""
    uri = str(arguments[0])
    if command in _SCHEMES:
        from gcn_lsp.server import derived_uris  # late: the server is announced without it

        return types.ShowDocumentParams(derived_uris.uri_of(_SCHEMES[command], uri), take_focus=True)
    given = arguments[1] if len(arguments) > 1 else 0
    place = types.Position(min(max(given, 0), _LAST) if isinstance(given, int) else 0, 0)
    return types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(place, place))


_LAST = (1 << 31) - 1  # of the protocol's numbers


def parameters(given: Any) -> Any:
    """The parameters of one of our own requests, as it gets them from a message: objects by their names in JSON."""
    if isinstance(given, Mapping):
        return SimpleNamespace(**{str(key): parameters(value) for key, value in given.items()})
    return [parameters(each) for each in given] if isinstance(given, (list, tuple)) else given


def edit(made: wire.TextEdit) -> types.TextEdit:
    """An edit as the request takes it with which a client is asked to make one."""
    start, end = made.range.start, made.range.end
    place = types.Range(types.Position(start.line, start.character), types.Position(end.line, end.character))
    return types.TextEdit(place, made.new_text)

"""`workspace/textDocumentContent`: derived texts by their URIs, and which of them a client has to read again."""

import asyncio
from typing import Any

from lsprotocol import types

from gcn_lsp.server import derived_uris, paths
from gcn_lsp.server.adapters import adapter
from gcn_lsp.server.checks import PAUSE
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.protocol import Server

_MOST = 64  # texts of one document that are kept up to date


class Contents:
    """The derived texts that a client has read."""

    def __init__(self, server: Server, documents: Documents) -> None:
        self._server = server
        self._documents = documents
        self._read: dict[str, dict[str, None]] = {}
        self._pauses: dict[str, asyncio.TimerHandle] = {}

    def text(self, uri: str) -> Any:
        """The text, or why there is none. For the worker thread."""
        failed = adapter("content.failed")
        try:
            asked = derived_uris.asked(uri)
        except derived_uris.Unknown:
            return failed("the address is none of a derived text")
        if asked.scheme == paths.OBJECT:
            found = adapter("object_text")(self._documents.files, paths.object_path(uri))
            return failed(found.reason) if found.reason else adapter("content.Content")(found.text)
        document = self._documents.peek(asked.uri)
        if document is None:
            return failed("its file cannot be read")
        read = self._read.setdefault(document.uri, {})
        if len(read) < _MOST:
            read[uri] = None
        return document.answer(document.snapshot, "content", asked)

    def edited(self, uri: str) -> None:
        """After a pause, make the client read again what is derived from a document."""
        if uri not in self._read:
            return
        if uri in self._pauses:
            self._pauses[uri].cancel()
        self._pauses[uri] = asyncio.get_running_loop().call_later(PAUSE, self._refresh, uri)

    def _refresh(self, uri: str) -> None:
        del self._pauses[uri]
        for each in self._read.pop(uri, {}):
            self._server.workspace_text_document_content_refresh(types.TextDocumentContentRefreshParams(each))

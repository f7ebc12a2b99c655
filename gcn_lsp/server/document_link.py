"""`textDocument/documentLink`."""

from lsprotocol import types

from gcn_lsp.ide import document_link as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.documents import Snapshot


def document_link(snapshot: Snapshot, params: types.DocumentLinkParams) -> list[wire.DocumentLink]:
    """The included files."""
    return [
        wire.DocumentLink(convert.location_to_range(snapshot, link.where), snapshot.uri_of(link.path), link.path)
        for link in ide.document_links(snapshot.program)
    ]

"""`textDocument/documentLink`."""

from collections.abc import Iterator
from urllib.parse import quote

from lsprotocol import types

from gcn_lsp.ide import document_link as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def document_link(snapshot: Snapshot, params: types.DocumentLinkParams) -> list[wire.DocumentLink]:
    """The included files, and what else the file of a code object holds."""
    return [
        *(
            wire.DocumentLink(convert.location_to_range(snapshot, link.where), snapshot.uri_of(link.path), link.path)
            for link in ide.document_links(snapshot.program)
        ),
        *_further(snapshot),
    ]


def _further(snapshot: Snapshot) -> Iterator[wire.DocumentLink]:
    view = snapshot.view
    path, uri = snapshot.source.path, snapshot.document.uri
    for link in ide.further_links(path, snapshot.source.lines, view) if view is not None and view.further else ():
        name = link.path.removeprefix(path)
        yield wire.DocumentLink(convert.location_to_range(snapshot, link.where), uri + quote(name, safe="()"), name)

"""`textDocument/documentLink`, and `documentLink/resolve` for what the file under the pointer holds."""

from collections.abc import Iterator
from urllib.parse import quote

from lsprotocol import types

from gcn_lsp.ide import document_link as ide
from gcn_lsp.server import convert, resolving, wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import safe


def document_link(snapshot: Snapshot, params: types.DocumentLinkParams) -> list[wire.DocumentLink]:
    """The included files, and what else the file of a code object holds."""
    return [
        *(
            wire.DocumentLink(
                convert.location_to_range(snapshot, link.where),
                snapshot.uri_of(link.path),
                link.path,
                resolving.data(snapshot, link.path) if snapshot.client.shows_link_tooltips else (),
            )
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


class _LinkData(resolving.ItemData, frozen=True):
    path: str


def resolve(snapshot: Snapshot, params: types.DocumentLink) -> types.DocumentLink:
    """The same link with a summary of its file, if the program includes that."""
    known = resolving.known(snapshot, params.data, _LinkData)
    source = snapshot.program.included.get(known.path) if known is not None else None
    if source is not None:
        params.tooltip = safe.one_line(f"{source.path}: {ide.summary(source)}")
    return params

"""`gcn-lsp/report`: a page about a document's kernels, for an editor to show. Parameters: the document's `uri`."""

from typing import Any

from gcn_lsp.ide import report as ide
from gcn_lsp.server import target as targets
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class HtmlReport(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: an HTML page, in which elements with the attribute `data-line` are about a line, from 1."""

    html: str


def report(snapshot: Snapshot, params: Any) -> HtmlReport | None:
    """The page; null if no target is known."""
    if snapshot.program.target is None:
        return None
    found = targets.target(snapshot, params)
    return HtmlReport(ide.page(snapshot.program, snapshot.findings, f"{found.label}: {found.reason}"))

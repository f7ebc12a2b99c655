"""`gcn-lsp/names`: the names with a page in `gcn-lsp/explain`, for an editor's list."""

from typing import Any

from gcn_lsp.ide import explain as ide
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class ListedName(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """A rule or a mnemonic, with its summary."""

    name: str
    kind: str
    summary: str


def names(snapshot: Snapshot, params: Any) -> list[ListedName]:
    """The rules, then the mnemonics of the document's target."""
    return [ListedName(found.name, found.kind, found.summary) for found in ide.names(snapshot.program.target)]

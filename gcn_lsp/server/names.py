"""`gcn-lsp/names`: what `gcn-lsp/explain` has a page about, for an editor's list to pick from."""

from typing import Any

from gcn_lsp.ide import explain as ide
from gcn_lsp.server import wire
from gcn_lsp.server.documents import Snapshot


class Name(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """A rule or a mnemonic, with what it is about in a sentence."""

    name: str
    kind: str
    summary: str


def names(snapshot: Snapshot, params: Any) -> list[Name]:
    """The rules, then the mnemonics of the document's target."""
    return [Name(found.name, found.kind, found.summary) for found in ide.names(snapshot.program.target)]

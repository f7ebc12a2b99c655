"""`gcn-lsp/explain`: the page about a rule, a mnemonic or an idea. Parameters: the document's `uri` and the `name`."""

from typing import Any

from gcn_lsp.ide import explain as ide
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class Explanation(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer; null if nothing has the name."""

    name: str
    markdown: str


def explain(snapshot: Snapshot, params: Any) -> Explanation | None:
    """The page of the rule, or of the mnemonic or idea on the document's target."""
    name = str(getattr(params, "name", "")).strip().lower()
    found = ide.page(name, snapshot.program.target)
    return Explanation(name, found) if found is not None else None

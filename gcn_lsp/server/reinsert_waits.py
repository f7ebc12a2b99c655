"""`gcn-lsp/reinsertWaits`: the edits that rewrite a document's waits. Parameters: the document's `uri`."""

from typing import Any

from gcn_lsp.ide import reinsert_waits as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


class Reinserted(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: edits of the document; how many waits it has before them; how many they remove and add."""

    edits: tuple[wire.TextEdit, ...]
    waits: int
    removed: int
    added: int


def reinsert_waits(snapshot: Snapshot, params: Any) -> Reinserted:
    """The fewest sound waits, as edits of whole lines; none if nothing changes or no target is known."""
    found = ide.edits(snapshot.program)
    edits = tuple(
        wire.TextEdit(convert.places_to_range(snapshot, edit.first, 0, edit.last, 0), edit.text) for edit in found
    )
    return Reinserted(edits, ide.count(snapshot.program), *ide.changes(found, snapshot.source))


def of_derived(snapshot: Snapshot, params: Any) -> Reinserted:
    """No edits: the lines of a derived text are not the document's."""
    return Reinserted((), ide.count(snapshot.program), 0, 0)

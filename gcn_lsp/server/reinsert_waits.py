"""`gcn-lsp/reinsertWaits`: the edits that write a document's waits anew. Parameters: the document's `uri`."""

from difflib import SequenceMatcher
from typing import Any

from gcn_lsp.ide import reinsert_waits as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.documents import Snapshot


class Reinserted(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: edits of the document, and how many waits it has before them."""

    edits: tuple[wire.TextEdit, ...]
    waits: int


def reinsert_waits(snapshot: Snapshot, params: Any) -> Reinserted:
    """The fewest waits that are sound, as edits of whole lines; none where nothing changes or no target is known."""
    before, after = snapshot.source.lines, ide.rewritten(snapshot.program).lines
    edits = []
    for kind, first, last, new_first, new_last in SequenceMatcher(None, before, after).get_opcodes():
        if kind != "equal":
            text = "".join(line.decode("utf-8", "replace") + "\n" for line in after[new_first:new_last])
            edits.append(wire.TextEdit(convert.places_to_range(snapshot, first, 0, last, 0), text))
    return Reinserted(tuple(edits), ide.count(snapshot.program))

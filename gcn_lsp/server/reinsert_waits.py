"""`gcn-lsp/reinsertWaits`: the edits that rewrite a document's waits. Parameters: the document's `uri`."""

from typing import Any

from gcn_lsp.ide import reinsert_waits as ide
from gcn_lsp.ide import semantic_tokens
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


class Reinserted(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: edits of the document; how many waits it has before them; how many they remove and add.

    tokens: the semantic tokens of the document after the edits, for an editor that shows it before it makes them.
    """

    edits: tuple[wire.TextEdit, ...]
    waits: int
    removed: int
    added: int
    tokens: list[int]


def reinsert_waits(snapshot: Snapshot, params: Any) -> Reinserted:
    """The fewest sound waits, as edits of whole lines; none if nothing changes or no target is known."""
    after = ide.rewritten(snapshot.program)
    found = ide.edits(snapshot.source, after)
    edits = tuple(
        wire.TextEdit(convert.places_to_range(snapshot, edit.first, 0, edit.last, 0), edit.text) for edit in found
    )
    lines = (line.decode("utf-8", "surrogateescape") for line in after.lines)
    tokens = semantic_tokens.tokens_of_text(lines, snapshot.program.target, snapshot.client.encoding) if edits else []
    return Reinserted(edits, ide.count(snapshot.program), *ide.changes(found, snapshot.source), tokens)


def of_derived(snapshot: Snapshot, params: Any) -> Reinserted:
    """No edits: the lines of a derived text are not the document's."""
    return Reinserted((), ide.count(snapshot.program), 0, 0, [])

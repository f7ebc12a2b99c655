"""`gcn-lsp/reinsertWaits`: the edits that rewrite a document's waits. Parameters: the document's `uri`."""

from typing import Any

from gcn_lsp import rules
from gcn_lsp.ide import reinsert_waits as ide
from gcn_lsp.ide import semantic_tokens
from gcn_lsp.program import program as programs
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


class Reinserted(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: edits of the document; how many waits it has before them; how many they remove and add.

    left: the errors and warnings of the document after the edits, as `gcn-lsp fix --reinsert-waits` says them.
    tokens: the semantic tokens of the document after the edits, for an editor that shows it before it makes them.
    """

    edits: tuple[wire.TextEdit, ...]
    waits: int
    removed: int
    added: int
    left: str
    tokens: list[int]


def reinsert_waits(snapshot: Snapshot, params: Any) -> Reinserted:
    """The fewest sound waits, as edits of whole lines; none if nothing changes or no target is known."""
    program = snapshot.program
    after = ide.rewritten(program)
    found = ide.edits(snapshot.source, after)
    edits = tuple(
        wire.TextEdit(convert.places_to_range(snapshot, edit.first, 0, edit.last, 0), edit.text) for edit in found
    )
    if not edits:
        return Reinserted((), ide.count(program), 0, 0, "", [])
    findings = rules.check(programs.build(after, program.options, program), snapshot.setup.findings)
    lines = (line.decode("utf-8", "surrogateescape") for line in after.lines)
    tokens = semantic_tokens.tokens_of_text(lines, program.target, snapshot.client.encoding)
    counts = ide.count(program), *ide.changes(found, snapshot.source)
    return Reinserted(edits, *counts, ide.left(findings), tokens)


def of_derived(snapshot: Snapshot, params: Any) -> Reinserted:
    """No edits: the lines of a derived text are not the document's."""
    return Reinserted((), ide.count(snapshot.program), 0, 0, "", [])

"""`gcn-lsp/target`: the target of a file and the reason for it, for an editor's status line."""

from typing import Any

from gcn_lsp.flow.steps import finish
from gcn_lsp.ide import target as ide
from gcn_lsp.server import wire
from gcn_lsp.server.documents import Snapshot


class Target(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer. assumed: whether nothing names the target; candidates: what else it may then be, the most likely
    first. `label` fits in a status line, `markdown` explains it."""

    target: str
    assumed: bool
    candidates: tuple[str, ...]
    mattr: str
    reason: str
    label: str
    markdown: str


def target(snapshot: Snapshot, params: Any) -> Target:
    """The target of a document, after a comparison of those that it may be for: a status line does not ask again."""
    choice = snapshot.setup.target_choice
    finish(snapshot.settle())
    candidates = None if choice.target is not None else snapshot.program.candidates
    name = choice.target or (candidates.name if candidates is not None else "")
    info = ide.target_info(name, choice.mattr, choice.reason, candidates)
    others = tuple(other for other in candidates.names if other != name) if candidates is not None else ()
    return Target(name, candidates is not None, others, choice.mattr, choice.reason, info.label, info.markdown)

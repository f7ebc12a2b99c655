"""`gcn-lsp/target`: the target of a file and the reason for it, for an editor's status line."""

from typing import Any

from gcn_lsp.ide import target as ide
from gcn_lsp.server import wire
from gcn_lsp.server.documents import Snapshot


class Target(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer; `target` is null if none is known. `label` fits in a status line, `markdown` explains it."""

    target: str | None
    mattr: str
    reason: str
    label: str
    markdown: str


def target(snapshot: Snapshot, params: Any) -> Target:
    """The target of a document."""
    choice = snapshot.setup.target_choice
    info = ide.target_info(choice.target, choice.mattr, choice.reason)
    return Target(choice.target, choice.mattr, choice.reason, info.label, info.markdown)

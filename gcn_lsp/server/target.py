"""`gcn-lsp/target`: the target of a file and the reason for it, for an editor's status line."""

from typing import Any

from gcn_lsp.flow.steps import finish
from gcn_lsp.ide import target as ide
from gcn_lsp.ide.describe import markdown
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class Target(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer. assumed: whether nothing names the target; candidates: what else it may then be, the most likely
    first. undefined: the symbols that only the build can define. `label` fits in a status line, `markdown` explains
    it and what is not known of the configuration."""

    target: str
    assumed: bool
    candidates: tuple[str, ...]
    mattr: str
    reason: str
    label: str
    markdown: str
    undefined: tuple[str, ...]


def target(snapshot: Snapshot, params: Any) -> Target:
    """The target of a document, after a comparison of those that it may be for: a status line does not ask again."""
    choice = snapshot.setup.target_choice
    finish(snapshot.settle())
    candidates = None if choice.target is not None else snapshot.program.candidates
    name = choice.target or (candidates.name if candidates is not None else "")
    info = ide.target_info(name, choice.mattr, choice.reason, candidates)
    others = tuple(other for other in candidates.names if other != name) if candidates is not None else ()
    text = markdown.join(info.markdown, ide.configuration(snapshot.program))
    undefined = snapshot.program.build_defined
    is_assumed = candidates is not None and snapshot.text.is_judged
    return Target(name, is_assumed, others, choice.mattr, choice.reason, info.label, text, undefined)

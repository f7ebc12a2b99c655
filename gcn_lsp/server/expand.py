"""`gcn-lsp/expand`: lines with macros, repetitions and includes expanded, for an editor's command."""

from typing import Any

from gcn_lsp.ide import expand as ide
from gcn_lsp.server import wire
from gcn_lsp.server.documents import Snapshot


class Expansion(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: assembly text."""

    text: str


def expand(snapshot: Snapshot, params: Any) -> Expansion:
    """The expansion of the lines that the range touches, or of all lines without a range."""
    program = snapshot.program
    lines = getattr(params, "range", None)
    if lines is None:
        return Expansion(_plain(ide.expand(program)))
    first, last = lines.start.line, lines.end.line
    if last > first and lines.end.character == 0:
        last -= 1  # whole lines are selected
    text = ide.expand(program, first, last)
    return Expansion(_plain(text) or f"// {ide.nothing_said(program, first)}\n")


def _plain(text: str) -> str:
    """The text in a form that JSON allows."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

"""`gcn-lsp/expand`: lines with macros, repetitions and includes expanded, for an editor's command."""

from typing import Any

from gcn_lsp.ide import expand as ide
from gcn_lsp.ide.derived import Derived
from gcn_lsp.server.derived import ShownText, text_of
from gcn_lsp.server.snapshot import Snapshot


def expand(snapshot: Snapshot, params: Any) -> ShownText:
    """The expansion of the lines that the range touches, or of all lines without a range."""
    program = snapshot.program
    lines = getattr(params, "range", None)
    if lines is None:
        return text_of(snapshot, ide.derived(program))
    first, last = lines.start.line, lines.end.line
    if last > first and lines.end.character == 0:
        last -= 1  # whole lines are selected
    first, last = snapshot.in_program(first), snapshot.in_program(last)
    found = ide.derived(program, first, last)
    return text_of(snapshot, found if found.lines else Derived((f"// {ide.nothing_said(program, first)}",), (first,)))

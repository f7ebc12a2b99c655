"""What an inlay hint means, for an editor that asks when the pointer is on it."""

from typing import TYPE_CHECKING

from gcn_lsp.ide import in_flight, inlay_hint
from gcn_lsp.ide.hover import hover
from gcn_lsp.text import Text

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

EXPLAINED = frozenset((inlay_hint.REGISTERS, inlay_hint.INPUTS, in_flight.KIND))
"""The kinds of hints with an explanation: an offset and an encoding say all that they mean."""


def explanation(program: "Program", line: int, column: int, kind: str) -> Text:
    """The explanation of the hint at byte `column` of `line`, as Markdown; empty without one."""
    if not 0 <= line < len(program.source.lines) or kind not in EXPLAINED:
        return ""
    if kind == in_flight.KIND:
        return in_flight.describe(program, line)
    found = hover(program, line, max(0, column - 1))  # the hint stands behind what it is about
    return found.said if found is not None else ""

"""The places of a label that change with it while it is typed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gcn_lsp.ide import rename
from gcn_lsp.text import Location, SourceText

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

WORD = r"[A-Za-z_.$][A-Za-z0-9_.$]*"
"""What a name may become while it is typed, as a regular expression of the protocol."""


def linked_editing(program: "Program", line: int, column: int, others: Iterable[SourceText] = ()) -> list[Location]:
    """The places of the label at byte `column` of `line`, which is one of them.

    None if another file names it, which an editor would not change too; `others` are those that may.
    """
    found = rename.linked(program, line, column, others)
    is_here = any(each.line == line and each.start <= column <= each.end for each in found)
    return found if is_here and len(found) > 1 else []

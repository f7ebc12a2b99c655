"""The code of what is declared: the label of a `.globl`, a descriptor, a kernel in metadata."""

from typing import TYPE_CHECKING

from gcn_lsp.ide.declaration import label_at
from gcn_lsp.ide.definition import definition
from gcn_lsp.ide.reading import mentions
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


def implementation(program: "Program", line: int, column: int) -> list[Location]:
    """The label that is named at byte `column` of `line`; other names have their definition."""
    name = label_at(program, line, column)
    return mentions.definitions(program, name) if name else definition(program, line, column)

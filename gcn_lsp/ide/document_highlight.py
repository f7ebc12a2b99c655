"""The places in the file that name what is under the cursor, with reads and writes marked."""

from typing import TYPE_CHECKING

from gcn_lsp.ide import references
from gcn_lsp.ide.reading.mentions import Mention

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


def document_highlight(program: "Program", line: int, column: int) -> list[Mention]:
    """The places in the main file, in the order of the text; none if the cursor is on nothing with a name."""
    return [each for each in references.find(program, line, column) if each.where.path == program.path]

"""Directives that LLVM no longer knows: noted, and otherwise read as the assemblers did that knew them."""

from collections.abc import Callable

from gcn_lsp.program.declarations import Declaration
from gcn_lsp.program.directives import sections
from gcn_lsp.program.emitter import Emitter
from gcn_lsp.syntax.directives import DIRECTIVES, FORMER, Family
from gcn_lsp.syntax.statement import Statement


def _former(out: Emitter, statement: Statement) -> None:
    out.chunk.former += (Declaration(statement.word, statement, out.reporter.written),)
    if DIRECTIVES[statement.word].family is Family.SECTION:
        sections.HANDLERS[statement.word](out, statement)


# The words that open blocks are in `Chunk.metadata` with the lines of those.
_NOTED = (Family.SECTION, Family.DECLARES)
HANDLERS: dict[str, Callable[[Emitter, Statement], None]] = {
    word: _former for word in FORMER if DIRECTIVES[word].family in _NOTED
}

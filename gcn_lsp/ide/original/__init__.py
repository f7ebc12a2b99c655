"""The words of an original that its derived text does not have: macros of C, operands of inline assembly."""

from gcn_lsp.ide.original.inline import Operands
from gcn_lsp.ide.original.preprocessor import Macros
from gcn_lsp.ide.original.words import Words as Words
from gcn_lsp.views.inline.document import StatementText
from gcn_lsp.views.map import Derived
from gcn_lsp.views.preprocessed.view import Preprocessed


def of(view: Derived) -> Words:
    """The words of the text that a derived one stands for."""
    if isinstance(view, Preprocessed):
        return Macros(view)
    if isinstance(view, StatementText):
        return Operands(view.document, view.original)
    return Words()

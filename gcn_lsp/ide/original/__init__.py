"""The words of an original that its derived text does not have: macros of C, operands of inline assembly."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from gcn_lsp.ide.original.words import Words as Words
from gcn_lsp.views.map import Derived


def of(view: Derived) -> Words:
    """The words of the text that a derived one stands for."""
    known = None if view.is_written else _of_kind().get(type(view))
    return known(view) if known is not None else Words()


@cache
def _of_kind() -> Mapping[type[Derived], Callable[[Any], Words]]:
    # Late: most files are their own text.
    from gcn_lsp.ide.original.inline import Operands
    from gcn_lsp.ide.original.preprocessor import Macros
    from gcn_lsp.views.inline.document import StatementText
    from gcn_lsp.views.preprocessed.view import Preprocessed

    return {Preprocessed: Macros, StatementText: lambda view: Operands(view.document, view.original)}

"""Changes of a program that keep its bytes, one module each; `refactorings` offers those for a selection."""

from typing import TYPE_CHECKING

from gcn_lsp.ide.refactor import (
    data,
    descriptor,
    encoding,
    extract_macro,
    introduce_symbol,
    kernel_metadata,
    kernel_sizes,
    waits,
)
from gcn_lsp.ide.refactor.model import EXTRACT as EXTRACT
from gcn_lsp.ide.refactor.model import REWRITE as REWRITE
from gcn_lsp.ide.refactor.model import Edit as Edit
from gcn_lsp.ide.refactor.model import Refactoring as Refactoring
from gcn_lsp.ide.refactor.model import Selection as Selection

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_MAKERS = (
    introduce_symbol.refactorings,
    encoding.refactorings,
    data.refactorings,
    descriptor.refactorings,
    waits.refactorings,
    extract_macro.refactorings,
    kernel_metadata.refactorings,
    kernel_sizes.refactorings,
)


def refactorings(program: "Program", selection: Selection) -> list[Refactoring]:
    """The refactorings for a selection; an empty selection is a cursor."""
    if not 0 <= selection.first <= selection.last < len(program.source.lines):
        return []
    return [found for make in _MAKERS for found in make(program, selection)]

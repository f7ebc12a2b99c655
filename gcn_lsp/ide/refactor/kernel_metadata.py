"""Writes the metadata of a kernel descriptor."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.findings import written_metadata
from gcn_lsp.ide.reading import kernel_places
from gcn_lsp.ide.refactor.model import REWRITE, Edit, Refactoring, Selection

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program
    from gcn_lsp.text import TextEdit


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """For the descriptor, the metadata or the label on the selection's first line."""
    name = kernel_places.kernel_at(program, selection.first)
    block = next((each for each in program.kernel_blocks if each.name == name and each.is_closed), None)
    if block is None:
        return
    edit = written_metadata.edit(program, block)
    if edit is not None:
        yield Refactoring(written_metadata.TITLE, REWRITE, (_edit(edit),))


def _edit(edit: "TextEdit") -> Edit:
    where = edit.where
    return Edit(where.line, where.start, where.line, where.end, edit.new_text)

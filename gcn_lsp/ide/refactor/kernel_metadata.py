"""Writes the metadata of a kernel descriptor, and corrects the sizes where the two differ."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.findings import run, written_metadata
from gcn_lsp.ide.reading import functions
from gcn_lsp.ide.refactor.model import REWRITE, Edit, Refactoring, Selection
from gcn_lsp.rules import RULES

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program
    from gcn_lsp.text import TextEdit


_RULE = "metadata-contradicts-descriptor"


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """For the descriptor, the metadata or the label on the selection's first line."""
    name = _kernel_at(program, selection.first)
    block = next((each for each in program.kernel_blocks if each.name == name and each.is_closed), None)
    if block is None:
        return
    edit = written_metadata.edit(program, block)
    if edit is not None:
        yield Refactoring(written_metadata.TITLE, REWRITE, (_edit(edit),))
    edits = {
        _edit(found.fixes[0].edits[0])
        for found in run.found_by(RULES, program, (_RULE,))
        if found.fixes and found.where.path == program.path and f"`{block.name}`" in str(found.message)
    }
    if edits:
        ordered = tuple(sorted(edits, key=lambda each: (each.first, each.start)))
        yield Refactoring(f"Correct the sizes in the metadata of `{block.name}`", REWRITE, ordered)


def _kernel_at(program: "Program", line: int) -> str:
    """The kernel of the descriptor, of the metadata, or at the label on a line; empty for none."""
    for kernel in program.kernels:
        places = (kernel.where, *(field.where for field in kernel.fields))
        lines = [place.line for place in places if place.path == program.path]
        if lines and min(lines) <= line <= max(lines) + 1:
            return kernel.name
    for block in program.metadata:
        if block.where.path == program.path and block.where.line - 1 <= line <= block.where.line + len(block.lines):
            names = [name for _, _, name in written_metadata.described(block)]
            return names[0] if len(names) == 1 else _nearest_name(program, line)
    return next((found.name for found in functions.functions(program) if found.first == line), "")


def _nearest_name(program: "Program", line: int) -> str:
    """The kernel whose `.name` is on the line or the nearest one above it."""
    while line >= 0:
        text = program.source.lines[line].decode("utf-8", "replace").strip().removeprefix("- ")
        if text.startswith(".name:"):
            return text.partition(":")[2].strip().strip("'\"")
        line -= 1
    return ""


def _edit(edit: "TextEdit") -> Edit:
    where = edit.where
    return Edit(where.line, where.start, where.line, where.end, edit.new_text)

"""Writes data among the code, `.long 0xBF800000`, as the instructions that they are."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.ide.reading import data_lines
from gcn_lsp.ide.refactor.model import REWRITE, Edit, Refactoring, Selection, decoded
from gcn_lsp.instruction.decoding.returning import returning_for
from gcn_lsp.views.objects.words import as_data

if TYPE_CHECKING:
    from gcn_lsp.analysis.control.data_as_code import Read
    from gcn_lsp.program.program import Program

TITLE = "Write the data as instructions"


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """For the runs of data that have a line of the selection; all of whose words must be instructions."""
    edits: list[Edit] = []
    for run, read in data_lines.runs(program):
        lines = [item.where.line for item in run.items if item.where.path == program.path and not item.steps]
        if len(lines) == len(run.items) and lines[0] <= selection.last and selection.first <= lines[-1]:
            edits += _edits(program, lines, read)
    if edits:
        yield Refactoring(TITLE, REWRITE, tuple(edits))


def _edits(program: "Program", lines: list[int], run: "list[Read]") -> list[Edit]:
    """An edit for each line of the data; none at all if a line has another statement as well."""
    written: dict[int, list[str]] = {line: [] for line in lines}
    for read in run:
        written[read.item.where.line].append(_text(program, read))
    edits = []
    for line, texts in written.items():
        if len(program.line(line).statements) != 1:
            return []
        (statement,) = program.line(line).statements
        text = program.source.lines[line]
        if texts:
            separator = "\n" + decoded(text[: statement.start])
            edits.append(Edit(line, statement.start, line, statement.end, separator.join(texts)))
        elif text[statement.end :].strip() or line + 1 == len(program.source.lines):
            edits.append(Edit(line, statement.start, line, statement.end, ""))
        else:
            edits.append(Edit(line, 0, line + 1, 0, ""))  # the rest of an instruction
    return edits


def _text(program: "Program", read: "Read") -> str:
    """The instruction, or its words if the assembler would make others of it."""
    assert program.target is not None
    assert read.decoded is not None
    if returning_for(program.target).gives(read.decoded, read.code):
        return read.decoded.text
    return f"{as_data(read.code)} // {read.decoded.text}"

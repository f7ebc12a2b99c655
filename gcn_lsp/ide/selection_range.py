"""The next selections when a selection grows: word, operand, operands, statement, line, paragraph, blocks, file."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.ide.reading import cursors, functions
from gcn_lsp.ide.reading.blocks import blocks

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


class SelectedSpan(msgspec.Struct, frozen=True, gc=False):
    """From byte `start` of line `first` to byte `end` of line `last`."""

    first: int
    start: int
    last: int
    end: int

    def holds(self, other: "SelectedSpan") -> bool:
        """Whether it contains the other one."""
        return (self.first, self.start) <= (other.first, other.start) and (other.last, other.end) <= (
            self.last,
            self.end,
        )


def selection_range(program: "Program", line: int, column: int) -> list[SelectedSpan]:
    """The spans around byte `column` of `line`, each larger than the one before."""
    line = max(0, min(line, len(program.source.lines) - 1))
    found = [SelectedSpan(line, column, line, column)]
    for span in (*_on_line(program, line, column), *_of_lines(program, line)):
        if span != found[-1] and span.holds(found[-1]):
            found.append(span)
    return found[1:] or found


def _on_line(program: "Program", line: int, column: int) -> Iterator[SelectedSpan]:
    parsed = program.line(line)
    cursor = cursors.locate(parsed, column)
    text = parsed.text
    word = cursor.word
    if word.text:
        yield SelectedSpan(line, word.start, line, word.end)
    for node in reversed(cursor.path):
        yield SelectedSpan(line, node.start, line, node.end)
    statement = cursor.statement
    if statement is not None:
        yield SelectedSpan(line, statement.rest_start, line, statement.end)
        yield SelectedSpan(line, statement.start, line, statement.end)
        if parsed.statements:
            yield SelectedSpan(line, parsed.statements[0].start, line, parsed.statements[-1].end)
    elif parsed.comment_start is not None:
        yield SelectedSpan(line, parsed.comment_start, line, len(text.rstrip()))
    yield SelectedSpan(line, len(text) - len(text.lstrip()), line, len(text.rstrip()))
    yield SelectedSpan(line, 0, line, len(text))


def _of_lines(program: "Program", line: int) -> Iterator[SelectedSpan]:
    """Spans of whole lines, the smallest first."""
    lines = program.source.lines
    pairs = [(0, len(lines) - 1)]
    if lines[line].strip():
        first = last = line
        while first > 0 and lines[first - 1].strip():
            first -= 1
        while last + 1 < len(lines) and lines[last + 1].strip():
            last += 1
        pairs.append((first, last))
    for block in blocks(program):
        if block.first <= line <= block.last:
            pairs.append((block.first, block.last))
            edges = (block.first, *block.branches, block.last)
            for opens, closes in pairwise(edges):
                if opens < line < closes:
                    pairs.append((opens + 1, closes - 1))
    function = functions.function_at(program, line)
    if function is not None:
        pairs.append((function.first, function.last))
    for first, last in sorted(set(pairs), key=lambda pair: pair[1] - pair[0]):
        yield SelectedSpan(first, 0, last, len(lines[last]))

"""The lines of a file that belong together: macros, conditions, repetitions, descriptors, metadata, comments.

The grammar decides what a block is, and how unclosed and unopened blocks count, which occur while one types: a block
without an end is left out, an end without a beginning is ignored. Only the words that may open, continue or close a
block are parsed: a tree of the whole file costs 130 ms and 9 MB for 10,800 lines, and 10 ms after every edit; this
costs 1 ms, and almost nothing if an edit does not touch those words.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from gcn_lsp.flow.kept import once
from gcn_lsp.ide.reading.lines import lines_of
from gcn_lsp.program.kernels import header_blocks
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import tree
from gcn_lsp.syntax.statement import Statement, StatementKind

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Chunk
    from gcn_lsp.program.program import Program


BlockKind = Literal["macro", "condition", "repetition", "descriptor", "metadata", "header", "comment"]


class LineBlock(msgspec.Struct, frozen=True, gc=False):
    """Lines `first` to `last` (inclusive) that belong together.

    branches: the lines of
    `.else` and `.elseif` in it. name: the one in the opening directive. start, end: that name's byte columns.
    """

    kind: BlockKind
    first: int
    last: int
    name: str = ""
    start: int = 0
    end: int = 0
    branches: tuple[int, ...] = ()


# The words that the grammar's scanner treats as parts of blocks, and others that do no harm.
PART = re.compile(r"\.(?:if|else|macro|rep|irp|amd|end)[a-z_]*")

_KINDS: Mapping[str, BlockKind] = {
    "macro_definition": "macro",
    "repetition": "repetition",
    "conditional": "condition",
    "kernel_descriptor": "descriptor",
    "metadata": "metadata",
}
_NAMED = frozenset(("macro", "descriptor"))


def blocks(program: "Program") -> tuple[LineBlock, ...]:
    """Every closed block of the main file and every run of comment lines, the blocks in the order in which they end."""
    numbers: list[int] = []
    statements: list[Statement] = []
    runs: list[tuple[int, int]] = []
    for base, chunk in zip(program.bases, program.chunks, strict=True):
        parts = _parts_of(chunk)
        for number, statement in parts.statements:
            numbers.append(base + number)
            statements.append(statement)
        for first, last in parts.comments:
            goes_on = runs and runs[-1][1] == base + first - 1
            runs.append((runs.pop()[0] if goes_on else base + first, base + last))
    text = "\n".join(map(_without_operands, statements)).encode()
    return (
        *(_placed(block, numbers, statements[block.first]) for block in tree.blocks(text)),
        *(LineBlock("comment", first, last) for first, last in runs if last > first),
    )


class _Parts(NamedTuple):
    """The parts of blocks in a chunk, with lines counted from its first: directives, and lines with only comments."""

    statements: tuple[tuple[int, Statement], ...]
    comments: tuple[tuple[int, int], ...]


@once
def _parts_of(chunk: "Chunk") -> _Parts:
    statements: list[tuple[int, Statement]] = []
    comments: list[tuple[int, int]] = []
    first = last = -1
    for number, line in enumerate(lines_of(chunk)):
        if line.statements:
            statement = line.statements[-1]
            if statement.word[:1] == "." and _is_part(statement) and number not in chunk.raw:
                statements.append((number, statement))
        elif line.comment_start is not None or line.comment_open:
            if first < 0 or number != last + 1:
                comments.append((first, last))
                first = number
            last = number
    comments.append((first, last))
    return _Parts(tuple(statements), tuple(comments[1:]))


def _is_part(statement: Statement) -> bool:
    return statement.kind is StatementKind.COMMAND and PART.fullmatch(statement.word) is not None


def _without_operands(statement: Statement) -> str:
    """The directive without operands, so that a mistake in them does not spoil the block; some keep a name."""
    return f"{statement.word} _" if statement.word in _TAKES_NAME else statement.word


_TAKES_NAME = frozenset((".macro", ".irp", ".irpc"))


def _placed(block: tree.DirectiveBlock, numbers: list[int], opening: Statement) -> LineBlock:
    kind = "header" if opening.word == header_blocks.OPENING else _KINDS[block.kind]
    name, start, end = _name_of(kind, opening)
    branches = tuple(numbers[row] for row in block.branches)
    return LineBlock(kind, numbers[block.first], numbers[block.last], name, start, end, branches)


def _name_of(kind: str, statement: Statement) -> tuple[str, int, int]:
    """The first word after the directive, if blocks of this kind have a name."""
    rest = statement.rest
    stop = len(rest)
    if kind in _NAMED:
        stop = next((index for index, byte in enumerate(rest) if byte in b" \t,"), stop)
        start = statement.rest_start
        return rest[:stop].decode("utf-8", "replace"), start, start + stop
    return "", statement.name_start, statement.name_end

"""Describes the name in the header of `.irp` and `.irpc`, which stands for another value in each step."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gcn_lsp.ide.describe import markdown
from gcn_lsp.ide.reading import blocks
from gcn_lsp.preproc import macros
from gcn_lsp.syntax.statement import Statement

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_MOST_VALUES = 8
_LETTERS = ".irpc"


def in_body(program: "Program", line: int, name: str) -> str | None:
    """The hover of a name in the innermost repetition around a line that has it."""
    for block in blocks.blocks(program):  # in the order in which they end: the inner one first
        if block.kind == "repetition" and block.first <= line <= block.last:
            for header in program.line(block.first).statements:
                if _name(header) == name:
                    return describe(header)
    return None


def in_header(statement: Statement, column: int) -> str | None:
    """The hover of what is at a column of a repetition's header, if that is its name."""
    name = _name(statement)
    start = statement.line.find(name.encode(), statement.rest_start) if name else -1
    return describe(statement) if 0 <= start <= column < start + len(name) else None


def describe(header: Statement) -> str:
    """The hover of the name: what it stands for, in the order of the steps."""
    values = _values(header)
    shown = markdown.listing(values[:_MOST_VALUES]) if values else "nothing"
    more = len(values) - _MOST_VALUES
    rest = f" and {more} more" if more > 0 else ""
    steps = f"{len(values)} step" + ("" if len(values) == 1 else "s")
    title = f"**parameter** {markdown.code(_name(header))} of {markdown.code(header.word)}, {steps}"
    return f"{title}: {shown}{rest}"


def _name(header: Statement) -> str:
    """The name in a header; empty for other statements."""
    name, comma, _ = header.rest.partition(b",")
    is_named = header.word in (".irp", _LETTERS) and comma and macros.is_identifier(name.strip())
    return name.strip().decode("utf-8", "replace") if is_named else ""


def _values(header: Statement) -> Sequence[str]:
    values, _ = macros.parse_arguments(header.rest.partition(b",")[2], None)
    texts = [macros.unquote(value).decode("utf-8", "replace") for value in values]
    return list("".join(texts)) if header.word == _LETTERS else texts

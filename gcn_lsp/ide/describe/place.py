"""The place of a hover, and its text."""

from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.ide.reading.cursor import Cursor
from gcn_lsp.syntax import expressions, nodes
from gcn_lsp.syntax.expressions import Missing
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


class HoverResult(msgspec.Struct, frozen=True):
    """The text of a hover, and the part of the line that it describes."""

    where: Location
    markdown: str


class Place:
    """The cursor in its program."""

    __slots__ = ("program", "line", "cursor")

    def __init__(self, program: "Program", line: int, cursor: Cursor) -> None:
        self.program = program
        self.line = line
        self.cursor = cursor

    def result(self, text: str | None, start: int | None = None, end: int | None = None) -> HoverResult | None:
        """`text` for the word under the cursor, or for bytes `start` to `end`; None for no text."""
        if not text:
            return None
        word = self.cursor.word
        where = Location(
            self.program.path, self.line, word.start if start is None else start, word.end if end is None else end
        )
        return HoverResult(where, text)

    def at(self, node: nodes.Node, text: str | None) -> HoverResult | None:
        """`text` for a node."""
        return self.result(text, node.start, node.end)

    def text(self, node: nodes.Node) -> str:
        """The text of a node."""
        line = self.program.source.lines[self.line]
        return line[node.start : node.end].decode("utf-8", "replace")

    def value(self, node: nodes.Node) -> int | None:
        """The value of an expression at the cursor's line."""

        def lookup(name: str) -> "int | expressions.Address | Missing":
            value = self.program.symbol_value(name, self.line)
            return value if value is not None else self.program.layout.labels.get(name, Missing(False))

        value = expressions.evaluate(node, lookup)
        return value if type(value) is int else None

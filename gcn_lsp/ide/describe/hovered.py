"""The place of a hover with what is written there and what it became, found once; and the text of the hover."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown
from gcn_lsp.ide.reading import scope
from gcn_lsp.ide.reading.cursors import Cursor
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.syntax import expressions, nodes
from gcn_lsp.syntax.expressions import MissingSymbol
from gcn_lsp.text import Location, Text, rendered

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem, Program


class HoverResult(msgspec.Struct, frozen=True):
    """The text of a hover, in Markdown with places as values, and the part of the line that it describes."""

    where: Location
    said: Text

    @property
    def markdown(self) -> str:
        """The text as people read it in the file of `where`."""
        return rendered(self.said, self.where.path, markdown.place)


class Hovered:
    """The cursor in its program, and the instructions that result from the statement under it."""

    def __init__(self, program: "Program", line: int, cursor: Cursor) -> None:
        self.program = program
        self.target = program.target
        self.line = line
        self.cursor = cursor

    @cached_property
    def items(self) -> "Sequence[PlacedItem]":
        """The instructions that result from the statement, without a label before it and calls of macros."""
        statement = self.cursor.statement
        return [
            item
            for item in scope.written_items(self.program, self.line)
            if item.item.instruction is not None
            and statement is not None
            and (item.item.statement.word == statement.word or "\\" in statement.word)
        ]

    @cached_property
    def instructions(self) -> Sequence[Instruction]:
        """`items` as instructions, in the same order."""
        return [item.item.instruction for item in self.items if item.item.instruction is not None]

    @cached_property
    def form(self) -> isa.Form | None:
        """The form of the first of the instructions."""
        return self.instructions[0].form if self.instructions else None

    @cached_property
    def only_form(self) -> isa.Form | None:
        """The form that all of the instructions match; None if they differ, or if there are none."""
        form = self.form
        return form if all(each.form is form for each in self.instructions) else None

    @cached_property
    def code(self) -> bytes:
        """The bytes that each of the instructions becomes; empty if they differ, or if there are none."""
        codes = {item.code for item in self.items}
        return codes.pop() if len(codes) == 1 else b""

    def resolved(self, part: int | None = None) -> list[Operand]:
        """The operands that the operand under the cursor becomes, one for each expansion; `part`: of a list's item."""
        found = []
        index = self.cursor.index
        for instruction in self.instructions:
            written = instruction.statement.operands
            if index is None or index >= len(written):
                continue
            node = written[index]
            if part is not None and isinstance(node, nodes.Bracket) and part < len(node.items):
                node = node.items[part]
            found += [
                operand
                for operand in instruction.operands
                if operand.node is node or (operand.node.start, operand.node.end) == (node.start, node.end)
            ][:1]
        return found

    def result(self, text: Text | None, start: int | None = None, end: int | None = None) -> HoverResult | None:
        """`text` for the word under the cursor, or for bytes `start` to `end`; None for no text."""
        if not text:
            return None
        word = self.cursor.word
        where = Location(
            self.program.path, self.line, word.start if start is None else start, word.end if end is None else end
        )
        return HoverResult(where, text)

    def at(self, node: nodes.Node, text: Text | None) -> HoverResult | None:
        """`text` for a node."""
        return self.result(text, node.start, node.end)

    def text(self, node: nodes.Node) -> str:
        """The text of a node."""
        line = self.program.source.lines[self.line]
        return line[node.start : node.end].decode("utf-8", "replace")

    def value(self, node: nodes.Node) -> int | None:
        """The value of an expression at the cursor's line."""

        def lookup(name: str) -> "int | expressions.Address | MissingSymbol":
            value = self.program.symbol_value(name, self.line)
            return value if value is not None else self.program.layout.labels.get(name, MissingSymbol(False))

        value = expressions.evaluate(node, lookup)
        return value if type(value) is int else None

"""The text of assembly that a statement stands for on one target, with registers and numbers in place of its operands.

The compiler chooses registers, and only the build knows some widths and numbers. What is not known is chosen so that
the instructions take it, if anything fits; so the assembler rejects only what no choice makes right.
"""

import re
from collections.abc import Hashable, Iterator
from functools import cached_property

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction import assembler
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.inline import constraints, template
from gcn_lsp.views.inline.choice import Register, Search
from gcn_lsp.views.inline.statement import Span, Statement
from gcn_lsp.views.inline.template import Part, Template


class Segment(msgspec.Struct, frozen=True, gc=False):
    """Text that stands for bytes of the template: one for one, or all for all (`%0`). number: of the operand."""

    start: int
    end: int
    from_: int
    to: int
    exact: bool
    number: int = -1


class Document(msgspec.Struct, frozen=True, dict=True):
    """A statement as assembly for one target.

    text: its bytes. segments: its map. registers: of the operands by number; those of constants have none. chosen:
    numbers of the operands of which a width or a value was chosen. numbered: registers that constants number.
    unknown: references to operands that are not there.
    """

    statement: Statement
    template: Template
    target: str
    mattr: str
    text: bytes
    segments: tuple[Segment, ...]
    registers: tuple["Register | None", ...]
    chosen: frozenset[int]
    numbered: tuple[Register, ...]
    unknown: tuple[Part, ...]
    accepted: bool

    @cached_property
    def program(self) -> Program:
        """The program of the text. Its places are those of the text, in a file without a name."""
        return build(SourceText.from_bytes("", self.text), Options(self.target, self.mattr))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer(rb"\r\n|\n|\r", self.text))]

    def _offset(self, line: int, column: int) -> int:
        return self._line_starts[min(line, len(self._line_starts) - 1)] + column

    def span(self, where: Location) -> Span:
        """The place in the source for a place in the text."""
        start = self._offset(where.line, where.start)
        end = self._offset(where.line, where.end)
        return self.template.span(self._origin(start, is_end=False), self._origin(end, is_end=True))

    def _origin(self, offset: int, *, is_end: bool) -> int:
        for segment in self.segments:
            if segment.start <= offset < segment.end or (is_end and segment.start < offset == segment.end):
                if segment.exact:
                    return segment.from_ + offset - segment.start
                return segment.to if is_end else segment.from_
        return len(self.template.text)

    def runs(self, line: int) -> Iterator[tuple[int, int, bool]]:
        """The columns of each run of a line whose bytes are written one for one, in one place, or are not."""
        starts = self._line_starts
        first = starts[line]
        last = starts[line + 1] - 1 if line + 1 < len(starts) else len(self.text)
        for segment in self.segments:
            start, end = max(segment.start, first), min(segment.end, last)
            if start >= end:
                continue
            if not segment.exact:
                yield start - first, end - first, False
                continue
            for piece_start, piece_end, exact in self.template.runs(
                segment.from_ + start - segment.start, segment.from_ + end - segment.start
            ):
                shift = segment.start - segment.from_ - first
                yield piece_start + shift, piece_end + shift, exact

    def is_plain(self, where: Location) -> bool:
        """Whether the source can be edited at a place of the text."""
        start, end = self._offset(where.line, where.start), self._offset(where.line, where.end)
        return self.template.is_plain(self._origin(start, is_end=False), self._origin(end, is_end=end > start))

    def is_escaped(self, where: Location) -> bool:
        """Whether a line end is written as `\\n` at a place of the text."""
        offset = self._origin(self._offset(where.line, where.start), is_end=False)
        return self.template.is_escaped(offset)

    def place(self, line: int, column: int) -> "tuple[int, int] | None":
        """The line and the column of the text at a place of the source; None outside of the template."""
        offset = self.template.offset(line, column)
        if offset is None:
            return None
        for segment in self.segments:
            if segment.from_ <= offset < segment.to or (offset == segment.to == len(self.template.text)):
                found = segment.start + (offset - segment.from_ if segment.exact else 0)
                found = min(found, segment.end)
                break
        else:
            found = len(self.text)
        number = sum(start <= found for start in self._line_starts) - 1
        return number, found - self._line_starts[number]

    def operand_at(self, line: int, column: int) -> "int | None":
        """The number of the operand to which the template refers at a place of the source."""
        offset = self.template.offset(line, column)
        if offset is not None:
            for part in self.template.parts:
                if part.number != -1 and part.start <= offset <= part.end:
                    return part.number
        return None

    def in_source(self, text: str) -> str:
        """A message with operands as the source writes them in place of the registers that were chosen."""
        for number, register in enumerate(self.registers):
            if register is not None and constraints.read(self.statement.operands[number].constraint).fixed is None:
                pattern = rf"(?<![\w\[]){re.escape(register.text)}(?![\w\]])"
                text = re.sub(pattern, lambda _, number=number: self.name(number), text)  # type: ignore[misc]
        return text

    def name(self, number: int) -> str:
        """An operand as the template refers to it, `%0` or `%[name]`."""
        operand = self.statement.operands[number]
        if self.statement.dialect == "llvm":
            return f"${number}"
        return f"%[{operand.name}]" if operand.name else f"%{number}"

    def described(self, number: int) -> str:
        """An operand with its C expression, for messages."""
        expression = self.statement.operands[number].expression
        shown = f" ({expression})" if 0 < len(expression) <= 40 else ""
        return f"`{self.name(number)}`{shown}"


_known: ByValue[Hashable, Document] = ByValue(4096)


def of(statement: Statement, target: str, mattr: str = "") -> Document:
    """The text of a statement for a target. Statements that differ only in their places share its program."""
    operands = tuple(
        (each.constraint, each.name, each.width, each.value, each.symbol, each.offset) for each in statement.operands
    )
    clobbers = tuple(clobber.name for clobber in statement.clobbers)
    key = (statement.dialect, statement.template, operands, clobbers, statement.labels, target, mattr)
    known = _known.get(key)
    if known is None:
        return _known.keep(key, _document(statement, target, mattr))
    if known.statement == statement:
        return known
    moved = msgspec.structs.replace(known, statement=statement, template=template.of(statement))
    moved.__dict__["program"] = known.program
    return moved


def _document(statement: Statement, target: str, mattr: str) -> Document:
    parts = template.of(statement)
    search = Search(statement, parts, assembler.context_of(isa.load_target(target, mattr)))
    choice, accepted = search.best()
    written, segments = b"", []
    for part in parts.parts:
        text = search.text(choice, part)
        exact = part.number == -1 and len(text) == part.end - part.start
        number = -1 if part.number is None else part.number
        segments.append(Segment(len(written), len(written) + len(text), part.start, part.end, exact, number))
        written += text
    registers = tuple(search.register(choice, number) for number in range(len(statement.operands)))
    unknown = tuple(part for part in parts.parts if part.number is None)
    return Document(
        statement, parts, target, mattr, written, tuple(segments), registers, choice.chosen, choice.numbered, unknown,
        accepted and not unknown,
    )  # fmt: skip

"""The text of assembly that a statement stands for on one target, with registers and numbers in place of its operands.

The compiler chooses registers, and only the build knows some widths and numbers. What is not known is chosen so that
the instructions take it, if anything fits; so the assembler rejects only what no choice makes right.
"""

import re
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cached_property

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByTurns
from gcn_lsp.instruction import assembler
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.inline import constraints, template
from gcn_lsp.views.inline.choice import Register, Search
from gcn_lsp.views.inline.statement import Span, Statement
from gcn_lsp.views.inline.template import Template, TemplatePart
from gcn_lsp.views.map import Derived, LineRun, MappedBytes, Origin, spanned


class TemplateSegment(msgspec.Struct, frozen=True, gc=False):
    """Text that stands for bytes of the template: one for one, or all for all (`%0`). number: of the operand."""

    start: int
    end: int
    from_: int
    to: int
    exact: bool
    number: int = -1


class StatementAssembly(msgspec.Struct, frozen=True, dict=True):
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
    segments: tuple[TemplateSegment, ...]
    registers: tuple["Register | None", ...]
    chosen: frozenset[int]
    numbered: tuple[Register, ...]
    unknown: tuple[TemplatePart, ...]
    accepted: bool

    @cached_property
    def program(self) -> Program:
        """The program of the text. Its places are those of the text, in a file without a name."""
        return _program(self.text, self.target, self.mattr)

    @cached_property
    def origins(self) -> tuple[Origin, ...]:
        """Where each line of the text is written."""
        lines = self.text.split(b"\n")
        found, at = [], 0
        for line in lines:
            pieces = tuple(self._pieces(at, at + len(line)))
            last = pieces[-1]
            if not last.copied:  # text can be written after an operand at the end of a line
                pieces += (MappedBytes(last.end, last.end, last.line, last.source_end, last.source_end, True),)
            found.append(Origin("", pieces[0].line, pieces))
            at += len(line) + 1
        return tuple(found)

    def _pieces(self, first: int, last: int) -> Iterator[MappedBytes]:
        """The map of the bytes of a line: each run of the template that is written one for one, and each operand."""
        if first == last:
            holding = (each for each in self.segments if each.start <= first < each.end)
            at = next((each.from_ + first - each.start for each in holding), len(self.template.text))
            point = self.template.span(at, at)
            yield MappedBytes(0, 0, point.line, point.start, point.start, True)
        for segment in self.segments:
            start, end = max(segment.start, first), min(segment.end, last)
            if start >= end:
                continue
            if not segment.exact:
                span = self.template.span(segment.from_, segment.to)
                yield MappedBytes(start - first, end - first, span.line, span.start, span.end, False)
                continue
            shift = segment.from_ - segment.start
            for run in self.template.runs:
                begin, stop = max(run.start, start + shift), min(run.end, end + shift)
                if begin < stop:
                    span = self.template.span(begin, stop)
                    columns = begin - shift - first, stop - shift - first
                    yield MappedBytes(*columns, span.line, span.start, span.end, run.copied)

    def span(self, where: Location) -> Span:
        """The place in the source for a place in the text."""
        return Span(*spanned(self.origins[where.line].pieces or (), where.start, where.end))

    def is_plain(self, where: Location) -> bool:
        """Whether the source can be edited at a place of the text."""
        if where.start == where.end:
            return bool(self.statement.pieces)
        first, last = (self.span(Location("", where.line, at, at + 1)) for at in (where.start, where.end - 1))
        start, end = self.template.offset(first.line, first.start), self.template.offset(last.line, last.end)
        return start is not None and end is not None and self.template.is_plain(start, end)

    def is_escaped(self, where: Location) -> bool:
        """Whether a line end is written as `\\n` at a place of the text."""
        span = self.span(where)
        return self.template.is_escaped(self.template.offset(span.line, span.start) or 0)

    def operand_at(self, line: int, column: int) -> "int | None":
        """The number of the operand to which the template refers at a place of the source."""
        offset = self.template.offset(line, column)
        if offset is not None:
            for part in self.template.parts:
                if part.number != -1 and part.start <= offset <= part.end:
                    return part.number
        return None

    def in_source(self, text: str) -> str:
        """A text with operands as the source writes them in place of the registers that were chosen.

        Of messages, hovers and code alike: fixes insert code, in which registers must be found in any case, and the
        assembler's messages quote operands in some 90 places. So registers are not parts of messages, as places are.
        """
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


class StatementText(Derived, frozen=True, dict=True):
    """The derived text of one statement."""

    document: StatementAssembly


def derived(text: StatementAssembly, source: SourceText) -> StatementText:
    """The text, with the places of the source that it stands for."""
    block = LineRun(len(source.lines), tuple(text.text.split(b"\n")), text.origins)
    return StatementText(source, (block,), text)


_LEAST = 256  # statements on targets
_known: ByTurns[Hashable, StatementAssembly] = ByTurns(_LEAST)
_programs: ByTurns[tuple[bytes, str, str], Program] = ByTurns(_LEAST)


@contextmanager
def reading_whole_source(most: int) -> Iterator[None]:
    """Meanwhile texts of statements and their programs are kept, up to `most`; afterwards there is room for as many."""
    with _known.whole(most), _programs.whole(most):
        yield


def of(statement: Statement, target: str, mattr: str = "") -> StatementAssembly:
    """The text of a statement for a target. Statements that differ only in their places share its program."""
    operands = tuple(
        (each.constraint, each.name, each.width, each.value, each.symbol, each.offset) for each in statement.operands
    )
    clobbers = tuple(clobber.name for clobber in statement.clobbers)
    key = (statement.dialect, statement.template, operands, clobbers, statement.labels, target, mattr)
    known = _known.find(key)
    if known is None:
        return _known.keep(key, _document(statement, target, mattr))
    if known.statement == statement:
        return known
    return msgspec.structs.replace(known, statement=statement, template=template.of(statement))


def _document(statement: Statement, target: str, mattr: str) -> StatementAssembly:
    parts = template.of(statement)
    search = Search(statement, parts, assembler.context_of(isa.load_target(target, mattr)))
    choice, accepted = search.best()
    written, segments = b"", []
    for part in parts.parts:
        text = search.text(choice, part)
        exact = part.number == -1 and len(text) == part.end - part.start
        number = -1 if part.number is None else part.number
        segments.append(TemplateSegment(len(written), len(written) + len(text), part.start, part.end, exact, number))
        written += text
    registers = tuple(search.register(choice, number) for number in range(len(statement.operands)))
    unknown = tuple(part for part in parts.parts if part.number is None)
    return StatementAssembly(
        statement, parts, target, mattr, written, tuple(segments), registers, choice.chosen, choice.numbered, unknown,
        accepted and not unknown,
    )  # fmt: skip


def _program(text: bytes, target: str, mattr: str) -> Program:
    key = (text, target, mattr)
    found = _programs.find(key)
    if found is None:
        found = _programs.keep(key, build(SourceText.from_bytes("", text), Options(target, mattr)))
    return found

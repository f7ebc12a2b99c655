"""Divides the template of a statement into text and references to operands."""

from collections.abc import Iterator
from functools import cached_property

import msgspec

from gcn_lsp.isa.tables import ptx
from gcn_lsp.patterns import regex
from gcn_lsp.views.inline.statement import Span, Statement, StatementOperand
from gcn_lsp.views.map import MappedBytes as Run
from gcn_lsp.views.map import derived_column, piece_at, spanned

_GNU = regex(rb"%(?:([%=|{}])|([a-zA-Z])?(?:(\d+)|\[([^\]\s]*)\]))")
_LLVM = regex(rb"\$(?:([$])|(\d+)|\{(\d+)(?::(\w+))?\})")
_MNEMONIC = regex(rb"(?:^|\n)[ \t]*(?:[A-Za-z_.$][\w.$]*:[ \t]*)?([A-Za-z_]\w*)")
_OURS = regex(r"(?:v|s|ds|buffer|tbuffer|global|flat|scratch|image|lds|exp|tensor|cluster|ds_load|ds_store)_\w+")


class TemplatePart(msgspec.Struct, frozen=True):
    """Text of the template, or a reference to an operand. start, end: bytes of the template.

    text: what the assembler reads; empty for a reference. number: of the operand, -1 for text, None if there is no such
    operand. modifier: the letter of `%c0`.
    """

    start: int
    end: int
    text: bytes = b""
    number: "int | None" = -1
    modifier: str = ""


class Template(msgspec.Struct, frozen=True, dict=True):
    """The template of a statement. parts: in order; each line end is a part of its own text."""

    statement: Statement
    text: bytes
    parts: tuple[TemplatePart, ...]

    def lines(self) -> Iterator[tuple[TemplatePart, ...]]:
        """The parts of each line."""
        line: list[TemplatePart] = []
        for part in self.parts:
            if part.number != -1 or b"\n" not in part.text:
                line.append(part)
                continue
            at = part.start
            for text in part.text.split(b"\n")[:-1]:
                yield (*line, TemplatePart(at, at + len(text), text))
                line = []
                at += len(text) + 1
            rest = part.text[at - part.start :]
            if rest:
                line.append(TemplatePart(at, part.end, rest))
        yield tuple(line)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The bytes of the template and where they are written, a run for each of the statement's pieces."""
        found, at = [], 0
        for piece in self.statement.pieces:
            span, end = piece.span, at + len(piece.text)
            found.append(Run(at, end, span.line, span.start, span.end, piece.exact))
            at = end
        return tuple(found)

    def span(self, start: int, end: int) -> Span:
        """Where bytes of the template are written; as far as the end of the line on which they begin."""
        return Span(*spanned(self.runs, start, max(start, end))) if self.runs else self.statement.span

    def offset(self, line: int, column: int) -> int | None:
        """The byte of the template at a place of the source."""
        ends = (Run(run.end, run.end, run.line, run.source_end, run.source_end, True) for run in self.runs)
        return derived_column((*(run for run in self.runs if run.start < run.end), *ends), line, column)

    def is_escaped(self, offset: int) -> bool:
        """Whether the literal at a byte of the template has escapes."""
        pieces = self.statement.pieces
        return bool(pieces) and not pieces[self.runs.index(piece_at(self.runs, offset))].raw

    def is_plain(self, start: int, end: int) -> bool:
        """Whether bytes of the template are written one for one, in one literal."""
        if end <= start or not self.runs:
            return bool(self.runs)
        first = piece_at(self.runs, start)
        return first.copied and first is piece_at(self.runs, end - 1)


def of(statement: Statement) -> Template:
    """The parts of a statement's template."""
    text = statement.template
    pattern = _GNU if statement.dialect == "gnu" else _LLVM
    parts = []
    at = 0
    for found in pattern.finditer(text):
        if found.start() > at:
            parts.append(TemplatePart(at, found.start(), text[at : found.start()]))
        if found[1] is not None:
            written = b"0" if found[1] == b"=" else found[1]
            parts.append(TemplatePart(found.start(), found.end(), written))
        elif statement.dialect == "gnu":
            number = _number(statement.operands, found[3], found[4], statement.labels)
            parts.append(TemplatePart(found.start(), found.end(), b"", number, (found[2] or b"").decode()))
        else:
            number = _number(statement.operands, found[2] or found[3], None, ())
            parts.append(TemplatePart(found.start(), found.end(), b"", number, (found[4] or b"").decode()))
        at = found.end()
    if at < len(text):
        parts.append(TemplatePart(at, len(text), text[at:]))
    return Template(statement, text, tuple(parts))


def is_amd(statement: Statement) -> bool:
    """Whether a statement is AMD's assembly: one of its words looks like one of its mnemonics."""
    return any(_OURS.fullmatch(word) for word in words(statement))


def is_ptx(statement: Statement) -> bool:
    """Whether a statement is NVIDIA's assembly: it begins with one of its instructions."""
    return ptx.instruction(statement.template.decode("latin-1").lstrip(" \t\n{")) is not None


def words(statement: Statement) -> list[str]:
    """The first word of each line of the template, in small letters."""
    return [word.decode("latin-1").lower() for word in _MNEMONIC.findall(statement.template)]


def _number(
    operands: tuple[StatementOperand, ...], digits: "bytes | None", name: "bytes | None", labels: tuple[str, ...]
) -> "int | None":
    if digits is not None:
        number = int(digits[:6])
        return number if number < len(operands) + len(labels) else None
    wanted = (name or b"").decode("utf-8", "replace")
    for number, operand in enumerate(operands):
        if operand.name == wanted:
            return number
    return len(operands) + labels.index(wanted) if wanted in labels else None

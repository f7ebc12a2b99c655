"""Divides the template of a statement into text and references to operands."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

import msgspec

from gcn_lsp.views.inline.statement import Operand, Span, Statement

_GNU = re.compile(rb"%(?:([%=|{}])|([a-zA-Z])?(?:(\d+)|\[([^\]\s]*)\]))")
_LLVM = re.compile(rb"\$(?:([$])|(\d+)|\{(\d+)(?::(\w+))?\})")
_MNEMONIC = re.compile(rb"(?:^|\n)[ \t]*(?:[A-Za-z_.$][\w.$]*:[ \t]*)?([A-Za-z_]\w*)")
_OURS = re.compile(r"(?:v|s|ds|buffer|tbuffer|global|flat|scratch|image|lds|exp|tensor|cluster|ds_load|ds_store)_\w+")


class Part(msgspec.Struct, frozen=True):
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
    parts: tuple[Part, ...]

    def lines(self) -> Iterator[tuple[Part, ...]]:
        """The parts of each line."""
        line: list[Part] = []
        for part in self.parts:
            if part.number != -1 or b"\n" not in part.text:
                line.append(part)
                continue
            at = part.start
            for text in part.text.split(b"\n")[:-1]:
                yield (*line, Part(at, at + len(text), text))
                line = []
                at += len(text) + 1
            rest = part.text[at - part.start :]
            if rest:
                line.append(Part(at, part.end, rest))
        yield tuple(line)

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 0
        for piece in self.statement.pieces:
            starts.append(at)
            at += len(piece.text)
        return starts

    def span(self, start: int, end: int) -> Span:
        """Where bytes of the template are written; as far as the end of the line on which they begin."""
        pieces = self.statement.pieces
        if not pieces:
            return self.statement.span
        first = pieces[self._number(start)]
        begin = first.span.start + (start - self._starts[self._number(start)] if first.exact else 0)
        if end <= start:
            return Span(first.span.line, begin, begin)
        number = self._number(end - 1)
        last = pieces[number]
        stop = last.span.start + end - self._starts[number] if last.exact else last.span.end
        if last.span.line != first.span.line or stop < begin:
            number = self._number(start)
            while number + 1 < len(pieces) and pieces[number + 1].span.line == first.span.line:
                number += 1
            stop = max(pieces[number].span.end, begin)
        return Span(first.span.line, begin, stop)

    def offset(self, line: int, column: int) -> "int | None":
        """The byte of the template at a place of the source."""
        for piece, start in zip(self.statement.pieces, self._starts, strict=True):
            span = piece.span
            if span.line == line and span.start <= column <= span.end and piece.text:
                if piece.exact:
                    return start + column - span.start
                if column < span.end:
                    return start
        for piece, start in zip(self.statement.pieces, self._starts, strict=True):
            if piece.span.line == line and piece.span.end == column:
                return start + len(piece.text)
        return None

    def _number(self, offset: int) -> int:
        return max(0, bisect_right(self._starts, offset) - 1)

    def runs(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """The parts of the template from each piece, and whether they are written one for one."""
        for piece, at in zip(self.statement.pieces, self._starts, strict=True):
            first, last = max(start, at), min(end, at + len(piece.text))
            if first < last:
                yield first, last, piece.exact

    def is_escaped(self, offset: int) -> bool:
        """Whether the literal at a byte of the template has escapes."""
        pieces = self.statement.pieces
        return bool(pieces) and not pieces[self._number(offset)].raw

    def is_plain(self, start: int, end: int) -> bool:
        """Whether bytes of the template are written one for one, in one literal."""
        if end <= start:
            return bool(self.statement.pieces)
        first, last = self._number(start), self._number(end - 1)
        return first == last and self.statement.pieces[first].exact


def of(statement: Statement) -> Template:
    """The parts of a statement's template."""
    text = statement.template
    pattern = _GNU if statement.dialect == "gnu" else _LLVM
    parts = []
    at = 0
    for found in pattern.finditer(text):
        if found.start() > at:
            parts.append(Part(at, found.start(), text[at : found.start()]))
        if found[1] is not None:
            written = b"0" if found[1] == b"=" else found[1]
            parts.append(Part(found.start(), found.end(), written))
        elif statement.dialect == "gnu":
            number = _number(statement.operands, found[3], found[4], statement.labels)
            parts.append(Part(found.start(), found.end(), b"", number, (found[2] or b"").decode()))
        else:
            number = _number(statement.operands, found[2] or found[3], None, ())
            parts.append(Part(found.start(), found.end(), b"", number, (found[4] or b"").decode()))
        at = found.end()
    if at < len(text):
        parts.append(Part(at, len(text), text[at:]))
    return Template(statement, text, tuple(parts))


def is_amd(statement: Statement) -> bool:
    """Whether a statement is AMD's assembly: one of its words looks like one of its mnemonics."""
    return any(_OURS.fullmatch(word) for word in words(statement))


def words(statement: Statement) -> list[str]:
    """The first word of each line of the template, in small letters."""
    return [word.decode("latin-1").lower() for word in _MNEMONIC.findall(statement.template)]


def _number(
    operands: tuple[Operand, ...], digits: "bytes | None", name: "bytes | None", labels: tuple[str, ...]
) -> "int | None":
    if digits is not None:
        number = int(digits[:6])
        return number if number < len(operands) + len(labels) else None
    wanted = (name or b"").decode("utf-8", "replace")
    for number, operand in enumerate(operands):
        if operand.name == wanted:
            return number
    return len(operands) + labels.index(wanted) if wanted in labels else None

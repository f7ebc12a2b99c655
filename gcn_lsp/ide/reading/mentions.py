"""Finds every place of a name in the written text, by searching it and parsing the matching lines.

A search in all of a large kernel takes less than a millisecond; an index of all names would have to be rebuilt after
every edit. Whether a place is a definition or a use follows from parsing just its line; the places of the last names
are kept by chunk, since the most frequent name of a kernel is on thousands of lines.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import msgspec

from gcn_lsp.flow.kept import recent
from gcn_lsp.ide.reading.lines import occurrences, text_of, whole, words_in
from gcn_lsp.patterns import regex
from gcn_lsp.syntax.directives import SETTERS, assigned_name
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.names import NameRole, statement_names
from gcn_lsp.syntax.statement import Line, StatementKind
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Chunk
    from gcn_lsp.program.program import Program


class Mention(msgspec.Struct, frozen=True, gc=False):
    """One place of a name."""

    role: NameRole
    where: Location

    @property
    def is_write(self) -> bool:
        """Whether it defines or sets what it names."""
        return self.role in _DECLARING


_SETS = regex(rb"(?:" + b"|".join(re.escape(word.encode()) for word in sorted(SETTERS)) + rb")\b", re.IGNORECASE)
_DECLARING = frozenset(("label", "assignment", "macro"))
_DEFINING = frozenset(("label", "assignment"))
_DEFINING_WORDS = SETTERS | {".macro"}


def mentions(program: "Program", name: str) -> Iterator[Mention]:
    """The places of `name` in the main file, from top to bottom, then those in included files.

    `name@rel32@lo` asks the linker for a part of an address; the name is the part before the first `@`.
    """
    yield from _mentions(program, name)
    parts = re.compile(re.escape(_bytes(name)) + rb"@[a-z0-9]+(?:@[a-z]+)?")
    for relocated in sorted({match for text in _texts(program) for match in parts.findall(text)}):
        for mention in _mentions(program, relocated.decode("utf-8", "surrogateescape")):
            where = mention.where
            end = where.start + len(_bytes(name))
            yield Mention(mention.role, Location(where.path, where.line, where.start, end))


def _texts(program: "Program") -> Iterator[bytes]:
    """The texts that contain a `@`."""
    yield from (text for text in (whole(program),) if b"@" in text)
    yield from (text for source in program.included.values() for text in source.lines if b"@" in text)


def _mentions(program: "Program", name: str) -> Iterator[Mention]:
    wanted = _bytes(name)
    path = program.path
    if wanted in whole(program):
        for base, chunk in zip(program.bases, program.chunks, strict=True):
            for line, role, start, end in _in_chunk(chunk, name):
                yield Mention(role, Location(path, base + line, start, end))
    for source in program.included.values():
        for number, text in enumerate(source.lines):
            if wanted in text:
                yield from _mentions_on(source.path, number, parse_line(text), name)


@recent(8)
def _in_chunk(chunk: "Chunk", name: str) -> tuple[tuple[int, NameRole, int, int], ...]:
    """The places of `name` in a chunk: line, role, first and last column. Editors ask at each move of the cursor."""
    wanted = _bytes(name)
    size = len(wanted)
    found: list[tuple[int, NameRole, int, int]] = []
    yielded = -1  # the last line with all names found
    for number, column in words_in(text_of(chunk), wanted):
        line = chunk.line(number)
        role = _plain_role(line, column)
        if role:
            found.append((number, role, column, column + size))
        elif role is None and number != yielded:
            yielded = number
            found += ((number, role, start, end) for role, start, end in _on_line(line, name))
    return tuple(found)


def _plain_role(line: Line, column: int) -> Literal["use", "word", ""] | None:
    """`use` or `word`, as nearly all are, or nothing in a comment; None if only all names of the line can decide.

    A name used on many lines would take too long to find by parsing names.
    """
    if line.comment_start is not None and column > line.comment_start and not line.comment_open:
        return "" if b"*/" not in line.text else None
    if len(line.statements) != 1 or b'"' in line.text or b"\\" in line.text:
        return None
    statement = line.statements[0]
    if statement.kind is not StatementKind.COMMAND or statement.word in _DEFINING_WORDS:
        return None
    if statement.name_start == column:
        return "word"
    return "use" if statement.rest_start <= column < statement.end else None


def definitions(program: "Program", name: str) -> list[Location]:
    """The places where `name` is a label or is assigned; if no line says so, the calls that define it."""
    return written_definitions(program, name) or _in_expansions(program, name)


def written_definitions(program: "Program", name: str) -> list[Location]:
    """The places where a line defines `name` as a label or assigns it."""
    wanted = _bytes(name)
    marks = (b":", b"=") if name in program.layout.labels else (b"=",)
    found: list[Mention] = []
    for number, column in occurrences(program, wanted):
        if _may_define(program.source.lines[number], column, column + len(wanted), marks):
            found += _mentions_on(program.path, number, program.line(number), name)
    for source in program.included.values():
        for number, text in enumerate(source.lines):
            column = text.find(wanted)
            if column >= 0 and _may_define(text, column, column + len(wanted), marks):
                found += _mentions_on(source.path, number, parse_line(text), name)
    return list(dict.fromkeys(mention.where for mention in found if mention.role in _DEFINING))


def _in_expansions(program: "Program", name: str) -> list[Location]:
    """The lines whose macro calls define a name that no line defines directly."""
    lines: dict[int, None] = {}
    for base, chunk in zip(program.bases, program.chunks, strict=True):
        if chunk.before.symbols.get(name) != chunk.after.symbols.get(name):
            for item in chunk.items:
                if item.kind == "assignment" and assigned_name(item.statement) == name:
                    lines[base + item.written.top_line] = None
        for label, _, _, index in chunk.labels:
            if label == name:
                lines[base + chunk.items[index].written.top_line] = None
    return [_place_of(program, line, _bytes(name)) for line in lines]


def _place_of(program: "Program", line: int, name: bytes) -> Location:
    """The name on a line if it occurs there, else the line's text."""
    text = program.source.lines[line]
    start = text.find(name)
    if start >= 0:
        return Location(program.path, line, start, start + len(name))
    return Location(program.path, line, len(text) - len(text.lstrip()), len(text.rstrip()))


def _may_define(text: bytes, start: int, end: int, marks: tuple[bytes, ...]) -> bool:
    """Whether a use may be a definition: it is followed by one of `marks`, or comes after `.set`. Needs no parsing."""
    following = text[end : end + 4].lstrip(b' \t"')[:1]
    return following in marks or (following == b"," and _SETS.search(text, 0, start) is not None)


def _on_line(line: Line, name: str) -> Iterator[tuple[NameRole, int, int]]:
    """The role, first and last column of each place of `name` on a line."""
    for statement in line.statements:
        for role, found, start, end in statement_names(statement):
            if found == name:
                yield role, start, end


def _mentions_on(path: str, number: int, line: Line, name: str) -> Iterator[Mention]:
    for role, start, end in _on_line(line, name):
        yield Mention(role, Location(path, number, start, end))


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")

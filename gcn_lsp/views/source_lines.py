"""The lines of the source that assembly was compiled from, as its `.file` and `.loc` say.

A `.loc` is for the next instruction and all below it in the same section, up to the next `.loc`; where the section
changes before any instruction, it is for none. The compiler writes into its comment where the code was inlined.
"""

import posixpath
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.flow.kept import once
from gcn_lsp.patterns import regex
from gcn_lsp.syntax import operands
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.views.view import SourcePlace

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Chunk
    from gcn_lsp.program.program import Program

_STRING = regex(rb'"(?:\\.|[^"\\])*"')
_INLINED = regex(r"@\[ (.+?):(\d+):(\d+)")


class Loc(msgspec.Struct, frozen=True):
    """What a `.loc` says. file: its number. inlined_at: file, line and column of each call, the innermost first."""

    file: int
    line: int
    column: int
    inlined_at: tuple[tuple[str, int, int], ...] = ()


class _Marks(msgspec.Struct, frozen=True):
    """The directives of a chunk. locs, files: with the line in the chunk."""

    locs: tuple[tuple[int, Loc], ...]
    files: tuple[tuple[int, tuple[str, ...]], ...]


class _ChunkCode(msgspec.Struct, frozen=True):
    """The instructions of a chunk. lines: in the chunk. sections: of each of those."""

    lines: tuple[int, ...]
    sections: tuple[str, ...]


def loc(program: "Program", line: int) -> SourcePlace | None:
    """The place that a `.loc` on a line of the main file names."""
    number = program.chunk_at(line)
    marks = _marks(program.chunks[number])
    found = next((each for at, each in marks.locs if at == line - program.bases[number]), None)
    return None if found is None else _place(program, found)


def at(program: "Program", line: int) -> SourcePlace | None:
    """The place that the instructions on a line of the main file are compiled from."""
    number = program.chunk_at(line)
    inside = line - program.bases[number]
    if not _files(program):
        return None
    code = _code(program.chunks[number])
    section = next((name for at_, name in zip(code.lines, code.sections, strict=True) if at_ == inside), None)
    if section is None:
        return None
    first: str | None = None  # the section of the first instruction below the `.loc` that is searched
    for index in range(number, -1, -1):
        chunk = program.chunks[index]
        code = _code(chunk)
        limit = inside if index == number else len(chunk.lines)
        before = [each for each in _marks(chunk).locs if each[0] < limit]
        if not before:
            first = code.sections[0] if code.sections and code.lines[0] < limit else first
            continue
        line_of, found = before[-1]
        below = bisect_left(code.lines, line_of)
        if below < len(code.lines) and (index < number or code.lines[below] <= inside):
            first = code.sections[below]
        return _place(program, found) if (first or section) == section else None
    return None


def places(program: "Program") -> Iterator[tuple[int, SourcePlace]]:
    """The lines of the main file with instructions that are compiled from somewhere, and from where."""
    current: dict[str, Loc | None] = {}
    pending: Loc | None = None
    for base, chunk in zip(program.bases, program.chunks, strict=True):
        code = _code(chunk)
        locs = iter(_marks(chunk).locs)
        following = next(locs, None)
        for line, section in zip(code.lines, code.sections, strict=True):
            while following is not None and following[0] <= line:
                pending = following[1]
                following = next(locs, None)
            if pending is not None:
                current[section], pending = pending, None
            found = current.get(section)
            place = _place(program, found) if found is not None else None
            if place is not None:
                yield base + line, place
        while following is not None:
            pending = following[1]
            following = next(locs, None)


def _place(program: "Program", found: Loc) -> SourcePlace | None:
    """The place with the name of its file; None for line 0, which stands for no line."""
    files = _files(program)
    name = files.get(found.file)
    if name is None or found.line == 0:
        return None
    calls = tuple(SourcePlace(_named(file, files), line, column) for file, line, column in found.inlined_at)
    return SourcePlace(name, found.line, found.column, "", calls)


@once
def _files(program: "Program") -> Mapping[int, str]:
    """The names of the files by their numbers: each in its folder, that in the folder of number 0."""
    files = {number: names for chunk in program.chunks for number, names in _marks(chunk).files}
    folder = files.get(0, ("",))[0] if len(files.get(0, ())) > 1 else ""
    return {number: posixpath.normpath(posixpath.join(folder, *names)) for number, names in files.items()}


def _named(written: str, files: Mapping[int, str]) -> str:
    """The file that the compiler's comment means, which may leave out its folder."""
    return next((name for name in files.values() if name == written or name.endswith(f"/{written}")), written)


@once
def _code(chunk: "Chunk") -> _ChunkCode:
    instructions = [item for item in chunk.items if item.kind == "instruction"]
    return _ChunkCode(
        tuple(item.written.top_line for item in instructions),
        tuple(chunk.pieces[item.piece].section for item in instructions),
    )


@once
def _marks(chunk: "Chunk") -> _Marks:
    locs: list[tuple[int, Loc]] = []
    files: list[tuple[int, tuple[str, ...]]] = []
    together = b"\n".join(chunk.lines)
    for number, text in enumerate(chunk.lines if b".loc" in together or b".file" in together else ()):
        if b".loc" not in text and b".file" not in text:
            continue
        for statement in chunk.line(number).statements:
            if statement.word == ".loc":
                found = _loc(statement, text)
                if found is not None:
                    locs.append((number, found))
            elif statement.word == ".file":
                file = _file(statement)
                if file is not None:
                    files.append(file)
    return _Marks(tuple(locs), tuple(files))


def _loc(statement: Statement, text: bytes) -> Loc | None:
    numbers: list[int] = []
    for word in statement.rest.split():
        if not word.isdigit() or len(numbers) == 3:
            break
        numbers.append(int(word))
    if len(numbers) < 2:
        return None
    comment = text[statement.end :].decode("utf-8", "replace")
    inlined = tuple((file, int(line), int(column)) for file, line, column in _INLINED.findall(comment))
    return Loc(numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else 0, inlined)


def _file(statement: Statement) -> tuple[int, tuple[str, ...]] | None:
    """The number and the names of `.file 0 "folder" "name"`, `.file 1 "name"`; one without a number has no lines."""
    number = statement.rest.split(maxsplit=1)[:1]
    if not number or not number[0].isdigit():
        return None
    names = tuple(operands.unescape(each).decode("utf-8", "replace") for each in _STRING.findall(statement.rest)[:2])
    return (int(number[0]), names) if names else None

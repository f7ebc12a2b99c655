"""A text made from one that people write, and the map between their places: which bytes stand for which.

Lines of the derived text are in the order in which the assembler reads them. Several may stand for one line of the
original, and they may stand for lines of other files, which the original includes.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import takewhile

import msgspec

from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import Location, SourceText


class MappedBytes(msgspec.Struct, frozen=True, gc=False):
    """Bytes `start` to `end` of a derived line, and what they stand for: `source_start` to `source_end` of `line`.

    copied: they are the same bytes; otherwise they replace those.
    """

    start: int
    end: int
    line: int
    source_start: int
    source_end: int
    copied: bool


class Origin(msgspec.Struct, frozen=True, gc=False):
    """What a derived line stands for: `line` of the file `path`, empty for the original itself.

    pieces: in order; None for a line that is copied as it is. steps: the lines that lead to it, the outermost first,
    each with a sentence.
    """

    path: str
    line: int
    pieces: tuple[MappedBytes, ...] | None = None
    steps: tuple[tuple[Location, str], ...] = ()

    def moved(self, lines: int) -> "Origin":
        """The same, `lines` lines further down in the original."""
        if not lines or (self.path and not self.steps):
            return self
        pieces, line = self.pieces, self.line
        if not self.path:
            line += lines
            if pieces is not None:
                pieces = tuple(msgspec.structs.replace(piece, line=piece.line + lines) for piece in pieces)
        steps = tuple(
            (where if where.path else msgspec.structs.replace(where, line=where.line + lines), said)
            for where, said in self.steps
        )
        return Origin(self.path, line, pieces, steps)


class Mistake(msgspec.Struct, frozen=True, gc=False):
    """What is wrong with the original: the rule that reports it, the place (an empty path is the original) and why."""

    rule: str
    where: Location
    message: str

    def moved(self, lines: int) -> "Mistake":
        """The same, `lines` lines further down in the original."""
        if not lines or self.where.path:
            return self
        return msgspec.structs.replace(self, where=msgspec.structs.replace(self.where, line=self.where.line + lines))


class LineRun(msgspec.Struct, frozen=True):
    """Consecutive lines of the original and the derived lines in their place.

    taken: lines of the original. lines: derived. origins: of each of those; lines count from the block's first. None:
    all are copied. mistakes: lines count from the block's first.
    """

    taken: int
    lines: tuple[bytes, ...]
    origins: tuple[Origin, ...] | None = None
    mistakes: tuple[Mistake, ...] = ()


_MARK = "\0"  # at the end of a derived text's name: no file has such a name


class Derived(msgspec.Struct, frozen=True, dict=True):
    """The derived text of `original`, in blocks.

    The name of the derived text is its own, so the path of a location says which of the two texts it counts in.
    """

    original: SourceText
    blocks: Sequence[LineRun]

    @property
    def is_written(self) -> bool:
        """Whether the assembler reads the original itself."""
        return False

    @property
    def is_judged(self) -> bool:
        """Whether the findings in the derived text are about the original."""
        return True

    def program_of_original(self, made: Program, options: Options) -> Program:
        """The program of the original as it is written. made: that of the derived text."""
        return build(self.original, options)

    @cached_property
    def source(self) -> SourceText:
        """The derived text."""
        lines = tuple(line for block in self.blocks for line in block.lines)
        return SourceText(self.original.path + _MARK, lines or (b"",))

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """All mistakes, with their places in the original."""
        found = []
        for block, first in zip(self.blocks, self._first_taken, strict=True):
            for mistake in block.mistakes:
                moved = mistake.moved(first)
                found.append(moved if moved.where.path else self._named(moved))
        return tuple(found)

    def origin(self, line: int) -> Origin:
        """What a derived line stands for; the path of the original is its name."""
        index = max(bisect_right(self._first_derived, line) - 1, 0)
        first, block = self._first_taken[index], self.blocks[index]
        inside = line - self._first_derived[index]
        if block.origins is None:
            return Origin(self.original.path, first + inside)
        found = block.origins[min(inside, len(block.origins) - 1)].moved(first)
        path = self.original.path
        steps = tuple(
            (where if where.path else msgspec.structs.replace(where, path=path), said) for where, said in found.steps
        )
        return Origin(found.path or path, found.line, found.pieces, steps)

    def to_original(self, where: Location) -> Location:
        """The place of the original, or of a file that it includes, that a place of the derived text stands for."""
        if where.path != self.source.path:
            return where
        origin = self.origin(where.line)
        if origin.pieces is None:
            return Location(origin.path, origin.line, where.start, where.end)
        if not origin.pieces:
            return Location(origin.path, origin.line, 0, 0)
        return Location(origin.path, *spanned(origin.pieces, where.start, where.end))

    def is_copied(self, where: Location) -> bool:
        """Whether an edit at a derived place is an edit of the original."""
        if where.path != self.source.path:
            return True
        origin = self.origin(where.line)
        if origin.pieces is None:
            return not origin.steps
        if not origin.pieces or origin.steps:
            return False
        first, last = piece_at(origin.pieces, where.start), piece_at(origin.pieces, max(where.end - 1, where.start))
        if first is not last:
            return False
        return first.copied or self._is_before_all(where, origin, first)

    def _is_before_all(self, where: Location, origin: Origin, piece: MappedBytes) -> bool:
        """Whether an edit only inserts text before everything on its line, in both texts."""
        is_start = where.start == where.end == piece.start and origin.path == self.original.path
        return (
            is_start
            and not self.source.lines[where.line][: where.start].strip()
            and not self.original.lines[piece.line][: piece.source_start].strip()
        )

    def to_derived(self, line: int, column: int) -> tuple[int, int] | None:
        """The derived place of a place of the original; None for one that the derived text leaves out."""
        found = self.all_derived(line, column)
        return found[0] if found else None

    def all_derived(self, line: int, column: int) -> list[tuple[int, int]]:
        """All derived places of a place of the original, in order."""
        index = max(bisect_right(self._first_taken, line) - 1, 0)
        block, first = self.blocks[index], self._first_derived[index]
        inside = line - self._first_taken[index]
        if block.origins is None:
            return [(first + inside, column)]
        found = []
        for number, origin in enumerate(block.origins):
            if origin.path:
                continue
            if origin.pieces is None:
                if origin.line == inside:
                    found.append((first + number, column))
                continue
            at = derived_column(origin.pieces, inside, column)
            if at is not None:
                found.append((first + number, at))
        return found

    def first_derived(self, line: int) -> int:
        """The first derived line at or after a line of the original."""
        index = max(bisect_right(self._first_taken, line) - 1, 0)
        return self._first_derived[index] + (line - self._first_taken[index] if index < len(self.blocks) else 0)

    @cached_property
    def _first_taken(self) -> list[int]:
        return _starts(block.taken for block in self.blocks)

    @cached_property
    def _first_derived(self) -> list[int]:
        return _starts(len(block.lines) for block in self.blocks)

    def _named(self, mistake: Mistake) -> Mistake:
        return msgspec.structs.replace(mistake, where=msgspec.structs.replace(mistake.where, path=self.original.path))


class AsWritten(Derived, frozen=True, dict=True):
    """A text that the assembler reads itself: each place stands for itself."""

    @property
    def is_written(self) -> bool:
        """Always."""
        return True

    def program_of_original(self, made: Program, options: Options) -> Program:
        """The same program."""
        return made

    @cached_property
    def source(self) -> SourceText:
        """The original."""
        return self.original

    def to_original(self, where: Location) -> Location:
        """The same place."""
        return where


class Translated(Derived, frozen=True, dict=True):
    """A text that was derived in two steps. behind: the first one, with places in the same original."""

    behind: Derived


def as_written(source: SourceText) -> AsWritten:
    """A text that the assembler reads itself."""
    return AsWritten(source, (LineRun(len(source.lines), source.lines),))


def plain(text: str) -> str:
    """A sentence that names a derived text, with the original's name."""
    return text.replace(_MARK, "")


def _starts(lengths: Iterable[int]) -> list[int]:
    found, total = [], 0
    for length in lengths:
        found.append(total)
        total += length
    return found


def spanned(pieces: Sequence[MappedBytes], start: int, end: int) -> tuple[int, int, int]:
    """The line of the source and its columns that columns of a derived line stand for; what is on its first line."""
    first, last = piece_at(pieces, start), piece_at(pieces, max(end - 1, start))
    begin = first.source_start + max(start - first.start, 0) if first.copied else first.source_start
    stop = last.source_start + end - last.start if last.copied else last.source_end
    if start == end and (first.copied or start == first.start):
        stop = begin
    elif first.line != last.line:
        (*_, end_of_line) = takewhile(lambda piece: piece.line == first.line, pieces[pieces.index(first) :])
        stop = end_of_line.source_end
    return first.line, begin, max(begin, stop)


def derived_column(pieces: Iterable[MappedBytes], line: int, column: int) -> int | None:
    """The derived column of a place of the original: in a copied piece, or else in that for the shortest use."""
    at = [piece for piece in pieces if piece.line == line and piece.source_start <= column <= piece.source_end]
    if not at:
        return None

    def fit(piece: MappedBytes) -> tuple[bool, bool, int]:
        return not piece.copied, column == piece.source_end, piece.source_end - piece.source_start

    piece = min(at, key=fit)
    return piece.start + column - piece.source_start if piece.copied else piece.start


def piece_at(pieces: Sequence[MappedBytes], column: int) -> MappedBytes:
    """The piece with a column; between two pieces the one before."""
    return pieces[max(bisect_right(pieces, column, key=_start) - 1, 0)]


def _start(piece: MappedBytes) -> int:
    return piece.start

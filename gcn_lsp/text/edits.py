"""Carries out edits on a text, and keeps the line ends and the byte order mark of the file that it came from."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from gcn_lsp.text.location import TextEdit
from gcn_lsp.text.source import SourceText

_LINE_END = re.compile(rb"\r\n|\n|\r")
_MARK = b"\xef\xbb\xbf"


def edited(source: SourceText, edits: Iterable[TextEdit]) -> SourceText:
    """The text after all of `edits`, none of which touches another."""
    lines = list(source.lines)
    for edit in _last_first(edits):
        where = edit.where
        line = lines[where.line]
        new = line[: where.start] + edit.new_text.encode("utf-8", "surrogateescape") + line[where.end :]
        lines[where.line : where.line + 1] = new.split(b"\n")
    return SourceText(source.path, tuple(lines))


class LineEnds(msgspec.Struct, frozen=True):
    """What a `SourceText` leaves out of a file: the end of each line (the last has an empty one), a mark in front."""

    mark: bytes
    ends: tuple[bytes, ...]

    @staticmethod
    def of(data: bytes) -> "LineEnds":
        """The line ends of a file."""
        mark = _MARK if data.startswith(_MARK) else b""
        return LineEnds(mark, (*_LINE_END.findall(data), b""))

    def edited(self, edits: Iterable[TextEdit]) -> "LineEnds":
        """The line ends after `edits`: where a line becomes several, each of them ends as it did.

        A last line without an end, or one that ends nothing, takes the end of the line before it.
        """
        ends = list(self.ends)
        for edit in _last_first(edits):
            line = edit.where.line
            own = ends[line] or (ends[line - 1] if line else b"\n")
            ends[line:line] = [own] * edit.new_text.count("\n")
        return LineEnds(self.mark, tuple(ends))

    def join(self, lines: Sequence[bytes]) -> bytes:
        """The file with these ends behind `lines`."""
        return self.mark + b"".join(line + end for line, end in zip(lines, self.ends, strict=True))


def _last_first(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """Edits from the end of the text, so that none moves the place of another."""
    return sorted(edits, key=lambda edit: edit.where, reverse=True)

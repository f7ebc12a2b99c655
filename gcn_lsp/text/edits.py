"""Applies edits to a text, and keeps the line ends and the byte order mark of its file."""

import difflib
from collections.abc import Iterable, Sequence

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.text.location import TextEdit
from gcn_lsp.text.source import SourceText

_LINE_END = regex(rb"\r\n|\n|\r")
_MARK = b"\xef\xbb\xbf"


def edited(source: SourceText, edits: Iterable[TextEdit]) -> SourceText:
    """The text after all of `edits`, none of which touches another."""
    lines = list(source.lines)
    # From the end of the text, so that no edit moves the place of another.
    for edit in sorted(edits, key=lambda edit: edit.where, reverse=True):
        where = edit.where
        line = lines[where.line]
        new = line[: where.start] + edit.new_text.encode("utf-8", "surrogateescape") + line[where.end :]
        if edit.takes_line:
            new += lines.pop(where.line + 1)
        lines[where.line : where.line + 1] = new.split(b"\n")
    return SourceText(source.path, tuple(lines))


class LineEnds(msgspec.Struct, frozen=True):
    """What a `SourceText` leaves out of a file: the end of each line (empty for the last), a mark in front."""

    mark: bytes
    ends: tuple[bytes, ...]

    @staticmethod
    def of(data: bytes) -> "LineEnds":
        """The line ends of a file."""
        mark = _MARK if data.startswith(_MARK) else b""
        return LineEnds(mark, (*_LINE_END.findall(data), b""))

    def fitted(self, before: Sequence[bytes], after: Sequence[bytes]) -> "LineEnds":
        """The line ends of another version of the text: old lines keep theirs, new ones take a neighbour's."""
        common = set(self.ends[:-1])
        if len(common) < 2:
            return LineEnds(self.mark, (*(common or {b"\n"}),) * (len(after) - 1) + (b"",))
        ends: list[bytes] = []
        steps = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        for _, first, last, start, stop in steps:
            own = self.ends[first:last][: stop - start]
            last_end = own[-1] if own else ends[-1] if ends else self.ends[0]
            ends += (*own, *(last_end,) * (stop - start - len(own)))
        return LineEnds(self.mark, (*(end or b"\n" for end in ends[:-1]), b""))

    def join(self, lines: Sequence[bytes]) -> bytes:
        """The file with these ends after `lines`."""
        return self.mark + b"".join(line + end for line, end in zip(lines, self.ends, strict=True))

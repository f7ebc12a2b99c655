"""The text of a file as an immutable tuple of lines."""

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.text.unchanged import UnchangedLines

_LINE_END = regex(rb"\r\n|\n|\r")


_PART = 1 << 20
"""Bytes of a text that are split at once: of a file of many megabytes, equal lines go before more are made."""


class SourceText(msgspec.Struct, frozen=True):
    """A file's name and its lines as UTF-8 bytes without their line ends.

    There is always at least one line: a file that ends in a line end has an empty last one.
    """

    path: str
    lines: tuple[bytes, ...]

    @staticmethod
    def from_bytes(path: str, data: bytes) -> "SourceText":
        """Split `data` at LF, CRLF and CR alike; a byte order mark is dropped."""
        return SourceText(path, split_lines(data.removeprefix(b"\xef\xbb\xbf")))

    def replace(self, first: int, start: int, last: int, end: int, new: bytes) -> "SourceText":
        """The text with the bytes from (line `first`, column `start`) to (`last`, `end`) replaced."""
        lines = self.lines
        middle = split_lines(lines[first][:start] + new + lines[last][end:])
        made = (*lines[:first], *middle, *lines[last + 1 :])
        UnchangedLines.after_edit(lines, made, first, last + 1)
        return SourceText(self.path, made)

    def to_bytes(self) -> bytes:
        """The lines joined by LF."""
        return b"\n".join(self.lines)


def split_lines(data: bytes) -> tuple[bytes, ...]:
    """The lines of `data` without their ends.

    Equal lines are one object, which knows its hash: of 10,000 lines of a kernel some 2,400 differ.
    """
    same: dict[bytes, bytes] = {}
    lines: list[bytes] = []
    start = 0
    while 0 <= start <= len(data):
        stop = data.find(b"\n", start + _PART)
        part = data[start:stop] if stop >= 0 else data[start:]
        if b"\r" in part:
            part = part[:-1] if stop >= 0 and part.endswith(b"\r") else part
            split = _LINE_END.split(part)
        else:
            split = part.split(b"\n")
        lines.extend(map(same.setdefault, split, split))
        start = stop + 1 if stop >= 0 else -1
    return tuple(lines)

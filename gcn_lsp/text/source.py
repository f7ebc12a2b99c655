"""The text of a file as an immutable tuple of lines."""

import re
from collections.abc import Sequence

import msgspec

_LINE_END = re.compile(rb"\r\n|\n|\r")


class SourceText(msgspec.Struct, frozen=True):
    """A file's name and its lines as UTF-8 bytes without their line ends.

    There is always at least one line: a file that ends in a line end has an empty last one.
    """

    path: str
    lines: tuple[bytes, ...]

    @staticmethod
    def from_bytes(path: str, data: bytes) -> "SourceText":
        """Split `data` at LF, CRLF and CR alike; a byte order mark is dropped."""
        data = data.removeprefix(b"\xef\xbb\xbf")
        return SourceText(path, tuple(split_lines(data)))

    def replace(self, first: int, start: int, last: int, end: int, new: bytes) -> "SourceText":
        """The text with the bytes from (line `first`, column `start`) to (`last`, `end`) replaced."""
        lines = self.lines
        middle = split_lines(lines[first][:start] + new + lines[last][end:])
        return SourceText(self.path, (*lines[:first], *middle, *lines[last + 1 :]))

    def to_bytes(self) -> bytes:
        """The lines joined by LF."""
        return b"\n".join(self.lines)


def split_lines(data: bytes) -> Sequence[bytes]:
    """The lines of `data` without their ends."""
    if b"\r" in data:
        return _LINE_END.split(data)
    return data.split(b"\n")

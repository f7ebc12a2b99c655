"""A place in a file, and a replacement of the text at one.

Places are a line and byte columns on it, not offsets in the file: a line is the unit of interpretation in an assembler,
so an edit in one line changes nothing in the others but their line numbers.
"""

import msgspec


class Location(msgspec.Struct, frozen=True, order=True, gc=False):
    """Half-open range of bytes on one line of a file.

    `path` is the file's name as the caller knows it, `line` counts from 0, `start` and `end` are byte
    columns from 0 in that line, `start <= end`.
    """

    path: str
    line: int
    start: int
    end: int

    @property
    def file_name(self) -> str:
        """The file's name without its folders."""
        return self.path.replace("\\", "/").rpartition("/")[2]


class TextEdit(msgspec.Struct, frozen=True, gc=False):
    """Replaces the bytes of `where` by `new_text`, which may contain line ends.

    takes_line: `where` reaches the end of its line, which is removed too; another line follows it. stops: the parts of
    `new_text`, in characters, that were made up, and that somebody may want to write otherwise at once.
    """

    where: Location
    new_text: str
    takes_line: bool = False
    stops: tuple[tuple[int, int], ...] = ()

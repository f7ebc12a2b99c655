"""Reads fixtures: annotated assembly text, one or several files in a string.

    //- kernel.s target:gfx90a define:unroll=4
    s_mov_b32 s0, v1$0
    //            ^^ error[wrong-operand-kind]: v1

`//- PATH key:value...` starts a file (`target`, `mattr`, `define`); text before the first header is `kernel.s`.
A comment line that holds carets labels a range on the nearest line above that is long enough, with the severity,
the rule and a part of the message. `//<^^` reaches back to the first column, which the comment itself covers.
Annotations stay in the text, where they are comments. `$0` marks the cursor, two of them a selection, and is
taken out.
"""

import re
import textwrap

import msgspec

from gcn_lsp.text import SourceText

DEFAULT_PATH = "kernel.s"

_HEADER = re.compile(r"//- (?P<path>\S+)(?P<settings>(?: +\S+:\S*)*)\s*$")
_ANNOTATION = re.compile(
    r"\s*(?://|;)(?P<from_start><?)\s*(?P<carets>\^+) (?P<severity>\w+)\[(?P<rule>[\w-]+)\](?:: (?P<message>.*))?$"
)
_CURSOR = "$0"


class Annotation(msgspec.Struct, frozen=True, order=True):
    """An expected finding: where (bytes `start` to `end` of `line`), its severity and rule, a part of its message."""

    path: str
    line: int
    start: int
    end: int
    severity: str
    rule: str
    message: str


class Cursor(msgspec.Struct, frozen=True):
    """A marked place: byte column `column` of `line`."""

    path: str
    line: int
    column: int


class File(msgspec.Struct, frozen=True):
    """One file of a fixture, its markers taken out."""

    path: str
    text: str
    target: str | None = None
    mattr: str = ""
    defines: dict[str, int] = {}
    annotations: tuple[Annotation, ...] = ()
    cursors: tuple[Cursor, ...] = ()

    @property
    def source(self) -> SourceText:
        """The text as the program takes it."""
        return SourceText.from_bytes(self.path, self.text.encode("utf-8", "surrogateescape"))


class Fixture(msgspec.Struct, frozen=True):
    """The files of a fixture; the first one is the one under test."""

    files: tuple[File, ...]

    @property
    def main(self) -> File:
        """The file under test."""
        return self.files[0]

    @property
    def annotations(self) -> tuple[Annotation, ...]:
        """The expected findings of all files."""
        return tuple(annotation for file in self.files for annotation in file.annotations)

    @property
    def cursor(self) -> Cursor:
        """The place of the only `$0`."""
        (cursor,) = self._cursors
        return cursor

    @property
    def selection(self) -> tuple[Cursor, Cursor]:
        """The places of the two `$0`."""
        start, end = self._cursors
        return start, end

    @property
    def _cursors(self) -> tuple[Cursor, ...]:
        return tuple(cursor for file in self.files for cursor in file.cursors)

    def include(self, includer: str, name: str) -> SourceText | None:
        """The fixture's file of that name: an include resolver."""
        return next((file.source for file in self.files if file.path == name), None)


def parse(text: str) -> Fixture:
    """The files of `text`, which may be indented as a whole."""
    text = textwrap.dedent(text).lstrip("\n")
    header: re.Match[str] | None = None
    files = []
    lines: list[str] = []
    for line in text.split("\n"):
        match = _HEADER.match(line)
        if match is None:
            lines.append(line)
            continue
        if header is not None or lines:
            files.append(_file(header, lines))
        header, lines = match, []
    files.append(_file(header, lines))
    return Fixture(tuple(files))


def _file(header: re.Match[str] | None, marked_lines: list[str]) -> File:
    path = header["path"] if header else DEFAULT_PATH
    settings = [setting.partition(":")[::2] for setting in header["settings"].split()] if header else []
    single = dict(settings)
    lines, cursors = _take_cursors(path, marked_lines)
    return File(
        path,
        "\n".join(lines),
        single.get("target"),
        single.get("mattr", ""),
        {name: int(value, 0) for name, _, value in (v.partition("=") for k, v in settings if k == "define")},
        tuple(_annotations(path, lines)),
        cursors,
    )


def _take_cursors(path: str, marked_lines: list[str]) -> tuple[list[str], tuple[Cursor, ...]]:
    lines = []
    cursors = []
    for number, line in enumerate(marked_lines):
        before, *rest = line.split(_CURSOR)
        for part in rest:
            cursors.append(Cursor(path, number, _byte(before, len(before))))
            before += part
        lines.append(before)
    return lines, tuple(cursors)


def _annotations(path: str, lines: list[str]) -> list[Annotation]:
    found = []
    for number, line in enumerate(lines):
        match = _ANNOTATION.match(line)
        if match is None:
            continue
        start, end = match.span("carets")
        labelled = number - 1
        while labelled >= 0 and (len(lines[labelled]) < end or _ANNOTATION.match(lines[labelled])):
            labelled -= 1
        assert labelled >= 0, f"no line above is long enough for {line!r}"
        text = lines[labelled]
        if match["from_start"]:
            start = 0
        place = (labelled, _byte(text, start), _byte(text, end))
        found.append(Annotation(path, *place, match["severity"], match["rule"], match["message"] or ""))
    return found


def _byte(line: str, column: int) -> int:
    return len(line[:column].encode("utf-8", "surrogateescape"))

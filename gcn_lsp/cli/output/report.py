"""The report of a file, which a worker process sends back: the findings and their lines of text."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from gcn_lsp.findings.model import Finding
from gcn_lsp.rules import unreadable_file
from gcn_lsp.text import Location, SourceText, TextEdit, byte_to_column


class Span(msgspec.Struct, frozen=True):
    """A location for printing: lines and columns count characters from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class Report(msgspec.Struct, frozen=True):
    """A file's findings and the texts of all lines that they mention.

    unreadable: the file could not be read or checked. target: its target and the source of that, as a phrase.
    """

    path: str
    findings: tuple[Finding, ...]
    lines: Mapping[tuple[str, int], bytes] = {}
    unreadable: bool = False
    target: str = ""

    def span(self, where: Location, last: "Location | None" = None) -> Span:
        """`where` as it is printed; up to the end of `last` for text of several lines."""
        last = last or where
        start, end = self._column(where, where.start), self._column(last, last.end)
        return Span(where.path, where.line + 1, start, last.line + 1, end)

    def _column(self, where: Location, byte: int) -> int:
        return byte_to_column(self.lines.get((where.path, where.line), b""), byte, "utf-32") + 1

    def text(self, where: Location) -> str | None:
        """The line of `where`; None if it is unknown."""
        line = self.lines.get((where.path, where.line))
        return None if line is None else line.decode("utf-8", "replace")


def last_of(edit: TextEdit) -> "Location | None":
    """The end of the text that an edit replaces, if it is on another line than its start."""
    where = edit.where
    return Location(where.path, where.line + 1, 0, 0) if edit.takes_line else None


def of(path: str, findings: Iterable[Finding], source: Callable[[str], "SourceText | None"]) -> Report:
    """The report of `findings` with the lines that they mention; `source` gives a file's text by its path."""
    findings = tuple(findings)
    lines = {}
    for where in _mentioned(findings):
        text = source(where.path)
        if text is not None and where.line < len(text.lines):
            lines[where.path, where.line] = text.lines[where.line]
    return Report(path, findings, lines)


def not_checked(path: str, reason: str) -> Report:
    """The report of a file that could not be checked."""
    finding = unreadable_file.RULE.at(Location(path, 0, 0, 0), reason)
    return Report(path, (finding,), unreadable=True)


def _mentioned(findings: Iterable[Finding]) -> Iterator[Location]:
    for finding in findings:
        yield finding.where
        if finding.last is not None:
            yield finding.last
        yield from (related.where for related in finding.related)
        yield from (edit.where for fix in finding.fixes for edit in fix.edits)

"""The report of a file, which a worker process sends back: the findings and their lines of text."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from gcn_lsp.findings.model import Finding
from gcn_lsp.text import Location, SourceText, TextEdit, byte_to_column

_NO_TARGET = "unknown-target"


class PrintedSpan(msgspec.Struct, frozen=True):
    """A location for printing: lines and columns count characters from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class Report(msgspec.Struct, frozen=True):
    """A file's findings and the texts of all lines that they mention.

    unreadable: the file could not be read or checked. target: its target and the source of that, as a phrase. assumed:
    the target that it was taken for though nothing names it. build_defined: symbols that only the build knows. read:
    the files that were read for it. is_code: it is machine code, which `gcn-lsp fix` cannot change.
    """

    path: str
    findings: tuple[Finding, ...]
    lines: Mapping[tuple[str, int], bytes] = {}
    unreadable: bool = False
    target: str = ""
    assumed: str = ""
    build_defined: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    is_code: bool = False

    @property
    def about(self) -> tuple[str, ...]:
        """What was taken for granted: the target, and the symbols without a value."""
        listed = ", ".join(self.build_defined)
        return (self.target, f"only the build can define {listed}") if listed else (self.target,)

    def span(self, where: Location, last: "Location | None" = None) -> PrintedSpan:
        """`where` as it is printed; up to the end of `last` for text of several lines."""
        last = last or where
        start, end = self._column(where, where.start), self._column(last, last.end)
        return PrintedSpan(where.path, where.line + 1, start, last.line + 1, end)

    def _column(self, where: Location, byte: int) -> int:
        return byte_to_column(self.lines.get((where.path, where.line), b""), byte, "utf-32") + 1

    def text(self, where: Location) -> str | None:
        """The line of `where`; None if it is unknown."""
        line = self.lines.get((where.path, where.line))
        return None if line is None else line.decode("utf-8", "replace")


def without_target(reports: Iterable[Report]) -> tuple[tuple[Report, ...], str]:
    """The reports without `unknown-target`, and in its place one sentence for all files; nothing if no file has it."""
    kept = []
    assumed: Counter[str] = Counter()
    paths = []
    for report in reports:
        findings = tuple(finding for finding in report.findings if finding.rule != _NO_TARGET)
        if len(findings) < len(report.findings):
            paths.append(report.path)
            assumed[report.assumed] += 1
        kept.append(msgspec.structs.replace(report, findings=findings))
    if not paths:
        return tuple(kept), ""
    who = f"{paths[0]} names" if len(paths) == 1 else f"{len(paths)} files name"
    shares = ", ".join(f"{name} for {count}" for name, count in assumed.most_common())
    taken = next(iter(assumed)) if len(assumed) == 1 else shares
    return tuple(kept), f"{who} no target, {taken} assumed: name it with --target or in gcn-lsp.toml"


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


def joined(reports: Iterable[Report]) -> Report:
    """The reports of the parts of one file, of which there is at least one, as the report of the file."""
    first, *others = reports
    if not others:
        return first
    everything = (first, *others)
    return msgspec.structs.replace(
        first,
        findings=tuple(finding for each in everything for finding in each.findings),
        lines={place: line for each in everything for place, line in each.lines.items()},
        target="; ".join(dict.fromkeys(each.target for each in everything)),
    )


def not_checked(path: str, reason: str) -> Report:
    """The report of a file that could not be checked."""
    from gcn_lsp.rules import unreadable_file  # late: it loads the whole assembler

    finding = unreadable_file.RULE.at(Location(path, 0, 0, 0), reason)
    return Report(path, (finding,), unreadable=True)


def _mentioned(findings: Iterable[Finding]) -> Iterator[Location]:
    for finding in findings:
        yield finding.where
        if finding.last is not None:
            yield finding.last
        yield from (related.where for related in finding.related)
        yield from (edit.where for fix in finding.fixes for edit in fix.edits)

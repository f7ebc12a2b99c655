"""The format `text`: `path:line:column: severity[rule]: message`, the line with the span underlined, related places."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import click

from gcn_lsp.findings import repeats
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.project.report import Report, without_target
from gcn_lsp.text import Location, safe

_COLOURS = {
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFORMATION: "blue",
    Severity.HINT: "cyan",
}

_COMMANDS = ("::", "##[")
"""How a line starts that a CI service takes as a command, also after blanks."""
_MAX_LINE = 240  # a longer line is cut off on both sides of the span


def render(reports: Iterable[Report], *, shows_all: bool = False) -> str:
    """The findings of `reports`, then a line that counts all. Styled; `click.echo` strips that for files.

    All files that name no target share one line. shows_all: without it, three findings of a kind stand for the others.
    """
    reports, said = without_target(reports)
    if not reports:
        return ""  # that there are no files is said elsewhere
    return findings(reports, shows_all=shows_all) + (said and f"{said}\n") + _summary(reports) + "\n"


def findings(reports: Iterable[Report], *, shows_all: bool = False) -> str:
    """The findings of `reports` alone."""
    return "".join(chain.from_iterable(_of_report(report, shows_all=shows_all) for report in reports))


def _of_report(report: Report, *, shows_all: bool) -> Iterator[str]:
    """The findings of a file; the third of a kind is followed by how many more there are."""
    found = _capped(report.findings)
    more = Counter(map(repeats.kind, found))
    seen: Counter[tuple[str, ...]] = Counter()
    for finding in found:
        kind = repeats.kind(finding)
        seen[kind] += 1
        is_folded = not shows_all and repeats.folds(more[kind])
        if not is_folded or seen[kind] <= repeats.SHOWN:
            yield finding_text(report, finding)
        if is_folded and seen[kind] == repeats.SHOWN:
            folded = f"{more[kind] - repeats.SHOWN} more of this kind in {finding.where.path}; --all shows them"
            yield f"    {click.style(folded, dim=True)}\n"


_FEW = 100


def _capped(findings: Sequence[Finding]) -> Sequence[Finding]:
    if len(findings) < _FEW:
        return findings
    from gcn_lsp.rules import too_many_findings  # late: it loads the whole assembler

    return too_many_findings.capped(findings)


def plain(report: Report, finding: Finding) -> str:
    """`finding_text` without colours."""
    return click.unstyle(finding_text(report, finding))


def finding_text(report: Report, finding: Finding) -> str:
    """A finding with its line, its related places and the titles of its fixes."""
    severity = click.style(finding.severity.value, fg=_COLOURS[finding.severity], bold=True)
    rule = click.style(f"[{finding.rule}]", dim=True)
    lines = [f"{_place(report, finding.where)}: {severity}{rule}: {safe.one_line(finding.message)}"]
    lines += _excerpt(report, finding.where, "^", _COLOURS[finding.severity])
    for related in finding.related:
        lines.append(
            f"{_place(report, related.where)}: {click.style('note', bold=True)}: {safe.one_line(related.message)}"
        )
        lines += _excerpt(report, related.where, "-", "blue")
    lines += [f"    fix: {safe.one_line(fix.title)}" for fix in finding.fixes]
    return "\n".join(lines) + "\n"


def _place(report: Report, where: Location) -> str:
    span = report.span(where)
    file = safe.one_line(span.file)
    if file.startswith(_COMMANDS):
        file = f"./{file}"
    return click.style(f"{file}:{span.line}:{span.column}", bold=True)


def _excerpt(report: Report, where: Location, mark: str, colour: str) -> Iterator[str]:
    """The line and its underline; nothing if the line is unknown or empty."""
    text = report.text(where)
    if not text:
        return
    span = report.span(where)
    column, end = span.column - 1, span.end_column - 1
    text = "".join(character if character.isprintable() or character == "\t" else "\ufffd" for character in text)
    if len(text) > _MAX_LINE:
        first = max(0, column - 40)
        text, column, end = text[first : first + _MAX_LINE], column - first, min(end - first, _MAX_LINE)
    # Tabs stay tabs in the margin, so that the underline is below its text at any tab width.
    margin = "".join("\t" if character == "\t" else " " for character in text[:column])
    is_command = text.lstrip().startswith(_COMMANDS)
    yield f"  | {text}" if is_command else f"    {text}"
    yield f"    {margin}" + click.style(mark * max(1, end - column), fg=colour, bold=True)


def _summary(reports: tuple[Report, ...]) -> str:
    counts = Counter(finding.severity for report in reports for finding in report.findings)
    files = _plural(len(reports), "file")
    if not counts:
        return f"{files} checked: no findings"
    listed = ", ".join(_count(counts[severity], severity) for severity in Severity if counts[severity])
    # The findings that `fix` fixes: those with exactly one fix.
    texts = (report for report in reports if not report.is_code)
    certain = sum(finding.certain_fix is not None for report in texts for finding in report.findings)
    return f"{files} checked: {listed}" + (f"; `gcn-lsp fix` fixes {certain}" if certain else "")


def _count(number: int, severity: Severity) -> str:
    if severity is Severity.INFORMATION:  # a word without a plural
        return f"{number} information"
    return _plural(number, severity.value)


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

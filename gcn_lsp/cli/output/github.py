"""The format `github`: workflow commands that GitHub shows as annotations on a change."""

from collections.abc import Iterable

from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.project.report import Report, without_target
from gcn_lsp.text import safe

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def render(reports: Iterable[Report]) -> str:
    """A workflow command for each finding of `reports`, but one for all files that name no target."""
    reports, said = without_target(reports)
    commands = [_command(report, finding) for report in reports for finding in report.findings]
    return "".join(commands) + (said and f"::notice title=gcn-lsp unknown-target::{_data(said)}\n")


def _command(report: Report, finding: Finding) -> str:
    span = report.span(finding.where, finding.last)
    properties = {
        "file": span.file,
        "line": span.line,
        "endLine": span.end_line,
        "col": span.column,
        "endColumn": max(span.column, span.end_column - 1),  # GitHub's last column is inclusive
        "title": f"gcn-lsp {finding.rule}",
    }
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(finding.message)}\n"


def _data(text: str) -> str:
    """`text` with the characters replaced that end a command."""
    return safe.visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """`text` with the characters replaced that end a property."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")

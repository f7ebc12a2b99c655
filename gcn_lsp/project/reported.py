"""Findings as other programs get them: `gcn-lsp check --format json` prints these values."""

import msgspec

from gcn_lsp.findings.model import Finding, Fix
from gcn_lsp.project.report import PrintedSpan, Report, last_of
from gcn_lsp.text import Location


class ReportedPlace(PrintedSpan, frozen=True):
    """A place that explains a finding, and how."""

    message: str


class ReportedEdit(PrintedSpan, frozen=True):
    """The replacement of the text at a place."""

    text: str


class ReportedFix(msgspec.Struct, frozen=True):
    """A way to fix a finding: all edits together."""

    title: str
    edits: tuple[ReportedEdit, ...]


class ReportedFinding(PrintedSpan, frozen=True, omit_defaults=True):
    """One finding. severity: `error`, `warning`, `information` or `hint`.

    unnecessary: the text can be removed. related: the places that explain it. fix: the first way to fix it.
    """

    severity: str
    rule: str
    message: str
    unnecessary: bool = False
    related: tuple[ReportedPlace, ...] = ()
    fix: ReportedFix | None = None


def reported(report: Report, finding: Finding) -> ReportedFinding:
    """A finding of a report."""
    return ReportedFinding(
        *_span(report, finding.where, finding.last),
        finding.severity.value,
        finding.rule,
        finding.message,
        finding.unnecessary,
        tuple(ReportedPlace(*_span(report, each.where), each.message) for each in finding.related),
        _fix(report, finding.fixes[0]) if finding.fixes else None,
    )


def _fix(report: Report, fix: Fix) -> ReportedFix:
    edits = (ReportedEdit(*_span(report, edit.where, last_of(edit)), edit.new_text) for edit in fix.edits)
    return ReportedFix(fix.title, tuple(edits))


def _span(report: Report, where: Location, last: Location | None = None) -> tuple[str, int, int, int, int]:
    span = report.span(where, last)
    return span.file, span.line, span.column, span.end_line, span.end_column

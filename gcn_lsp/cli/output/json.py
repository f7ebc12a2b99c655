"""The format `json`: one array of findings, one finding on each line."""

from collections.abc import Iterable
from typing import Any

import msgspec

from gcn_lsp.findings.model import Finding, Fix
from gcn_lsp.project.report import Report, last_of
from gcn_lsp.text import Location, json_bytes


def render(reports: Iterable[Report]) -> str:
    """All findings of `reports` as a JSON array."""
    rows = [_encode(row(report, finding)) for report in reports for finding in report.findings]
    return "[" + ",\n ".join(rows) + "]\n"


def row(report: Report, finding: Finding) -> dict[str, Any]:
    """A finding as an object; `related`, `fix` and `unnecessary` only if they are not empty."""
    value = _place(report, finding.where, finding.last)
    value |= {"severity": finding.severity.value, "rule": finding.rule, "message": finding.message}
    if finding.unnecessary:
        value["unnecessary"] = True
    if finding.related:
        value["related"] = [_place(report, item.where) | {"message": item.message} for item in finding.related]
    if finding.fixes:
        value["fix"] = _fix(report, finding.fixes[0])
    return value


def _fix(report: Report, fix: Fix) -> dict[str, Any]:
    edits = [_place(report, edit.where, last_of(edit)) | {"text": edit.new_text} for edit in fix.edits]
    return {"title": fix.title, "edits": edits}


def _place(report: Report, where: Location, last: "Location | None" = None) -> dict[str, Any]:
    value: dict[str, Any] = msgspec.structs.asdict(report.span(where, last))
    return value


def _encode(value: dict[str, Any]) -> str:
    return json_bytes(value).decode()

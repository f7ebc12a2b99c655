"""The format `sarif`: a SARIF 2.1.0 log with the rules' pages as help, for code scanning services."""

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import msgspec

from gcn_lsp.cli import version
from gcn_lsp.findings import pages
from gcn_lsp.findings.model import Finding, Fix, Severity
from gcn_lsp.findings.rule import Rule
from gcn_lsp.project.report import Report, last_of
from gcn_lsp.rules import RULES
from gcn_lsp.text import Location, json_bytes, safe

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}

_RULE_INDEX = {name: index for index, name in enumerate(RULES)}


def render(reports: Iterable[Report]) -> str:
    """One run with all rules and the findings of `reports`."""
    rules = [_rule(rule) for rule in RULES.values()]
    run = {
        "tool": {"driver": {"name": "gcn-lsp", "version": version.current(), "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, finding) for report in reports for finding in report.findings],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return msgspec.json.format(json_bytes(log), indent=2).decode() + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": pages.sections(rule.page)["What it checks"]},
        "help": {"text": rule.page, "markdown": pages.markdown(rule.page)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(report: Report, finding: Finding) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": _RULE_INDEX[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": _message(finding.message),
        "locations": [_location(report, finding.where, finding.last)],
    }
    if finding.related:
        result["relatedLocations"] = [
            _location(report, item.where) | {"message": _message(item.message)} for item in finding.related
        ]
    if finding.fixes:
        result["fixes"] = [_fix(report, fix) for fix in finding.fixes]
    return result


def _message(text: str) -> dict[str, str]:
    """A message without links, which SARIF writes as `[text](address)`."""
    return {"text": safe.one_line(text).replace("](", "] (")}


def _fix(report: Report, fix: Fix) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        deleted = _region(report, edit.where, last_of(edit))
        replacement = {"deletedRegion": deleted, "insertedContent": {"text": edit.new_text}}
        changes.setdefault(edit.where.path, []).append(replacement)
    artifacts = [{"artifactLocation": _artifact(path), "replacements": made} for path, made in changes.items()]
    return {"description": _message(fix.title), "artifactChanges": artifacts}


def _location(report: Report, where: Location, last: "Location | None" = None) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(where.path), "region": _region(report, where, last)}}


def _region(report: Report, where: Location, last: "Location | None" = None) -> dict[str, Any]:
    span = report.span(where, last)
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _artifact(path: str) -> dict[str, Any]:
    return {"uri": uri_of(PurePath(path))}


def uri_of(path: PurePath) -> str:
    """A path for SARIF: a whole URI if it is absolute, else relative to the working folder."""
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")

"""The format `gitlab`: a code quality report, which GitLab shows in a merge request.

https://docs.gitlab.com/ci/testing/code_quality describes it: an array of issues in the form of Code Climate.
"""

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import PurePath
from typing import Any

import msgspec

from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.project.report import Report
from gcn_lsp.text import json_bytes, safe

_SEVERITIES = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.INFORMATION: "minor",
    Severity.HINT: "info",
}


def render(reports: Iterable[Report]) -> str:
    """An issue for each finding of `reports`."""
    known: Counter[str] = Counter()
    issues = [_issue(report, finding, known) for report in reports for finding in report.findings]
    return msgspec.json.format(json_bytes(issues), indent=1).decode() + "\n"


def _issue(report: Report, finding: Finding, known: Counter[str]) -> dict[str, Any]:
    span = report.span(finding.where, finding.last)
    return {
        "description": safe.one_line(finding.message),
        "check_name": finding.rule,
        "fingerprint": _fingerprint(report, finding, known),
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": PurePath(span.file).as_posix(), "lines": {"begin": span.line, "end": span.end_line}},
    }


def _fingerprint(report: Report, finding: Finding, known: Counter[str]) -> str:
    """An identity that an edit of other lines keeps: rule, file, the line's text, and which of the equal ones it is."""
    text = (report.text(finding.where) or "").strip()
    identity = "\0".join((finding.rule, PurePath(finding.where.path).as_posix(), text))
    known[identity] += 1
    return sha256(f"{identity}\0{known[identity]}".encode("utf-8", "surrogateescape")).hexdigest()

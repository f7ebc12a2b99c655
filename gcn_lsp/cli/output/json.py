"""The format `json`: one array of findings, one finding on each line."""

from collections.abc import Iterable

from gcn_lsp.project.report import Report
from gcn_lsp.project.reported import reported
from gcn_lsp.text import json_bytes


def render(reports: Iterable[Report]) -> str:
    """All findings of `reports` as a JSON array."""
    rows = (json_bytes(reported(report, finding)).decode() for report in reports for finding in report.findings)
    return "[" + ",\n ".join(rows) + "]\n"

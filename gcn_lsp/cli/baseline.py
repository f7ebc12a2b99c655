"""Baselines: findings that a project knows already and that `check` does not show.

A baseline is a text file with a line for each kind of finding: how often, in which file, of which rule, on which text.
The number of the line is not in it, so that an edit elsewhere in the file makes no finding new.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from gcn_lsp.cli import files
from gcn_lsp.findings.model import Finding
from gcn_lsp.project.report import Report
from gcn_lsp.text import json_bytes


class KnownFinding(msgspec.Struct, frozen=True, order=True):
    """What makes two findings the same; `file` is relative to the folder of the baseline, with `/`."""

    file: str
    rule: str
    text: str


class _BaselineRow(msgspec.Struct):
    """A line of the file."""

    file: str
    rule: str
    text: str
    count: int


def read(path: str) -> Counter[KnownFinding]:
    """The findings in a baseline."""
    try:
        with open(path, "rb") as file:
            rows = [msgspec.json.decode(line, type=_BaselineRow) for line in file.read().splitlines() if line.strip()]
    except FileNotFoundError as error:
        raise files.FileProblem(f"cannot read the baseline {path}: there is no such file") from error
    except OSError as error:
        raise files.FileProblem(f"cannot read the baseline {path}: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise files.FileProblem(f"cannot read the baseline {path}: {error}") from error
    found: Counter[KnownFinding] = Counter()
    for row in rows:
        found[KnownFinding(row.file, row.rule, row.text)] += row.count
    return found


def text(path: str, reports: Iterable[Report]) -> bytes:
    """The baseline at `path` that has all findings of `reports`."""
    known = Counter(_known(path, report, finding) for report in reports for finding in report.findings)
    rows = (_BaselineRow(each.file, each.rule, each.text, count) for each, count in sorted(known.items()))
    return b"".join(json_bytes(row) + b"\n" for row in rows)


def new(path: str, reports: Iterable[Report]) -> Iterator[Report]:
    """`reports` without the findings in the baseline at `path`; of equal findings it leaves out the first ones."""
    left = read(path)
    for report in reports:
        kept = []
        for finding in report.findings:
            known = _known(path, report, finding)
            left[known] -= 1
            if left[known] < 0:
                kept.append(finding)
        yield msgspec.structs.replace(report, findings=tuple(kept))


def _known(path: str, report: Report, finding: Finding) -> KnownFinding:
    where = finding.where
    try:
        file = os.path.relpath(where.path, os.path.dirname(os.path.abspath(path)))
    except ValueError:  # on another drive
        file = where.path
    return KnownFinding(file.replace(os.sep, "/"), finding.rule, (report.text(where) or "").strip())

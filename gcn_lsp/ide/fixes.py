"""The fixes that an editor offers for a range: those of the findings that touch it."""

from collections.abc import Iterable

import msgspec

from gcn_lsp.findings.model import Finding, Fix
from gcn_lsp.text import TextEdit


class OfferedFix(msgspec.Struct, frozen=True):
    """A fix and its finding."""

    finding: Finding
    fix: Fix


def fixes(findings: Iterable[Finding], path: str, first: int, start: int, last: int, end: int) -> list[OfferedFix]:
    """The fixes of findings in `path` that touch the range from (line `first`, byte `start`) to (`last`, `end`)."""
    return [
        OfferedFix(finding, fix)
        for finding in findings
        if finding.where.path == path
        and (finding.where.line, finding.where.end) >= (first, start)
        and (finding.where.line, finding.where.start) <= (last, end)
        for fix in finding.fixes
    ]


def certain_edits(findings: Iterable[Finding], path: str) -> tuple[TextEdit, ...]:
    """The edits of all findings in `path` with exactly one fix, without those that overlap."""
    taken: dict[tuple[str, int], list[tuple[int, int]]] = {}
    found: list[TextEdit] = []
    for finding in findings:
        if finding.where.path != path or len(finding.fixes) != 1:
            continue
        edits = finding.fixes[0].edits
        if any(edit.where.path != path for edit in edits):
            continue
        spans = [((edit.where.path, edit.where.line), (edit.where.start, edit.where.end)) for edit in edits]
        if any(_overlaps(span, taken.get(line, ())) for line, span in spans):
            continue
        for line, span in spans:
            taken.setdefault(line, []).append(span)
        found += edits
    return tuple(found)


def _overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    """Whether one of the others overlaps with the span or is at the same place."""
    return any(span == other or (span[0] < other[1] and other[0] < span[1]) for other in others)

"""The repairs that an editor offers for a range: those of the findings that touch it."""

from collections.abc import Iterable

import msgspec

from gcn_lsp.rules.model import Finding, Fix


class OfferedFix(msgspec.Struct, frozen=True):
    """A repair and the finding that it ends."""

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

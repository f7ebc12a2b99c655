"""Findings that repeat each other: a report and an editor show the first ones for all."""

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from gcn_lsp.findings.model import Finding, Severity

SHOWN = 3
"""How many of a kind stand for the others."""
_MANY = 20  # of a kind in a file on which somebody may work
_FADED = (Severity.WARNING, Severity.INFORMATION)


def kind(finding: Finding) -> tuple[str, ...]:
    """What findings that repeat each other have in common: all but the numbers of lines and registers."""
    return finding.rule, finding.severity.value, finding.where.path, _NUMBER.sub("", finding.message)


# A number that is not part of a name such as `v_add_f32`: a line, a register, a count.
_NUMBER = re.compile(r"(?<![a-z_\d])(?:[vas]|ttmp)?(?:\d+|\[\d+:\d+\])(?![a-z_\d])")


def faded(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The same findings, for an editor: of more than 20 warnings of a kind in a file all but the first are hints.

    The last one that is not says how many follow. Errors stay errors.
    """
    if len(findings) <= _MANY:
        return findings
    count = Counter(kind(finding) for finding in findings if finding.severity in _FADED)
    if not count or max(count.values()) <= _MANY:
        return findings
    seen: Counter[tuple[str, ...]] = Counter()
    return [_faded(finding, count, seen) for finding in findings]


def _faded(finding: Finding, count: Counter[tuple[str, ...]], seen: Counter[tuple[str, ...]]) -> Finding:
    if finding.severity not in _FADED:
        return finding
    of_kind = kind(finding)
    if count[of_kind] <= _MANY:
        return finding
    seen[of_kind] += 1
    if seen[of_kind] == SHOWN:
        said = f"{finding.message}; {count[of_kind] - SHOWN} more of this kind in the file are hints"
        return msgspec.structs.replace(finding, said=said)
    return finding if seen[of_kind] < SHOWN else msgspec.structs.replace(finding, severity=Severity.HINT)

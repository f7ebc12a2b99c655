"""Findings that repeat each other: a report and an editor show the first ones for all."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.patterns import regex

SHOWN = 3
"""How many of a kind stand for the others."""
_FADED = (Severity.WARNING, Severity.INFORMATION)


def folds(count: int) -> bool:
    """Whether only the first of so many of a kind are shown: one more takes no more room than what stands for it."""
    return count > SHOWN + 1


def kind(finding: Finding) -> tuple[str, ...]:
    """What findings that repeat each other have in common: all but the numbers of lines and registers."""
    return finding.rule, finding.severity.value, finding.where.path, _NUMBER.sub("", finding.message)


# A number that is not part of a name such as `v_add_f32`: a line, a register, a count.
_NUMBER = regex(r"(?<![a-z_\d])(?:[vas]|ttmp)?(?:\d+|\[\d+:\d+\])(?![a-z_\d])")


def faded(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The same findings, for an editor: of many warnings of a kind in a file all but the first three are hints.

    The last one that is not says how many follow. Errors stay errors.
    """
    if not folds(len(findings)):
        return findings
    count = Counter(kind(finding) for finding in findings if finding.severity in _FADED)
    if not any(map(folds, count.values())):
        return findings
    seen: Counter[tuple[str, ...]] = Counter()
    return [_faded(finding, count, seen) for finding in findings]


def _faded(finding: Finding, count: Counter[tuple[str, ...]], seen: Counter[tuple[str, ...]]) -> Finding:
    if finding.severity not in _FADED:
        return finding
    of_kind = kind(finding)
    if not folds(count[of_kind]):
        return finding
    seen[of_kind] += 1
    if seen[of_kind] == SHOWN:
        said = f"{finding.message}; {count[of_kind] - SHOWN} more of this kind in the file are hints"
        return msgspec.structs.replace(finding, said=said)
    return finding if seen[of_kind] < SHOWN else msgspec.structs.replace(finding, severity=Severity.HINT)

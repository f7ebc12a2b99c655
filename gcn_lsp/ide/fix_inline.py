"""Applies every certain fix of a text that the assembler does not read itself, until nothing is left to fix.

It is a source with inline assembly, or a file behind the C preprocessor; the caller finds its findings.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.text import SourceText, TextEdit, edited

ROUNDS = 20  # a fix may reveal what the next one fixes

Find = Callable[[SourceText], Iterable[Finding]]


class Fixed(msgspec.Struct, frozen=True):
    """The source after all fixes, the findings that are left, and the rules of the fixed ones.

    refused: how many would cause an error.
    """

    source: SourceText
    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    refused: int


def fix_all(source: SourceText, find: Find, wanted: Callable[[Finding], bool]) -> Fixed:
    """Apply the certain fixes of the findings that are `wanted`; `find` yields those of a version of the source."""
    findings = tuple(find(source))
    fixed: list[str] = []
    refused: set[tuple[str, str]] = set()
    for _ in range(ROUNDS):
        chosen = [each for each in _chosen(findings, wanted) if (each.rule, each.message) not in refused]
        if not chosen:
            break
        for group in (chosen, *([each] for each in chosen)):
            after = edited(source, _edits(group))
            found = tuple(find(after))
            if _errors(found) <= _errors(findings):
                fixed += (each.rule for each in group)
                source, findings = after, found
                break
            refused.update((each.rule, each.message) for each in group if len(group) == 1)
    return Fixed(source, findings, tuple(fixed), len(refused))


def _chosen(findings: Iterable[Finding], wanted: Callable[[Finding], bool]) -> Iterator[Finding]:
    """The findings with a certain fix that touches no earlier one."""
    taken: set[tuple[int, int]] = set()
    for finding in findings:
        fix = finding.certain_fix
        if fix is None or not wanted(finding):
            continue
        places = {
            (edit.where.line, column) for edit in fix.edits for column in range(edit.where.start, edit.where.end + 1)
        }
        if not places & taken:
            taken |= places
            yield finding


def _edits(findings: Iterable[Finding]) -> Iterator[TextEdit]:
    for finding in findings:
        if finding.certain_fix is not None:
            yield from finding.certain_fix.edits


def _errors(findings: Iterable[Finding]) -> int:
    return sum(finding.severity is Severity.ERROR for finding in findings)

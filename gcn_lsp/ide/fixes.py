"""The fixes that an editor offers for a range: those of the findings that touch it, and comments that disable them."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from gcn_lsp.findings.model import Finding, Fix
from gcn_lsp.ide import spare_register_fixes, suppress
from gcn_lsp.program.program import Program
from gcn_lsp.text import TextEdit


class OfferedFix(msgspec.Struct, frozen=True):
    """A fix and its finding. repairs: whether the fix corrects the text; otherwise it disables the rule."""

    finding: Finding
    fix: Fix
    repairs: bool = True


def fixes(
    program: Program, findings: Sequence[Finding], first: int, start: int, last: int, end: int
) -> Iterator[OfferedFix]:
    """The fixes for the range from (line `first`, byte `start`) to (`last`, `end`) of the main file, repairs first."""
    touched = touching(findings, program.path, first, start, last, end)
    for finding in touched:
        for fix in (*finding.fixes, *spare_register_fixes.fixes(program, finding)):
            yield OfferedFix(finding, fix)
    for finding in findings:
        if finding not in touched and any(step.is_step for step in finding.related):
            for fix in finding.fixes:
                if any(edit.where.path == program.path and first <= edit.where.line <= last for edit in fix.edits):
                    yield OfferedFix(finding, fix)  # in a macro's body, and put right at the call
    offered = set()
    for finding in touched:
        for fix in suppress.suppressions(program, finding):
            if fix not in offered:
                offered.add(fix)
                yield OfferedFix(finding, fix, repairs=False)


def touching(findings: Iterable[Finding], path: str, first: int, start: int, last: int, end: int) -> list[Finding]:
    """The findings in `path` that touch a range, then, if the range is a cursor, the others on its line."""
    on_lines = [finding for finding in findings if finding.where.path == path and first <= finding.where.line <= last]
    touched = [
        finding
        for finding in on_lines
        if (finding.where.line, finding.where.end) >= (first, start)
        and (finding.where.line, finding.where.start) <= (last, end)
    ]
    if (first, start) != (last, end):
        return touched
    return [*touched, *(finding for finding in on_lines if finding not in touched)]


def certain_edits(findings: Iterable[Finding], path: str) -> tuple[TextEdit, ...]:
    """The edits of all findings in `path` with exactly one fix, without those that overlap."""
    taken: dict[tuple[str, int], list[tuple[int, int]]] = {}
    found: list[TextEdit] = []
    for finding in findings:
        fix = finding.certain_fix
        if finding.where.path != path or fix is None:
            continue
        edits = fix.edits
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

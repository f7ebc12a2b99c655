"""Applies every certain fix of a file, repeatedly, until nothing is left to fix.

A round applies all fixes that do not touch each other, the first in the file first. A fix is certain if its finding has
no other. A fix that would cause a new error is left out; bisection finds it, so the others of its round are not lost.
Fixes that edit other files are not applied.
"""

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from gcn_lsp import rules
from gcn_lsp.findings.model import Finding, Fix, Severity
from gcn_lsp.program import program as programs
from gcn_lsp.program.program import Program
from gcn_lsp.text import TextEdit, edited

ROUNDS = 20  # a fix may reveal what the next one fixes; chains of them are short

Wanted = Callable[[Finding], bool]


class Fixed(msgspec.Struct, frozen=True):
    """The result for a file. edits: those of each round, in the version before it; rules: of the fixed findings.

    findings: those of the final text. elsewhere: how many wanted fixes would change other files. refused: how many
    would cause an error.
    """

    program: Program
    findings: tuple[Finding, ...]
    edits: tuple[tuple[TextEdit, ...], ...]
    rules: tuple[str, ...]
    elsewhere: int
    refused: int


def fix_all(program: Program, wanted: Wanted, about_setup: Iterable[Finding] = ()) -> Fixed:
    """Apply the fixes of the findings that are `wanted`. `about_setup` is as for `rules.check`."""
    return _FixAll(wanted, tuple(about_setup)).run(program)


class _FixAll:
    """One run over a file."""

    def __init__(self, wanted: Wanted, about_setup: tuple[Finding, ...]) -> None:
        self._wanted = wanted
        self._about_setup = about_setup
        self._refused: set[tuple[str, str, str]] = set()

    def run(self, program: Program) -> Fixed:
        findings = self._check(program)
        seen = {program.source.lines}
        edits: list[tuple[TextEdit, ...]] = []
        fixed: list[str] = []
        for _ in range(ROUNDS):
            chosen = self._harmless(program, findings, self._chosen(program, findings))
            made = _edits(chosen)
            source = edited(program.source, made)
            if source.lines in seen:  # nothing to do, or fixes that undo each other
                break
            seen.add(source.lines)
            program, findings = self._after(program, made)
            edits.append(made)
            fixed += (finding.rule for finding, _ in chosen)
        elsewhere = sum(not _stays_in(program.path, fix) for _, fix in self._offered(findings))
        return Fixed(program, tuple(findings), tuple(edits), tuple(fixed), elsewhere, len(self._refused))

    def _check(self, program: Program) -> list[Finding]:
        return rules.check(program, self._about_setup)

    def _after(self, program: Program, edits: tuple[TextEdit, ...]) -> tuple[Program, list[Finding]]:
        after = programs.build(edited(program.source, edits), program.options, program)
        return after, self._check(after)

    def _offered(self, findings: Iterable[Finding]) -> "list[tuple[Finding, Fix]]":
        """The certain fixes of the wanted findings."""
        return [
            (finding, fix) for finding in findings if (fix := finding.certain_fix) is not None and self._wanted(finding)
        ]

    def _chosen(self, program: Program, findings: Iterable[Finding]) -> "list[tuple[Finding, Fix]]":
        """Fixes that can be applied together: they touch neither each other nor another file."""
        chosen: list[tuple[Finding, Fix]] = []
        taken: dict[int, list[TextEdit]] = {}
        fixes: set[Fix] = set()
        for finding, fix in self._offered(findings):
            if not _stays_in(program.path, fix) or _key(program, finding, fix) in self._refused:
                continue
            if fix not in fixes:  # one edit may fix several findings
                if any(_touch(edit, other) for edit in fix.edits for other in taken.get(edit.where.line, ())):
                    continue
                fixes.add(fix)
                for edit in fix.edits:
                    taken.setdefault(edit.where.line, []).append(edit)
            chosen.append((finding, fix))
        return chosen

    def _harmless(
        self, program: Program, findings: list[Finding], chosen: "list[tuple[Finding, Fix]]"
    ) -> "list[tuple[Finding, Fix]]":
        """As many of the fixes as cause no error together; a fix that causes one alone is refused from now on."""
        if not chosen or not self._brings_error(program, findings, _edits(chosen)):
            return chosen
        if len({fix for _, fix in chosen}) == 1:
            self._refused.update(_key(program, finding, fix) for finding, fix in chosen)
            return []
        half = len(chosen) // 2
        first = self._harmless(program, findings, chosen[:half])
        second = self._harmless(program, findings, chosen[half:])
        if not first or not second:
            return first or second
        both = first + second
        return first if self._brings_error(program, findings, _edits(both)) else both

    def _brings_error(self, program: Program, findings: list[Finding], edits: tuple[TextEdit, ...]) -> bool:
        """Whether the edits cause more errors, or other errors on the lines that they change."""
        _, after = self._after(program, edits)
        before, now = _errors(findings), _errors(after)
        if len(now) > len(before):
            return True
        old, new = _edited_lines(edits)
        known = Counter(error.rule for error in before if error.where.path == program.path and error.where.line in old)
        found = Counter(error.rule for error in now if error.where.path == program.path and error.where.line in new)
        return bool(found - known)


def _errors(findings: Iterable[Finding]) -> list[Finding]:
    """The errors without a certain fix: the next round fixes the others, such as a wait that a corrected load needs."""
    return [finding for finding in findings if finding.severity is Severity.ERROR and finding.certain_fix is None]


def _edits(chosen: "Iterable[tuple[Finding, Fix]]") -> tuple[TextEdit, ...]:
    """The edits of fixes in the order of their places, without duplicates."""
    found = {edit for _, fix in chosen for edit in fix.edits}
    return tuple(sorted(found, key=lambda edit: edit.where))


def _edited_lines(edits: Iterable[TextEdit]) -> tuple[set[int], set[int]]:
    """The lines that edits change, by their numbers before and after."""
    before: set[int] = set()
    after: set[int] = set()
    added = 0
    for edit in edits:
        line, more = edit.where.line, edit.new_text.count("\n") - edit.takes_line
        before.add(line)
        after.update(range(line + added, line + added + more + 1))
        added += more
    return before, after


def _stays_in(path: str, fix: Fix) -> bool:
    return all(edit.where.path == path for edit in fix.edits)


def _touch(one: TextEdit, other: TextEdit) -> bool:
    """Whether two edits share a byte, or a place between bytes where one of them only inserts."""
    a, b = one.where, other.where
    inserts = a.start == a.end or b.start == b.end
    return a.start <= b.end and b.start <= a.end if inserts else a.start < b.end and b.start < a.end


def _key(program: Program, finding: Finding, fix: Fix) -> tuple[str, str, str]:
    """The identity of a fix after lines have moved."""
    line = program.source.lines[finding.where.line] if finding.where.path == program.path else b""
    return finding.rule, fix.title, line.decode("utf-8", "replace")

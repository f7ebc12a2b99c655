"""Comments that switch a finding off, as changes of the text: for its line, and for its file."""

from collections.abc import Iterable, Iterator

from gcn_lsp.findings import suppression
from gcn_lsp.findings.model import Finding, Fix
from gcn_lsp.ide.reading import scope
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, TextEdit

# What is not a matter of taste, and what is about the comments themselves.
_ALWAYS = frozenset(("unknown-suppression", "unused-suppression", "too-many-findings"))


def is_possible(rule: str) -> bool:
    """Whether a user may switch off the rule by a fix."""
    return rule not in _ALWAYS


def suppressions(program: Program, finding: Finding) -> Iterator[Fix]:
    """The changes that switch off a finding in the main file; none where no comment can."""
    if not is_possible(finding.rule):
        return
    edit = _edit(program, finding.where.line, finding.rule)
    if edit is not None:
        yield Fix(f"Disable {finding.rule} on this line", (edit,))
    yield Fix(f"Disable {finding.rule} in this file", (_edit_of_file(program, finding.rule),))


def silenced(program: Program, findings: Iterable[Finding]) -> tuple[TextEdit, ...]:
    """The edits that switch off all of these findings that are in the main file and of a rule that may be.

    A rule is switched off on its line, or in the file where no comment can be on that line.
    """
    by_line: dict[int, list[str]] = {}
    in_file: list[str] = []
    for finding in findings:
        line = finding.where.line
        if finding.where.path == program.path and is_possible(finding.rule):
            possible = _edit(program, line, finding.rule) is not None
            _add(by_line.setdefault(line, []) if possible else in_file, finding.rule)
    edits = [_edit(program, line, ",".join(rules)) for line, rules in by_line.items() if rules]
    if in_file:
        edits.insert(0, _edit_of_file(program, ",".join(in_file)))
    return tuple(sorted((edit for edit in edits if edit is not None), key=lambda edit: edit.where))


def _add(rules: list[str], rule: str) -> None:
    if rule not in rules:
        rules.append(rule)


def _edit(program: Program, line: int, rule: str) -> TextEdit | None:
    """The edit that switches off a rule on a line, in its comment or a new one; None where none can be."""
    own = [each for each in suppression.of(program).own if each.where.line == line and not each.whole_file]
    return _added(own[-1], rule) if own else _comment(program, line, rule)


def _edit_of_file(program: Program, rule: str) -> TextEdit:
    """The edit that switches off a rule in the whole file."""
    of_file = [each for each in suppression.of(program).own if each.whole_file]
    if of_file:
        return _added(of_file[-1], rule)
    return TextEdit(Location(program.path, 0, 0, 0), f"; gcn-lsp: disable-file={rule}\n")


def _added(comment: suppression.Suppression, rule: str) -> TextEdit:
    """The edit that adds a rule after the one that a comment names."""
    where = comment.where
    return TextEdit(Location(where.path, where.line, where.end, where.end), f",{rule}")


def _comment(program: Program, line: int, rule: str) -> TextEdit | None:
    """The edit that puts a comment at the end of a line; None where that is none, as in metadata or an open string."""
    text = program.source.lines[line]
    end = len(text.rstrip())
    comment = f"{'  ' if end else ''}; gcn-lsp: disable={rule}"
    if scope.in_metadata(program, line) or not suppression.switches_off(text[:end] + comment.encode(), rule):
        return None
    return TextEdit(Location(program.path, line, end, len(text)), comment)

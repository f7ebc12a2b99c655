"""Comments that switch a finding off, as changes of the text: for its line, and for its file."""

from collections.abc import Iterator

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
    comments = suppression.of(program).own
    line = finding.where.line
    own = [comment for comment in comments if comment.where.line == line and not comment.whole_file]
    edit = _added(own[-1], finding.rule) if own else _comment(program, line, finding.rule)
    if edit is not None:
        yield Fix(f"Disable {finding.rule} on this line", (edit,))
    of_file = [comment for comment in comments if comment.whole_file]
    if of_file:
        edit = _added(of_file[-1], finding.rule)
    else:
        edit = TextEdit(Location(program.path, 0, 0, 0), f"; gcn-lsp: disable-file={finding.rule}\n")
    yield Fix(f"Disable {finding.rule} in this file", (edit,))


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

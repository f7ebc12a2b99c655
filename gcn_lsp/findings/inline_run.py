"""Finds mistakes in the inline assembly of a source: those of the assembler and of the rules, at places of the source.

A statement is judged for the targets that the build names, as far as the preprocessor leaves it there. Where nothing
names one, it is judged for those that take it, and only what all of them agree on is reported.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence

from gcn_lsp.findings import agreement, ptx, run
from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.model import Finding, Fix, Related, Severity
from gcn_lsp.findings.rule import Rules, Stage
from gcn_lsp.flow.kept import ByTurns
from gcn_lsp.program import candidates, problems
from gcn_lsp.text import Location, Text, TextEdit, mapped
from gcn_lsp.views.inline import document, template
from gcn_lsp.views.inline.document import StatementAssembly
from gcn_lsp.views.inline.statement import Statement
from gcn_lsp.views.inline.targets import Target, Targets

# Rules about paths that hold for a piece of code whose surroundings are not known.
_OF_PIECES = frozenset(("missing-wait", "insufficient-wait", "missing-wait-states", "lost-write"))
# Problems that depend on more than the statement.
_OF_FILES = frozenset(("undefined-symbol", "unknown-target", "disassembly-listing"))
_ABSENT = ("unknown-mnemonic", "unsupported-on-target")
_MISMATCH = "constraint-mismatch"

_LEAST, _MOST = 256, 4096  # statements on targets
_TARGETS = 8  # that a statement is for, with room to spare
_documents: ByTurns[Hashable, StatementAssembly] = ByTurns(_LEAST)
_judged: ByTurns[Hashable, tuple[Finding, ...]] = ByTurns(_LEAST)


def check(rules: Rules, path: str, statements: Iterable[Statement], targets: Targets) -> list[Finding]:
    """The findings in the statements of a file, sorted by place."""
    statements = tuple(statements)
    room = min(_MOST, _TARGETS * len(statements))
    with _documents.whole(room), _judged.whole(room), document.reading_whole_source(room):
        return _found(rules, path, statements, targets)


def _found(rules: Rules, path: str, statements: Iterable[Statement], targets: Targets) -> list[Finding]:
    found: dict[tuple[Location, str, Text], Finding] = {}
    for statement in statements:
        for finding in (
            of_statement(rules, path, statement, targets)
            if template.is_amd(statement)
            else ptx.check(rules, path, statement, targets)
        ):
            found.setdefault((finding.where, finding.rule, finding.said), finding)
    return sorted(found.values(), key=lambda each: each.where)


def of_statement(rules: Rules, path: str, statement: Statement, targets: Targets) -> Sequence[Finding]:
    """The findings in one statement."""
    possible, all_of_them = targets.of(statement)
    if not possible or not statement.is_complete:
        return ()
    if statement.inserted:  # perhaps not constants, so only what fits as constants is followed
        possible = tuple(target for target in possible if of(statement, target).accepted)
        if not possible:
            return ()
    if all_of_them:
        return [finding for target in possible for finding in judged(rules, path, statement, target)]
    chosen = taken_for(statement, targets)
    if chosen is None:
        return ()
    mine = judged(rules, path, statement, (chosen.target, chosen.mattr))
    if not chosen.accepted:
        return mine
    for other in _having(statement, possible):
        if mine and other[0] != chosen.target and of(statement, other).accepted:
            theirs = {agreement.same(each) for each in judged(rules, path, statement, other)}
            mine = tuple(each for each in mine if agreement.same(each) in theirs)
    return mine


def _having(statement: Statement, possible: tuple[Target, ...]) -> tuple[Target, ...]:
    """The possible targets that have all mnemonics of a statement; the first if no target has one of them.

    The tables of mnemonics answer it; those of a target's forms take much longer to load.
    """
    having = [candidates.having(word) for word in template.words(statement)]
    fitting = tuple(target for target in possible if all(target[0] in each for each in having if each))
    return (fitting or possible) if all(having) else (fitting or possible)[:1]


def taken_for(statement: Statement, targets: Targets) -> "StatementAssembly | None":
    """The text of a statement for the first target that takes it, or else for the one that takes the most of it."""
    possible, _ = targets.of(statement)
    best: StatementAssembly | None = None
    for target in _having(statement, possible):
        found = of(statement, target)
        if found.accepted:
            return found
        if best is None or _rejected(found) < _rejected(best):
            best = found
    return best


def of(statement: Statement, target: Target) -> StatementAssembly:
    """The text of a statement for a target, kept for as long as the statement stays as and where it is."""
    key = (statement.pieces, statement.operands, statement.clobbers, statement.labels, target)
    known = _documents.find(key)
    if known is None or known.statement != statement:
        known = _documents.keep(key, document.of(statement, *target))
    return known


def _rejected(text: StatementAssembly) -> tuple[int, int]:
    """How many instructions a target does not have, and how many mistakes there are in all."""
    found = [placed.problem.rule for placed in problems.of(text.program) if placed.problem.rule not in _OF_FILES]
    return sum(rule in _ABSENT for rule in found), len(found)


def judged(rules: Rules, path: str, statement: Statement, target: Target) -> tuple[Finding, ...]:
    """The findings of a statement on one target."""
    key = path, statement, target
    known = _judged.find(key)
    return known if known is not None else _judged.keep(key, tuple(_judge(rules, path, of(statement, target))))


def _judge(rules: Rules, path: str, text: StatementAssembly) -> Iterator[Finding]:
    about = Judged(path, text)
    missing = bool(text.unknown)
    checks = (rules[name].check_inline for name in rules if rules.kind(name).in_statements)
    own = [finding for check in checks if check is not None for finding in check(about)]
    is_mismatch = any(finding.rule == _MISMATCH for finding in own)
    for finding in run.found_by(rules, text.program, _OF_PIECES if about.sites else ()):
        if finding.rule in _OF_FILES or (missing and "asm_no_such_operand" in _line(text, finding)):
            continue
        if rules.kind(finding.rule).stage is not Stage.ASSEMBLED and finding.rule not in _OF_PIECES:
            continue
        if is_mismatch and finding.severity is Severity.ERROR:
            continue  # the constraint says why the assembler rejects it
        yield _in_source(about, finding)
    yield from own


def _line(text: StatementAssembly, finding: Finding) -> str:
    lines = text.text.split(b"\n")
    return lines[finding.where.line].decode("utf-8", "replace") if finding.where.line < len(lines) else ""


def _in_source(about: Judged, finding: Finding) -> Finding:
    """A finding in the text of a statement as one in the source, in the names of the source."""
    text = about.document

    def place(where: Location) -> Location:
        return about.at(text.span(where))

    fixes = tuple(fix for each in finding.fixes if (fix := _fixed(about, each)) is not None)
    related = tuple(Related(place(each.where), text.in_source(each.message), each.is_step) for each in finding.related)
    said = mapped(finding.said, place, text.in_source)
    severity = finding.severity
    if severity is Severity.ERROR and about.statement.is_optional:
        severity = Severity.INFORMATION  # the compiler assembles it if some instance of the template takes this branch
    return Finding(finding.rule, severity, place(finding.where), said, related, fixes, finding.unnecessary)


def _fixed(about: Judged, fix: Fix) -> "Fix | None":
    """A fix with its edits in the source; None if the text there is not what was assembled."""
    text = about.document
    edits = []
    for edit in fix.edits:
        if edit.takes_line or not text.is_plain(edit.where):
            return None
        new = text.in_source(edit.new_text)
        if "\n" in edit.new_text:
            if not text.is_escaped(edit.where):
                return None
            new = "".join(f"{line.strip()}\\n\\t" for line in edit.new_text.strip("\n").splitlines() if line.strip())
        edits.append(TextEdit(about.at(text.span(edit.where)), new))
    return Fix(text.in_source(fix.title), tuple(edits), fix.is_certain)

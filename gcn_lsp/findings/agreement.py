"""Leaves out findings that depend on which of several targets a file is for, when nothing names its target.

A line that is wrong for the assumed target may be right for another candidate (`program.candidates`). So each rule
looks at the file as these read it too, as long as it has findings left. That takes a multiple of a check's time; while
somebody types, a finding in doubt is shown only if it was agreed on before.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

import msgspec

from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.findings.rule import Rule, Stage
from gcn_lsp.flow.steps import Steps
from gcn_lsp.program.candidates import Candidates
from gcn_lsp.program.program import Program
from gcn_lsp.text import UnchangedLines, without_targets

# The findings of some rules in the file as another target reads it.
Check = Callable[[Program, frozenset[str]], Steps[list[Finding]]]


class AgreedFindings(msgspec.Struct, frozen=True):
    """What all targets agreed on in an earlier version of a file, and the lines of that version."""

    lines: Sequence[bytes] = ()
    findings: Sequence[Finding] = ()


def agreed(rules: Mapping[str, Rule], program: Program, findings: list[Finding], check: Check) -> Steps[list[Finding]]:
    """`findings` without those that another target which the file may be for does not have, or has otherwise."""
    targets = program.candidates
    if targets is None:
        return findings
    kept, open_ = _divided(rules, program, targets, findings)
    for rival in targets.rivals() if open_ else ():
        yield
        if rival is None:
            continue
        theirs: dict[Hashable, list[Finding]] = {}
        found_there = yield from check(rival, frozenset(found.rule for found in open_.values()))
        for found in found_there:
            theirs.setdefault(_key(rules, found), []).append(found)
        open_ = {
            index: _shared(found, theirs[key])
            for index, found in open_.items()
            if (key := _key(rules, found)) in theirs
        }
        if not open_:
            break
    kept.update(open_)
    return [kept[index] for index in sorted(kept)]


def agreed_before(
    rules: Mapping[str, Rule], program: Program, findings: list[Finding], known: AgreedFindings
) -> list[Finding]:
    """`findings` without those that are in doubt and not among `known`, which needs no other target.

    A finding is known by its rule and place: lines that its message names may have moved.
    """
    targets = program.candidates
    if targets is None:
        return findings
    kept, open_ = _divided(rules, program, targets, findings)
    before = _moved(known, program) if open_ else {}
    for index, found in open_.items():
        same = before.get((found.rule, found.where))
        if same:
            titles = {fix.title for each in same for fix in each.fixes}
            kept[index] = msgspec.structs.replace(found, fixes=tuple(fix for fix in found.fixes if fix.title in titles))
    return [kept[index] for index in sorted(kept)]


def _moved(known: AgreedFindings, program: Program) -> dict[Hashable, list[Finding]]:
    """The known findings by rule and place, where that is on an unchanged line of the program's file."""
    unchanged = UnchangedLines.of(known.lines, program.source.lines)
    moved: dict[Hashable, list[Finding]] = {}
    for found in known.findings:
        line = unchanged.now(found.where.line) if found.where.path == program.path else found.where.line
        if line is not None:
            moved.setdefault((found.rule, msgspec.structs.replace(found.where, line=line)), []).append(found)
    return moved


def _divided(
    rules: Mapping[str, Rule], program: Program, targets: "Candidates[Program]", findings: list[Finding]
) -> tuple[dict[int, Finding], dict[int, Finding]]:
    """The findings, by their number, that are right whatever the target is, and those that others must confirm."""
    doubtful = _disputed(program, targets)
    kept: dict[int, Finding] = {}
    open_: dict[int, Finding] = {}
    for index, found in enumerate(findings):
        rule = rules[found.rule]
        disputed = doubtful.get((found.where.path, found.where.line))
        if rule.any_target or (disputed is False and _rejects(rule)):
            kept[index] = found
        elif not (disputed and _rejects(rule)):
            open_[index] = found
    return kept, open_


def _disputed(program: Program, targets: "Candidates[Program]") -> dict[tuple[str, int], bool]:
    """The lines with an instruction that the assumed target rejects: whether a rival takes it."""
    found: dict[tuple[str, int], bool] = {}
    for number, chunk in enumerate(program.chunks):
        verdicts = {id(instruction): verdict for instruction, verdict in targets.rejected(chunk)}
        for item in chunk.items if verdicts else ():
            verdict = verdicts.get(id(item.instruction))
            if verdict is not None:
                line = program.line_place(number, item.written.container, item.written.line)
                found[line] = found.get(line, False) or verdict
    return found


def _rejects(rule: Rule) -> bool:
    """Whether a finding of the rule says that the assembler does not take the line."""
    return rule.stage is Stage.ASSEMBLED and rule.severity is Severity.ERROR


def _key(rules: Mapping[str, Rule], found: Finding) -> Hashable:
    """What two targets must have in common for a finding to be the same: a line that both reject is wrong on both."""
    if _rejects(rules[found.rule]):
        return found.where.path, found.where.line
    return same(found)


def same(found: Finding) -> Hashable:
    """What the findings of two targets have in common if they are the same: all but the names of targets."""
    return found.rule, found.where, without_targets(found.said)


def _shared(found: Finding, theirs: Iterable[Finding]) -> Finding:
    """The finding with those of its fixes that are also theirs."""
    if not found.fixes:
        return found
    edits = [fix.edits for each in theirs for fix in each.fixes]
    return msgspec.structs.replace(found, fixes=tuple(fix for fix in found.fixes if fix.edits in edits))

"""Leaves out findings that depend on which of several targets a file is for, when nothing names its target.

What is wrong for the target that the file is taken for may be right for another one that the file may be for as well
(`program.candidates`). So each rule looks at the file as these read it too, as long as it has findings left.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping

import msgspec

from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.findings.rule import Rule, Stage
from gcn_lsp.program import candidates
from gcn_lsp.program.candidates import Candidates
from gcn_lsp.program.program import Program

# The findings of some rules in the file as another target reads it.
Check = Callable[[Program, frozenset[str]], Iterable[Finding]]

_TARGET_NAME = re.compile(r"\bgfx[0-9a-f]+\b")


def agreed(rules: Mapping[str, Rule], program: Program, findings: list[Finding], check: Check) -> list[Finding]:
    """`findings` without those that another target which the file may be for does not have, or has otherwise."""
    targets = program.candidates
    if targets is None:
        return findings
    doubtful = _disputed(program, targets)
    lines = {(found.where.path, found.where.line) for found in findings}
    rejected = {line: disputed for line, disputed in doubtful.items() if line in lines}
    kept: dict[int, Finding] = {}
    open_: dict[int, Finding] = {}
    for index, found in enumerate(findings):
        rule = rules[found.rule]
        disputed = rejected.get((found.where.path, found.where.line))
        if rule.any_target or (disputed is False and _rejects(rule)):
            kept[index] = found
        elif not (disputed and _rejects(rule)):
            open_[index] = found
    for rival in targets.rivals() if open_ else ():
        theirs: dict[Hashable, list[Finding]] = {}
        for found in check(rival, frozenset(found.rule for found in open_.values())):
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


def _disputed(program: Program, targets: "Candidates[Program]") -> dict[tuple[str, int], bool]:
    """The lines with an instruction that the assumed target rejects: whether a rival takes it."""
    verdicts = {id(instruction): targets.has_rival_for(instruction) for instruction in candidates.rejected(program)}
    found: dict[tuple[str, int], bool] = {}
    for number, chunk in enumerate(program.chunks if verdicts else ()):
        for item in chunk.items:
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
    return found.rule, found.where, _TARGET_NAME.sub("", found.message)


def _shared(found: Finding, theirs: Iterable[Finding]) -> Finding:
    """The finding with those of its fixes that are also theirs."""
    if not found.fixes:
        return found
    edits = [fix.edits for each in theirs for fix in each.fixes]
    return msgspec.structs.replace(found, fixes=tuple(fix for fix in found.fixes if fix.edits in edits))

"""Runs rules over a program: turns the problems of the lower layers into findings, then runs each rule's check."""

from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from gcn_lsp.analysis.control import graphs
from gcn_lsp.findings import agreement, expansion, suppression
from gcn_lsp.findings.model import Finding, Fix, Related
from gcn_lsp.findings.rule import Rule, RuleReport, Rules, Stage
from gcn_lsp.flow.steps import Steps, finish
from gcn_lsp.program import problems
from gcn_lsp.program.problems import PlacedProblem
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, TextEdit

_NOWHERE = Location("", 0, 0, 0)
_CHECKED = (Stage.PROGRAM, Stage.TEXT, Stage.PATHS, Stage.HINTS)


def check(
    rules: Rules,
    program: Program,
    about_setup: Iterable[Finding] = (),
    until: Stage = Stage.HINTS,
    wanted: "Callable[[Finding], bool] | None" = None,
) -> list[Finding]:
    """The findings of all stages up to `until`, sorted by place, without those that a comment switches off.

    `about_setup` are findings about the target and the configuration files, made before there was a program. wanted:
    which findings the caller shows: a rule none of whose findings it shows is not run, and of a file that names no
    target, only these findings are compared with those of others.
    """
    return finish(check_in_steps(rules, program, about_setup, until, wanted))


def check_in_steps(
    rules: Rules,
    program: Program,
    about_setup: Iterable[Finding] = (),
    until: Stage = Stage.HINTS,
    wanted: "Callable[[Finding], bool] | None" = None,
) -> Steps[list[Finding]]:
    """The result of `check`, with a pause after each rule."""
    about_setup = tuple(about_setup)
    names = None if wanted is None else _shown(rules, program, wanted)
    findings = yield from _found(rules, program, about_setup, until, names)
    findings = list(_distinct(findings))
    if wanted is not None:
        findings = [found for found in findings if wanted(found)]
    if program.candidates is not None:
        setup = set(about_setup)
        certain = [found for found in findings if found in setup]
        others = [found for found in findings if found not in setup]
        confirmed = yield from agreement.agreed(rules, program, others, _again(rules, until))
        findings = [*certain, *confirmed]
    findings.sort(key=lambda found: found.where)
    return findings


ByStage = dict[Stage, list[Finding]]


def check_alone(
    rules: Rules,
    program: Program,
    until: Stage,
    known: agreement.AgreedFindings,
    by_stage: ByStage,
    is_wanted: Callable[[], bool],
) -> list[Finding]:
    """The result of `check` as far as it needs no other target than the one assumed.

    known: see `agreement`. by_stage: what earlier calls for this program found; it takes what the others find. Raises
    `flow.steps.Superseded` if the result `is_wanted` no longer.
    """
    findings = list(_distinct(finish(_found(rules, program, (), until, by_stage=by_stage), is_wanted)))
    findings = agreement.agreed_before(rules, program, findings, known)
    findings.sort(key=lambda found: found.where)
    return findings


def found_by(rules: Rules, program: Program, names: Collection[str], until: Stage = Stage.PATHS) -> list[Finding]:
    """The problems of a program, and what the checks of the named rules of the stages up to `until` find in it."""
    return list(_distinct(finish(_found(rules, program, (), until, names))))


def _shown(rules: Rules, program: Program, wanted: Callable[[Finding], bool]) -> frozenset[str]:
    """The rules of which `wanted` may show a finding, and those that decide whether a comment switches one off."""
    comments = suppression.of(program)
    shown = {name for name in rules if wanted(Finding(name, rules.kind(name).severity, _NOWHERE, ""))}
    return frozenset(shown.union(comment.rule for comment in (*comments.own, *comments.included)))


def _again(rules: Rules, until: Stage) -> agreement.Check:
    return lambda program, names: _found(rules, program, (), until, names)


def _found(
    rules: Rules,
    program: Program,
    about_setup: Iterable[Finding],
    until: Stage,
    names: "Collection[str] | None" = None,
    by_stage: "ByStage | None" = None,
) -> Steps[list[Finding]]:
    """The findings as `program.target` has them; names: of the rules whose checks run, all by default.

    by_stage: as in `check_alone`.
    """
    comments = suppression.of(program)
    report = RuleReport(rules, comments)
    by_stage = {} if by_stage is None else by_stage
    if Stage.ASSEMBLED not in by_stage:
        by_stage[Stage.ASSEMBLED] = [_finding(rules, placed) for placed in problems.of(program)]
    findings = [*about_setup, *by_stage[Stage.ASSEMBLED]]
    for stage in _CHECKED:
        if stage > until:
            break
        if stage is Stage.HINTS and not program.options.is_edited:
            graphs.forget(program)  # the hints need little of it, and no version follows
        if stage not in by_stage:
            found: list[Finding] = []
            for name in rules.of_stage(stage):
                if names is None or name in names:
                    yield
                    found += _found_by(rules[name], program, report)
            by_stage[stage] = found
        findings += by_stage[stage]
    if comments:
        # Before repetitions are dropped, because a comment at one call of a macro does not cover the other calls.
        findings, used = comments.apply(findings)
        if until is Stage.HINTS:
            report = msgspec.structs.replace(report, used=used)
        for name in rules.of_stage(Stage.COMMENTS):
            if names is None or name in names:
                findings += _found_by(rules[name], program, report)
    return findings


def later(rules: Rules, until: Stage) -> frozenset[str]:
    """The rules whose checks `check` leaves out when it stops after `until`.

    If a lower layer finds problems of such a rule as well, those are not left out.
    """
    return frozenset(name for name in rules if until < rules.kind(name).stage < Stage.COMMENTS)


def _found_by(rule: Rule, program: Program, report: RuleReport) -> Iterator[Finding]:
    """What a rule's own check finds."""
    if rule.check is not None:
        yield from rule.check(program)
    if rule.check_report is not None:
        yield from rule.check_report(program, report)


def _finding(rules: Rules, placed: PlacedProblem) -> Finding:
    """The finding of a problem: its place, the expansions that lead to it, and its fixes where they apply."""
    problem = placed.problem
    rule = rules[problem.rule]
    call = next((index for index, step in enumerate(placed.steps) if step.kind == "macro"), None)
    if rule.at_call and call is not None:
        return _at_call(rule, placed, call)
    fixes: tuple[Fix, ...] = ()
    if problem.fixes and placed.movable:
        where = placed.where
        fixes = tuple(
            Fix(
                fix.title,
                (TextEdit(Location(where.path, where.line, fix.start, fix.end), fix.new_text),),
                fix.is_certain,
            )
            for fix in problem.fixes
        )
    return rule.at(placed.where, placed.said, expansion.related(placed.steps), fixes)


def _at_call(rule: Rule, placed: PlacedProblem, call: int) -> Finding:
    """The finding of a problem at the macro call that is step `call`, with the steps from there to its own place."""
    steps = placed.steps
    said = Related(placed.where, f"`{steps[call].name}` reaches this line")
    related = (said, *expansion.related(steps[call + 1 :]), *expansion.related(steps[:call]))
    return rule.at(steps[call].where, placed.said, related)


def _distinct(findings: Iterable[Finding]) -> Iterator[Finding]:
    """`findings` without repetitions: a mistake in a macro's body is one mistake, however many calls there are."""
    seen = set()
    for found in findings:
        key = (found.where, found.rule, found.said)
        if key not in seen:
            seen.add(key)
            yield found

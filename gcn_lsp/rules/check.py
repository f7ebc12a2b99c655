"""Turns what the lower layers found wrong in a program into findings, and runs the rules about the whole program."""

from collections.abc import Callable, Collection, Iterable, Iterator

from gcn_lsp.asm.program import PlacedProblem, Program
from gcn_lsp.rules import (
    build_defined_symbols,
    clobbered_condition,
    dead_write,
    descriptor_inconsistent,
    expansion,
    insufficient_wait,
    kernarg_beyond_segment,
    lds_beyond_segment,
    malformed_metadata,
    metadata_contradicts_descriptor,
    missing_endpgm,
    missing_wait,
    missing_wait_states,
    names_used,
    over_wait,
    portability,
    redundant_nop,
    redundant_wait,
    register_beyond_descriptor,
    shadowed_symbol,
    suppression,
    uninitialised_register,
    unknown_suppression,
    unreachable_branch,
    unreachable_code,
    unreplayable_clause,
    unused_macro,
    unused_suppression,
    unused_symbol,
    useless_wait,
    user_error,
    user_warning,
)
from gcn_lsp.rules.model import Finding, Fix, Related, Rule, Severity
from gcn_lsp.rules.registry import RULES
from gcn_lsp.text import Location, TextEdit


def _unused(program: Program) -> Iterator[Finding]:
    usage = names_used.of_program(program)
    if usage is not None:
        yield from unused_macro.check(program, usage)
        yield from unused_symbol.check(program, usage)


_ERRORS = frozenset(rule.name for rule in RULES.values() if rule.severity is Severity.ERROR)


def _portability(program: Program) -> Iterable[Finding]:
    return portability.check(program, _ERRORS) if program.options.others else ()


# Rules that look at the program as a whole; every other rule is found by the layer that its page speaks of.
_PROGRAM_RULES: tuple[Callable[[Program], Iterable[Finding]], ...] = (
    build_defined_symbols.check,
    descriptor_inconsistent.check,
    kernarg_beyond_segment.check,
    lds_beyond_segment.check,
    malformed_metadata.check,
    metadata_contradicts_descriptor.check,
    _portability,
    register_beyond_descriptor.check,
    shadowed_symbol.check,
    unreachable_branch.check,
    _unused,
)
_Check = Callable[[Program], Iterable[Finding]]
# Rules about what instructions do to one another on the paths that control takes, and then those about the flow of
# control and of values. They cost most.
_WAIT_RULES: tuple[tuple[Rule, _Check], ...] = (
    (missing_wait.RULE, missing_wait.check),
    (insufficient_wait.RULE, insufficient_wait.check),
    (redundant_wait.RULE, redundant_wait.check),
    (over_wait.RULE, over_wait.check),
    (useless_wait.RULE, useless_wait.check),
    (missing_wait_states.RULE, missing_wait_states.check),
    (unreplayable_clause.RULE, unreplayable_clause.check),
    (redundant_nop.RULE, redundant_nop.check),
)
_FLOW_RULES: tuple[tuple[Rule, _Check], ...] = (
    (missing_endpgm.RULE, missing_endpgm.check),
    (unreachable_code.RULE, unreachable_code.check),
    (uninitialised_register.RULE, uninitialised_register.check),
    (clobbered_condition.RULE, clobbered_condition.check),
    (dead_write.RULE, dead_write.check),
)
_OF_WAITS = frozenset(rule.name for rule, _ in _WAIT_RULES)
_OF_FLOW = frozenset(rule.name for rule, _ in _FLOW_RULES)


def check(program: Program, about_setup: Iterable[Finding] = (), *, flow: bool = True) -> list[Finding]:
    """All findings, sorted by place, without those that a comment switches off.

    `about_setup` are findings that were made before there was a program, about its target and configuration files:
    they come back with the others, as far as no comment switches them off. flow: with the rules about the flow of
    control and of values.
    """
    found = [*about_setup, *assembled(program), *followed(program, flow=flow)]
    return told(program, found, RULES.keys() if flow else RULES.keys() - _OF_FLOW)


def check_at_first(program: Program) -> list[Finding]:
    """Those of the findings that are quick to find, as `check` tells them."""
    return told(program, assembled(program), RULES.keys() - _OF_FLOW - _OF_WAITS)


def assembled(program: Program) -> list[Finding]:
    """What assembling shows, and the rules about the program as a whole, in no order."""
    findings = [finding(placed) for placed in program.problems()]
    for rule in _PROGRAM_RULES:
        findings += rule(program)
    return findings


def followed(program: Program, *, flow: bool = True) -> list[Finding]:
    """What following the paths of control shows, in no order; flow: with the flow of control and of values itself."""
    rules = (*_WAIT_RULES, *_FLOW_RULES) if flow else _WAIT_RULES
    return [found for _, rule in rules for found in rule(program)]


def told(program: Program, findings: list[Finding], judged: Collection[str]) -> list[Finding]:
    """`findings` as they are told: sorted by place, each once, without those that a comment switches off.

    judged: names of the rules that were looked at, so that a comment which switches one off for nothing is told too.
    """
    comments = suppression.of(program)
    if comments:
        # Before repetitions are dropped: a comment at one call of a macro says nothing about the other calls.
        findings, used = comments.apply(findings)
        findings += unknown_suppression.check(comments, RULES)
        findings += unused_suppression.check(comments, used, program, judged)
    findings = list(_distinct(findings))
    findings.sort(key=lambda found: found.where)
    return findings


def finding(placed: PlacedProblem) -> Finding:
    """The finding of a problem: its place, the expansions that lead to it, and its fixes where they apply."""
    problem = placed.problem
    call = next((index for index, step in enumerate(placed.steps) if step.kind == "macro"), None)
    if problem.rule in _TOLD_AT_CALLS and call is not None:
        return _at_call(placed, call)
    fixes: tuple[Fix, ...] = ()
    if problem.fixes and placed.movable:
        where = placed.where
        fixes = tuple(
            Fix(fix.title, (TextEdit(Location(where.path, where.line, fix.start, fix.end), fix.new_text),))
            for fix in problem.fixes
        )
    return Finding(
        problem.rule,
        RULES[problem.rule].severity,
        placed.where,
        problem.message,
        expansion.related(placed.steps),
        fixes,
    )


# What a macro says to whoever calls it.
_TOLD_AT_CALLS = frozenset((user_error.RULE.name, user_warning.RULE.name))


def _at_call(placed: PlacedProblem, call: int) -> Finding:
    """The finding of a problem at the macro call that is step `call`, with the way from there to its own place."""
    steps, problem = placed.steps, placed.problem
    said = Related(placed.where, f"`{steps[call].name}` comes to this line")
    related = (said, *expansion.related(steps[call + 1 :]), *expansion.related(steps[:call]))
    return Finding(problem.rule, RULES[problem.rule].severity, steps[call].where, problem.message, related)


def _distinct(findings: Iterable[Finding]) -> Iterator[Finding]:
    """`findings` without repetitions: a mistake in a macro's body is one mistake, however often it is called."""
    seen = set()
    for found in findings:
        key = (found.where, found.rule, found.message)
        if key not in seen:
            seen.add(key)
            yield found

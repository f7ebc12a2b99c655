"""Turns what the lower layers found wrong in a program into findings, and runs the rules about the whole program."""

from collections.abc import Callable, Iterable, Iterator
from types import ModuleType

from gcn_lsp.program.program import PlacedProblem, Program
from gcn_lsp.rules import (
    broken_clause,
    build_defined_symbols,
    descriptor_inconsistent,
    disassembly_listing,
    expansion,
    flow,
    insufficient_wait,
    kernarg_beyond_segment,
    lds_beyond_segment,
    malformed_metadata,
    metadata_contradicts_descriptor,
    missing_wait,
    missing_wait_states,
    missing_write_back,
    over_wait,
    portability,
    redundant_nop,
    redundant_wait,
    register_beyond_descriptor,
    shadowed_symbol,
    suppression,
    suspicious_resource,
    undefined_by_hardware,
    unknown_suppression,
    unreachable_branch,
    unreplayable_clause,
    unreturned_value,
    unused_macro,
    unused_suppression,
    unused_symbol,
    useless_wait,
    user_error,
    user_warning,
)
from gcn_lsp.rules.model import Finding, Fix, Related, Severity
from gcn_lsp.rules.registry import RULES
from gcn_lsp.text import Location, TextEdit

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
)
# Those of them that only hint and have to read all of the text, also what is not assembled.
_PROGRAM_HINTS = (disassembly_listing, shadowed_symbol, unreachable_branch, unused_macro, unused_symbol)
# Rules about what instructions do to one another on the paths that control takes: those that take longest.
_PATH_RULES = (
    *flow.CHECKS,
    missing_wait,
    insufficient_wait,
    useless_wait,
    missing_wait_states,
    unreplayable_clause,
    broken_clause,
    missing_write_back,
    unreturned_value,
    suspicious_resource,
    undefined_by_hardware,
)
# Those of them that only hint and take as long again.
_HINT_RULES = (*flow.HINTS, over_wait, redundant_nop, redundant_wait)


def _names(*modules: ModuleType) -> frozenset[str]:
    return frozenset(module.RULE.name for module in modules)


# What `check_but_hints` leaves out, and what `check_at_first` does; of a rule among these that a lower layer finds as
# well, only what that does not find.
HINTED = _names(*_HINT_RULES)
FOLLOWED = HINTED | _names(*_PROGRAM_HINTS, *_PATH_RULES)


def _found_by(modules: Iterable[ModuleType], program: Program) -> list[Finding]:
    return [found for module in modules for found in module.check(program)]


def check(program: Program, about_setup: Iterable[Finding] = ()) -> list[Finding]:
    """All findings, sorted by place, without those that a comment switches off.

    `about_setup` are findings that were made before there was a program, about its target and configuration files:
    they come back with the others, as far as no comment switches them off.
    """
    followed = _found_by((*_PROGRAM_HINTS, *_PATH_RULES, *_HINT_RULES), program)
    return _told(program, [*about_setup, *_assembled(program), *followed], is_all=True)


def check_but_hints(program: Program) -> list[Finding]:
    """The findings without those of the rules `HINTED`, as `check` tells them."""
    followed = _found_by((*_PROGRAM_HINTS, *_PATH_RULES), program)
    return _told(program, [*_assembled(program), *followed], is_all=False)


def check_at_first(program: Program) -> list[Finding]:
    """The findings that are quick to find, without those of the rules `FOLLOWED`, as `check` tells them."""
    return _told(program, _assembled(program), is_all=False)


def _assembled(program: Program) -> list[Finding]:
    """What assembling shows, and the rules about the program as a whole, in no order."""
    findings = [finding(placed) for placed in program.problems()]
    for rule in _PROGRAM_RULES:
        findings += rule(program)
    return findings


def _told(program: Program, findings: list[Finding], *, is_all: bool) -> list[Finding]:
    """`findings` as they are told: sorted by place, each once, without those that a comment switches off.

    is_all: whether these are all there are, so that comments that switch nothing off are told too.
    """
    comments = suppression.of(program)
    if comments:
        # Before repetitions are dropped: a comment at one call of a macro says nothing about the other calls.
        findings, used = comments.apply(findings)
        findings += unknown_suppression.check(comments, RULES)
        if is_all:
            findings += unused_suppression.check(comments, used, program, RULES)
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

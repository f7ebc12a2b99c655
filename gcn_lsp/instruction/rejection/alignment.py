"""Aligns a candidate with the operands, tolerating mistakes, and scores how well it fits."""

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction import operands
from gcn_lsp.instruction.match import Matcher, Step, TargetContext
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.registers import RegisterRef
from gcn_lsp.instruction.slots import Rule
from gcn_lsp.isa.modifiers import table
from gcn_lsp.syntax import nodes

# How well an operand fits a slot that does not take it: the form with the likeliest mistake has the best score.
_FITS, ALIGNMENT, WIDTH, RANGE, _OTHER_REGISTER, _OTHER_KIND, _KEYWORD = 10, 8, 7, 6, 3, 2, -8


_SURPLUS, _MISSING, _FURTHER_MISMATCH = -5, -4, -5


KEYWORD_NAMES = table.all_names()
"""Every keyword that some instruction of some target has."""


_LANE_MASKS = ("vcc", "vcc_lo")


POSITIONAL_TOKENS = ("off", *_LANE_MASKS)


class Mismatch(msgspec.Struct, frozen=True):
    """A slot and the operand that does not fit it; None if the operand is missing."""

    step: Step
    argument: Argument | None
    score: int


class Alignment(msgspec.Struct, frozen=True):
    """A candidate aligned with the operands: the mismatches, the operands left over, and the score."""

    matcher: Matcher
    score: int
    mismatches: tuple[Mismatch, ...]
    surplus: tuple[Argument, ...]


def align(context: TargetContext, matcher: Matcher, arguments: list[Argument]) -> Alignment:
    """The candidate aligned with the operands."""
    judge = context.judge
    score = index = 0
    mismatches: list[Mismatch] = []
    steps = matcher.steps
    for place, step in enumerate(steps):
        argument = arguments[index] if index < len(arguments) else None
        if argument is not None and judge.takes(step.number, step.rule, argument):
            score += _FITS
            index += 1
        elif argument is not None and _is_number_out_of_range(step, argument):
            score += RANGE
            index += 1
            mismatches.append(Mismatch(step, argument, RANGE))
        elif step.optional:
            continue
        elif argument is None or _is_skipped(context, argument, step, steps[place + 1 :]):
            score += _MISSING
            mismatches.append(Mismatch(step, None, _MISSING))
        else:
            fit = _affinity(step.rule, argument)
            if fit == _KEYWORD or (_is_keyword_slot(step) and not is_keyword(argument)):
                score += _MISSING
                mismatches.append(Mismatch(step, None, _MISSING))
                continue
            score += fit
            index += 1
            mismatches.append(Mismatch(step, argument, fit))
    surplus = tuple(arguments[index:])
    score += _SURPLUS * len(surplus) + _FURTHER_MISMATCH * max(0, len(mismatches) - 1)
    return Alignment(matcher, score, tuple(mismatches), surplus)


def quality(found: Alignment) -> tuple[int, int]:
    """The likelihood of a candidate: its score, then the number of slots before the first mismatch."""
    if not found.mismatches:
        return found.score, len(found.matcher.steps)
    return found.score, found.matcher.steps.index(found.mismatches[0].step)


def _is_number_out_of_range(step: Step, argument: Argument) -> bool:
    """Whether a number is at the place of an operand that may be left out and takes other numbers."""
    is_number = argument.kind == operands.NUMBER and not argument.is_float
    return step.optional and is_number and step.rule.names is None and step.rule.takes_numbers


def _is_skipped(context: TargetContext, argument: Argument, step: Step, later: tuple[Step, ...]) -> bool:
    """Whether the operand belongs to the next slot, so the one for this slot is missing."""
    if not later or _affinity(step.rule, argument) > _OTHER_REGISTER:
        return False
    if step.rule.token in _LANE_MASKS and argument.register is not None and argument.register.text in _LANE_MASKS:
        return False  # the mask for waves of another size
    following = next((other for other in later if not other.optional), None)
    return (
        following is not None
        and context.judge.takes(following.number, following.rule, argument)
        and bool(following.rule.token or step.rule.token)
    )


def _is_keyword_slot(step: Step) -> bool:
    return step.slot.role == "modifier" and step.rule.names is not None


def is_keyword(argument: Argument) -> bool:
    """Whether the operand is a modifier of some instruction of some target."""
    if argument.kind == operands.MODIFIER or (argument.kind == operands.MERGED and argument.name == operands.CACHE):
        return True
    return argument.kind == operands.NAME and (
        argument.name in KEYWORD_NAMES or argument.name.removeprefix("no") in KEYWORD_NAMES
    )


def _affinity(rule: Rule, argument: Argument) -> int:
    if rule.token:
        written = argument.register is not None or argument.kind == operands.NUMBER
        return _OTHER_KIND if written and rule.token in POSITIONAL_TOKENS else _KEYWORD
    if argument.register is not None:
        if rule.registers is None:
            return _OTHER_KIND
        return register_affinity(rule.registers, argument.register)
    if argument.kind == operands.NUMBER:
        return RANGE if rule.takes_numbers else _OTHER_KIND
    if is_keyword(argument):
        return _KEYWORD
    return _OTHER_KIND


def register_affinity(register_class: isa.RegisterClass, register: RegisterRef) -> int:
    """How close a register is to those of a class."""
    files = {part.file for part in register_class.ranges if part.dwords == register.count}
    if register.file in files:
        return ALIGNMENT
    if register.file in register_class.files:
        return WIDTH
    return _OTHER_REGISTER


def count_written(arguments: list[Argument]) -> int:
    """The number of written operands, without keywords and parts of other operands."""
    return sum(
        not is_keyword(argument)
        and argument.name not in (operands.FORMAT, operands.CHANNEL)
        and not isinstance(argument.node, nodes.DualIssue)
        for argument in arguments
    )


def is_positional(step: Step) -> bool:
    """Whether the slot is a counted operand and not a keyword."""
    return (
        not step.optional
        and step.slot.role != "modifier"
        and (not step.rule.token or step.rule.token in POSITIONAL_TOKENS)
    )

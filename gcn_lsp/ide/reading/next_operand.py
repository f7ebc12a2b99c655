"""The possible operands at the cursor: the slots that are open between the operands before and after it."""

from collections.abc import Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction import assembler, operands
from gcn_lsp.instruction.match import Candidates, Matcher, Step, TargetContext
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.registers import RegisterRef
from gcn_lsp.instruction.values import Scope
from gcn_lsp.patterns import regex
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax import operands as syntax
from gcn_lsp.syntax.statement import Statement

# After the operands: commas, and the source modifiers of the operand being written.
_LOOSE_END = regex(rb"(?:[ \t,]|::|-|\||\b(?:neg|abs|sext)\()*$")
_DUAL_ISSUE = b"::"


class Opening(msgspec.Struct, frozen=True):
    """The slots that the operand at the cursor may fill.

    steps: each once, in the order of the forms. cache_policy: the one that ends directly before the cursor and may
    continue with more flags, None if there is none.
    """

    context: TargetContext
    candidates: Candidates
    steps: tuple[Step, ...]
    cache_policy: int | None

    def takes(self, argument: Argument) -> bool:
        """Whether one of the slots accepts the operand."""
        judge = self.context.judge
        return any(judge.takes(step.number, step.rule, argument) for step in self.steps)

    def takes_register(self, text: str, is_modified: bool = False) -> bool:
        """Whether one of the slots accepts the register or tuple called `text`, with or without a source modifier."""
        names = self.context.names
        match = _TUPLE.fullmatch(text)
        if match is None:
            found = names.named(text)
        else:
            first, last = int(match[2]), int(match[3] or match[2])
            found = names.numbered(match[1], first, last - first + 1)
        if not isinstance(found, RegisterRef):
            return False
        bits = operands.NEG if is_modified else 0
        shape = (found.shape, bits) if bits else found.shape
        return self.takes(Argument(operands.REGISTER, NOWHERE, shape, found, 0, False, bits))

    def takes_number(self, value: "int | None") -> bool:
        """Whether one of the slots accepts a symbol with this value; None: only the build knows it."""
        if value is None:
            return any(step.rule.takes_numbers for step in self.steps)
        return self.takes(Argument(operands.NUMBER, NOWHERE, operands.integer_shape(value), None, value))

    def takes_address(self) -> bool:
        """Whether one of the slots accepts a label."""
        return self.takes(Argument(operands.EXPRESSION, NOWHERE, "expr"))


_TUPLE = regex(r"(v|s|a|ttmp)\[([0-9]+)(?::([0-9]+))?\]")
NOWHERE = nodes.Node(0, 0)
"""The place of operands that are not in the text."""


def opening(
    target: isa.Target, statement: Statement, start: int, end: int, symbols: Mapping[str, "int | None"]
) -> Opening:
    """The slots for bytes `start` to `end` of an instruction's operands."""
    context = assembler.context_of(target)
    candidates = context.candidates(statement.word)
    before, after = _around(context, candidates, statement, start, end, symbols)
    fitting: dict[tuple[int, str], Step] = {}
    possible: dict[tuple[int, str], Step] = {}
    for matcher in candidates.matchers:
        first = _first_open(context, matcher, before)
        if first is None:
            continue
        for place in range(first, len(matcher.steps)):
            step = matcher.steps[place]
            key = (step.number, step.slot.name)
            possible.setdefault(key, step)
            if key not in fitting and after and _fit(context, matcher, place + 1, after):
                fitting[key] = step
            if not step.optional:
                break
    last = before[-1] if before else None
    policy = last.value if last is not None and last.name == operands.CACHE else None
    # If operands after the cursor fit nowhere, entries are still offered, unless the line is complete.
    is_complete = bool(after) and context.match(candidates, [*before, *after]) is not None
    return Opening(context, candidates, tuple((fitting if fitting or is_complete else possible).values()), policy)


def viable(
    target: isa.Target, statement: Statement, column: int, symbols: Mapping[str, "int | None"]
) -> list[tuple[isa.Form, int]]:
    """The forms that accept the operands before `column`, each with the number of the next slot.

    If no more slots follow, that is the number of slots.
    """
    context = assembler.context_of(target)
    candidates = context.candidates(statement.word)
    before, _ = _around(context, candidates, statement, column, statement.end, symbols)
    found = ((matcher.form, _first_open(context, matcher, before)) for matcher in candidates.matchers)
    return [(form, place) for form, place in found if place is not None]


def _around(
    context: TargetContext,
    candidates: Candidates,
    statement: Statement,
    start: int,
    end: int,
    symbols: Mapping[str, "int | None"],
) -> tuple[list[Argument], list[Argument]]:
    """The operands before byte `start` and those from byte `end`."""
    line = statement.line.ljust(start)  # blanks at its end are not part of it
    loose = _LOOSE_END.search(line, statement.rest_start, start)
    cut = loose.start() if loose is not None else start
    written = syntax.parse(line, statement.rest_start, cut) if cut > statement.rest_start else ()
    following = tuple(
        node for node in statement.operands if node.start >= end and not isinstance(node, nodes.Malformed)
    )
    before, after = _arguments(context, candidates, written, following, Scope(context.target, symbols))
    if _DUAL_ISSUE in line[cut:start]:
        before.append(Argument(operands.NAME, NOWHERE, "::", None, 0, False, 0, "::"))
    return before, after


def _arguments(
    context: TargetContext,
    candidates: Candidates,
    before: tuple[nodes.Node, ...],
    after: tuple[nodes.Node, ...],
    scope: Scope,
) -> tuple[list[Argument], list[Argument]]:
    """The operands on both sides of the one at the cursor, which a meaningless name replaces."""
    here = nodes.Name(0, 0, "?")
    if candidates.whole:
        return [], []
    read = assembler.read_arguments(context, candidates, (*before, here, *after), scope)
    place = next(index for index, argument in enumerate(read) if argument.node is here)
    known = [_softened(argument, candidates) for argument in read]
    return known[:place], known[place + 1 :]


def _softened(argument: Argument, candidates: Candidates) -> Argument:
    """The argument, or one that may be anything for a macro's argument, a mistake or a name without a meaning."""
    is_bad = argument.kind == operands.BAD
    is_strange = argument.kind == operands.NAME and argument.name not in (*candidates.keywords, "::", "[", "]")
    return Argument(operands.UNKNOWN, argument.node, "?") if is_bad or is_strange else argument


def _first_open(context: TargetContext, matcher: Matcher, before: list[Argument]) -> int | None:
    """The number of the first slot after the operands; None if the form does not accept them."""
    index = 0
    judge = context.judge
    for place, step in enumerate(matcher.steps):
        if index == len(before):
            return place
        if judge.takes(step.number, step.rule, before[index]):
            index += 1
        elif not step.optional:
            return None
    return len(matcher.steps) if index == len(before) else None


def _fit(context: TargetContext, matcher: Matcher, first: int, after: list[Argument]) -> bool:
    """Whether the slots from `first` accept exactly the operands after the cursor."""
    index = 0
    judge = context.judge
    for step in matcher.steps[first:]:
        if index < len(after) and judge.takes(step.number, step.rule, after[index]):
            index += 1
        elif not step.optional:
            return False
    return index == len(after)

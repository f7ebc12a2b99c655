"""Finds the one problem that explains why no form takes a statement: at the operand at fault, with what the slot takes.

Every candidate is aligned with the operands, tolerating mistakes; the candidate with the best score is assumed to be
meant, and its first mismatch is reported.
"""

from gcn_lsp.instruction import operands
from gcn_lsp.instruction.match import Candidates, TargetContext
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.rejection import alignment, other_targets, wrong_keywords, wrong_operands
from gcn_lsp.instruction.rejection.other_targets import Trial
from gcn_lsp.syntax.statement import Statement


def no_match(
    context: TargetContext, candidates: Candidates, arguments: list[Argument], statement: Statement, trial: Trial
) -> tuple[Problem, ...]:
    """Why no candidate takes the operands; several problems only for independent mistakes."""
    word = wrong_keywords.renamed_policies(context, candidates, arguments, statement, trial)
    word = wrong_keywords.misspelled(candidates, arguments, trial) if word is None else word
    word = wrong_keywords.divided_value(arguments, statement, trial) if word is None else word
    word = wrong_keywords.late_format(arguments, statement, trial) if word is None else word
    word = wrong_keywords.misplaced_format(arguments, statement, trial) if word is None else word
    word = wrong_keywords.destination_of_lds(arguments, statement, trial) if word is None else word
    word = wrong_keywords.exclusive(candidates, arguments) if word is None else word
    word = wrong_keywords.absent(context, candidates, arguments) if word is None else word
    word = wrong_operands.wrong_second(candidates, arguments, statement) if word is None else word
    if word is not None:
        return (word,)
    problems = _own_mistakes(context, candidates, arguments, statement)
    return other_targets.with_other_meaning(context.target, candidates, statement, problems, trial)


def _own_mistakes(
    context: TargetContext, candidates: Candidates, arguments: list[Argument], statement: Statement
) -> tuple[Problem, ...]:
    disorder = wrong_keywords.disorder(context, candidates, arguments, statement)
    if disorder is not None:
        return (disorder,)
    best = max((alignment.align(context, matcher, arguments) for matcher in candidates.matchers), key=alignment.quality)
    if best.mismatches:
        certain = [found for found in best.mismatches if found.score >= alignment.RANGE]
        if len(certain) > 1 and len(certain) == len(best.mismatches) and not best.surplus:
            return tuple(
                wrong_operands.explain(context, candidates, best, found, arguments, statement) for found in certain
            )
        first = best.mismatches[0]
        if first.argument is None and best.surplus:
            return (_surplus(context, candidates, best, best.surplus[0], arguments, statement),)
        return (wrong_operands.explain(context, candidates, best, first, arguments, statement),)
    if best.surplus:
        return (_surplus(context, candidates, best, best.surplus[0], arguments, statement),)
    return (
        Problem(
            "wrong-operand-kind",
            statement.name_start,
            statement.name_end,
            f"{statement.word} does not take these operands",
        ),
    )


def _surplus(
    context: TargetContext,
    candidates: Candidates,
    best: alignment.Alignment,
    argument: Argument,
    arguments: list[Argument],
    statement: Statement,
) -> Problem:
    """The problem of an operand that is left over."""
    node = argument.node
    before = arguments[arguments.index(argument) - 1]
    if before.is_float and not before.modifiers and statement.line[node.start : node.start + 1] in (b"+", b"-"):
        message = "expressions take integers only, not floating-point numbers"
        return Problem("syntax-error", before.node.start, node.end, message)
    problem = wrong_operands.long_list(candidates, arguments, statement)
    if problem is not None:
        return problem
    if argument.kind in (operands.NAME, operands.MODIFIER) or alignment.is_keyword(argument):
        return wrong_keywords.unknown_keyword(context, candidates, argument, statement, arguments)
    names = [
        step.slot.name or step.rule.token
        for step in best.matcher.steps
        if step.slot.role == "operand" or alignment.is_positional(step)
    ]
    written = alignment.count_written(arguments)
    takes = "no operands" if not names else "one operand" if len(names) == 1 else f"{len(names)} operands"
    listed = f" ({', '.join(names)})" if names else ""
    message = f"{statement.word} takes {takes}{listed}; got {written}"
    return Problem("wrong-operand-count", node.start, node.end, message)

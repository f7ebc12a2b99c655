"""Adds the nearest legal line to the problem of a rejected one; each suggestion is assembled first.

It tries the mnemonic without the suffix that forces an encoding, the registers next to one that is in the wrong place
(alignment, banks of dual issue), the line without the surplus modifier, the line with two operands exchanged whose
widths are each other's, the line with a literal as the first of two sources, and, where a constant is too large, the
instruction that takes a literal. The first and the last two mean the same, so their fix is certain; the others are for
the author to judge.
"""

import re
from collections.abc import Iterator
from itertools import chain, combinations

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction import registers
from gcn_lsp.instruction.match import Candidates
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.instruction.rejection.other_targets import Trial
from gcn_lsp.isa.machine import commuting
from gcn_lsp.patterns import regex
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import message

_TUPLE = regex(r"(v|s|a|ttmp)(?:\[(\d+):(\d+)\]|(\d+))", re.IGNORECASE)
_MISALIGNED = "misaligned-register"
_OF_REGISTERS = (_MISALIGNED, "register-out-of-range", "operand-conflict")
_OF_MODIFIERS = ("unknown-modifier", "unsupported-on-target")
_LONGEST_STEP = 4  # registers from one start of a tuple to the next

_Suggestion = tuple[str, tuple[LineFix, ...]]


def with_suggestion(
    problems: tuple[Problem, ...], target: isa.Target, candidates: Candidates, statement: Statement, trial: Trial
) -> tuple[Problem, ...]:
    """The problems of a rejected statement; a single one gets the nearest legal line, if there is one.

    So do several tuples that are all misaligned.
    """
    exchanged = _exchanged(problems, statement, trial)
    if exchanged is not None:
        return (exchanged,)
    if all(each.rule == _MISALIGNED for each in problems):
        together = _aligned_together(problems, statement, trial)
        if together != problems:
            return together
    if len(problems) != 1 or any(fix.is_certain for fix in problems[0].fixes):
        return problems
    problem = problems[0]
    found = next(
        chain(
            _without_suffix(candidates, statement, trial),
            _other_tuple(problem, target, statement, trial),
            _without_modifier(problem, statement, trial),
            _with_literal(problem, candidates, statement, trial),
            _with_literal_first(problem, candidates, statement, trial),
        ),
        None,
    )
    if found is None:
        return problems
    more, fixes = found
    return (msgspec.structs.replace(problem, said=message("{}; {}", problem.said, more), fixes=fixes + problem.fixes),)


def _exchanged(problems: tuple[Problem, ...], statement: Statement, trial: Trial) -> Problem | None:
    """The problem of two operands of which each has the other's place, as data before the address of a store."""
    if not problems or any(each.rule != "wrong-register-width" for each in problems):
        return None
    nodes, line = statement.operands, statement.line
    wrong = {each.start for each in problems}
    for one, other in combinations(nodes, 2):
        if wrong <= {one.start, other.start}:
            between = line[one.end : other.start]
            text = (line[other.start : other.end] + between + line[one.start : one.end]).decode("utf-8", "replace")
            if trial.takes_text(one.start, other.end, text):
                names = (line[each.start : each.end].decode("utf-8", "replace") for each in (one, other))
                said = message("{}; with `{}` and `{}` exchanged the line is legal", problems[0].said, *names)
                fix = LineFix("Exchange the two operands", one.start, other.end, text, is_certain=False)
                return msgspec.structs.replace(problems[0], said=said, fixes=(fix,))
    return None


def _with_literal(
    problem: Problem, candidates: Candidates, statement: Statement, trial: Trial
) -> Iterator[_Suggestion]:
    """The instruction with a literal in place of one with a constant of 16 bits: `s_mov_b32` of `s_movk_i32`."""
    if problem.rule != "immediate-out-of-range" or _SHORT not in candidates.base or not statement.operands:
        return
    name = candidates.base.replace(_SHORT, "_", 1)
    names = (name, name.rpartition("_")[0] + "_b32")
    start, end = statement.name_start, statement.operands[0].end
    result = statement.line[statement.operands[0].start : end].decode("utf-8", "replace")
    for text in (f"{name} {each}" for name in names for each in (result, f"{result}, {result}")):
        if trial.takes_text(start, end, text):
            word = text.partition(" ")[0]
            yield f"`{word}` takes a literal", (LineFix(f"Change to `{word}`", start, end, text),)
            return


_SHORT = "k_"


def _with_literal_first(
    problem: Problem, candidates: Candidates, statement: Statement, trial: Trial
) -> Iterator[_Suggestion]:
    """The line with its sources exchanged, where that means the same: VOP2 takes a literal as the first one."""
    if problem.rule != "literal-not-allowed" or commuting.COMMUTES.fullmatch(candidates.base) is None:
        return
    nodes, line = statement.operands, statement.line
    index = next((number for number, node in enumerate(nodes) if node.start == problem.start), 0)
    if index > 1:
        first, literal = nodes[index - 1], nodes[index]
        text = line[literal.start : literal.end] + line[first.end : literal.start] + line[first.start : first.end]
        written = text.decode("utf-8", "replace")
        if trial.takes_text(first.start, literal.end, written):
            fix = LineFix("Exchange the two sources", first.start, literal.end, written)
            yield "as the first source it is allowed", (fix,)


def _without_suffix(candidates: Candidates, statement: Statement, trial: Trial) -> Iterator[_Suggestion]:
    base, suffix = candidates.base, candidates.suffix
    if suffix and trial.takes(base):
        fix = LineFix(f"Change to `{base}`", statement.name_start, statement.name_end, base)
        yield f"`{base}` without `{suffix}` takes these operands", (fix,)


def _other_tuple(problem: Problem, target: isa.Target, statement: Statement, trial: Trial) -> Iterator[_Suggestion]:
    """The nearest tuples of the same length on both sides."""
    written = _tuple_at(statement, problem.start, problem.end) if problem.rule in _OF_REGISTERS else None
    if written is None:
        return
    file, first, count = written
    limit = target.file_sizes.get(file, 0) - count  # the last start that there can be
    if limit < 0 or count <= (problem.rule == "register-out-of-range"):  # the message says what the last single one is
        return
    below = range(min(first - 1, limit), max(min(first - 1, limit) - _LONGEST_STEP, -1), -1)
    above = range(first + 1, min(first + _LONGEST_STEP, limit + 1))
    found = []
    for starts in (below, above):
        texts = (registers.tuple_text(file, start, count) for start in starts)
        found += [next((text for text in texts if trial.takes_text(problem.start, problem.end, text)), "")]
    legal = [text for text in found if text]
    if legal:
        yield _named(problem, legal)


def _named(problem: Problem, legal: list[str]) -> _Suggestion:
    """The legal texts in place of an operand, in words and as fixes."""
    shown = " and ".join(f"`{text}`" for text in legal)
    start, end = problem.start, problem.end
    fixes = tuple(LineFix(f"Change to `{text}`", start, end, text, is_certain=False) for text in legal)
    return f"the nearest legal {'ones are' if len(legal) > 1 else 'one is'} {shown}", fixes


def _tuple_at(statement: Statement, start: int, end: int) -> "tuple[str, int, int] | None":
    """The file, the first register and the count of the tuple that is written there, if it is written in numbers."""
    match = _TUPLE.fullmatch(statement.line[start:end].decode("utf-8", "replace"))
    if match is None:
        return None
    first, last = (int(match[2]), int(match[3])) if match[2] else (int(match[4]), int(match[4]))
    return match[1].lower(), first, last - first + 1


def _aligned_together(problems: tuple[Problem, ...], statement: Statement, trial: Trial) -> tuple[Problem, ...]:
    """Each of several misaligned tuples with the aligned ones beside it; the line is tried with all of them aligned."""
    sides = {(each.start, each.end): _sides(statement, each.start, each.end) for each in problems}
    for node in statement.operands:  # only the first misaligned tuple of SGPRs is a problem
        found = _sides(statement, node.start, node.end)
        if found is not None and found[0].startswith(_SCALAR):
            sides.setdefault((node.start, node.end), found)
    places = sorted(sides)
    if len(places) == 1 or None in sides.values():
        return problems

    def takes(place: tuple[int, int], text: str) -> bool:
        written, end = "", places[0][0]
        for each in places:
            aligned = sides[each]
            assert aligned is not None
            between = statement.line[end : each[0]].decode("utf-8", "replace")
            written, end = f"{written}{between}{text if each == place else aligned[0]}", each[1]
        return trial.takes_text(places[0][0], end, written)

    suggested = []
    for problem in problems:
        place = problem.start, problem.end
        legal = [text for text in sides[place] or () if takes(place, text)]
        if not legal:
            return problems
        more, fixes = _named(problem, legal)
        said = message("{}; {}", problem.said, more)
        suggested.append(msgspec.structs.replace(problem, said=said, fixes=fixes + problem.fixes))
    return tuple(suggested)


def _sides(statement: Statement, start: int, end: int) -> "tuple[str, str] | None":
    """The aligned tuples below and above the one that is written there; None if it is aligned or none."""
    written = _tuple_at(statement, start, end)
    if written is None:
        return None
    file, first, count = written
    step = registers.scalar_step(count) if file in _SCALAR else _VECTOR_STEP
    aligned = first - first % step
    if aligned == first:
        return None
    return registers.tuple_text(file, aligned, count), registers.tuple_text(file, aligned + step, count)


_SCALAR = ("s", "ttmp")
_VECTOR_STEP = 2  # where tuples of VGPRs and AccVGPRs are aligned at all


_POLICIES = frozenset(("dlc", "th", "scope"))  # without a name of its own on other targets
_ATOMIC = "_atomic_"  # of which a policy says whether they return something


def _without_modifier(problem: Problem, statement: Statement, trial: Trial) -> Iterator[_Suggestion]:
    if problem.rule not in _OF_MODIFIERS or problem.fixes or problem.start < statement.name_end:
        return
    node = next((node for node in statement.operands if node.start == problem.start and node.end >= problem.end), None)
    if node is None:
        return
    blank = statement.line[: node.start].rstrip()
    comma = len(blank) - 1 if blank.endswith(b",") else node.start
    start = next((each for each in dict.fromkeys((node.start, comma)) if trial.takes_text(each, node.end, "")), None)
    if start is not None:
        written = statement.line[node.start : node.end].decode("utf-8", "replace")
        is_policy = written.partition(":")[0] in _POLICIES and _ATOMIC not in statement.word
        fix = LineFix(f"Remove `{written}`", min(start, len(blank)), node.end, "", is_certain=False)
        yield f"without `{written}` the line is legal", (fix,) if is_policy else ()

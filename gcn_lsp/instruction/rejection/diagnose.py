"""Says in one problem why no form takes a statement: at the operand at fault, with what it is and what the slot takes.

Every candidate is aligned with the operands as if each mistake were forgiven; the candidate with the best score is
the one that was meant, and its first mismatch is reported.
"""

import difflib
from itertools import pairwise
from typing import cast

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction import immediates, operands, registers, slots
from gcn_lsp.instruction.match import Candidates, Matcher, Step, TargetContext
from gcn_lsp.instruction.model import Fix, Problem
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.registers import RegisterRef
from gcn_lsp.instruction.rejection import other_targets
from gcn_lsp.instruction.rejection.other_targets import Trial
from gcn_lsp.instruction.slots import Rule
from gcn_lsp.isa.modifiers import cache_policy, dpp, sdwa, table
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement

# How well an operand fits a slot that does not take it, so that the form with the likeliest mistake is chosen.
_FITS, _ALIGNMENT, _WIDTH, _RANGE, _OTHER_REGISTER, _OTHER_KIND, _KEYWORD = 10, 8, 7, 6, 3, 2, -8
_SURPLUS, _MISSING, _FURTHER_MISMATCH = -5, -4, -5

_HALF_BITS = 16
_TRIED_WORDS, _LEAST_LIKENESS = 2, 0.6
_CACHE_WORDS = {row.name: row.bit for row in cache_policy.EARLY_ROWS}
_FIRST_HINTS = 12  # the generation whose cache policies are `th:` and `scope:`
_KEYWORD_NAMES = table.all_names()
"""Every keyword that some instruction of some target has."""

_LANE_MASKS = ("vcc", "vcc_lo")
_POSITIONAL_TOKENS = ("off", *_LANE_MASKS)
_NO_MISTAKES = _KEYWORD_NAMES | {*_POSITIONAL_TOKENS}  # words that mean what they say, if elsewhere


# -- the operands --------------------------------------------------------------------------------------------------


class Mismatch(msgspec.Struct, frozen=True):
    """A slot and the operand that stands there and does not fit, None when the operand is missing."""

    step: Step
    argument: Argument | None
    score: int


class Alignment(msgspec.Struct, frozen=True):
    """A candidate laid along the operands: what does not fit, what is left over, and how good that is."""

    matcher: Matcher
    score: int
    mismatches: tuple[Mismatch, ...]
    surplus: tuple[Argument, ...]


def no_match(
    context: TargetContext, candidates: Candidates, arguments: list[Argument], statement: Statement, trial: Trial
) -> tuple[Problem, ...]:
    """Why no candidate takes the operands; several problems only when they are mistakes of their own."""
    word = _renamed_policies(context, candidates, arguments, statement, trial)
    word = _misspelled(candidates, arguments, trial) if word is None else word
    word = _divided_value(arguments, statement, trial) if word is None else word
    word = _wrong_second(candidates, arguments, statement) if word is None else word
    if word is not None:
        return (word,)
    problems = _own_mistakes(context, candidates, arguments, statement)
    return other_targets.with_other_meaning(context.target, candidates, statement, problems, trial)


def _own_mistakes(
    context: TargetContext, candidates: Candidates, arguments: list[Argument], statement: Statement
) -> tuple[Problem, ...]:
    disorder = _disorder(context, candidates, arguments, statement)
    if disorder is not None:
        return (disorder,)
    best = max((_align(context, matcher, arguments) for matcher in candidates.matchers), key=_quality)
    if best.mismatches:
        certain = [found for found in best.mismatches if found.score >= _RANGE]
        if len(certain) > 1 and len(certain) == len(best.mismatches) and not best.surplus:
            return tuple(_explain(context, candidates, best, found, arguments, statement) for found in certain)
        first = best.mismatches[0]
        if first.argument is None and best.surplus:
            return (_surplus(context, candidates, best, best.surplus[0], arguments, statement),)
        return (_explain(context, candidates, best, first, arguments, statement),)
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


def _align(context: TargetContext, matcher: Matcher, arguments: list[Argument]) -> Alignment:
    judge = context.judge
    score = index = 0
    mismatches: list[Mismatch] = []
    steps = matcher.steps
    for place, step in enumerate(steps):
        argument = arguments[index] if index < len(arguments) else None
        if argument is not None and judge.takes(step.number, step.rule, argument):
            score += _FITS
            index += 1
        elif step.optional:
            continue
        elif argument is None or _is_skipped(context, argument, step, steps[place + 1 :]):
            score += _MISSING
            mismatches.append(Mismatch(step, None, _MISSING))
        else:
            fit = _affinity(step.rule, argument)
            if fit == _KEYWORD or (_is_keyword_slot(step) and not _is_keyword(argument)):
                score += _MISSING
                mismatches.append(Mismatch(step, None, _MISSING))
                continue
            score += fit
            index += 1
            mismatches.append(Mismatch(step, argument, fit))
    surplus = tuple(arguments[index:])
    score += _SURPLUS * len(surplus) + _FURTHER_MISMATCH * max(0, len(mismatches) - 1)
    return Alignment(matcher, score, tuple(mismatches), surplus)


def _quality(found: Alignment) -> tuple[int, int]:
    """What makes a candidate likely to be meant: its score, then how far it got before the first mismatch."""
    if not found.mismatches:
        return found.score, len(found.matcher.steps)
    return found.score, found.matcher.steps.index(found.mismatches[0].step)


def _is_skipped(context: TargetContext, argument: Argument, step: Step, later: tuple[Step, ...]) -> bool:
    """Whether the operand is the next slot's, so that the one for this slot is missing."""
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


def _is_keyword(argument: Argument) -> bool:
    if argument.kind == operands.MODIFIER or (argument.kind == operands.MERGED and argument.name == operands.CACHE):
        return True
    return argument.kind == operands.NAME and (
        argument.name in _KEYWORD_NAMES or argument.name.removeprefix("no") in _KEYWORD_NAMES
    )


def _affinity(rule: Rule, argument: Argument) -> int:
    if rule.token:
        written = argument.register is not None or argument.kind == operands.NUMBER
        return _OTHER_KIND if written and rule.token in _POSITIONAL_TOKENS else _KEYWORD
    if argument.register is not None:
        if rule.registers is None:
            return _OTHER_KIND
        return _register_affinity(rule.registers, argument.register)
    if argument.kind == operands.NUMBER:
        return _RANGE if rule.takes_numbers else _OTHER_KIND
    if _is_keyword(argument):
        return _KEYWORD
    return _OTHER_KIND


def _register_affinity(register_class: isa.RegisterClass, register: RegisterRef) -> int:
    files = {part.file for part in register_class.ranges if part.dwords == register.count}
    if register.file in files:
        return _ALIGNMENT
    if register.file in register_class.files:
        return _WIDTH
    return _OTHER_REGISTER


def _explain(
    context: TargetContext,
    candidates: Candidates,
    best: Alignment,
    mismatch: Mismatch,
    arguments: list[Argument],
    statement: Statement,
) -> Problem:
    step, argument = mismatch.step, mismatch.argument
    rule = step.rule
    if argument is None:
        return _missing(candidates, best, step, arguments, statement)
    node = argument.node
    name = step.slot.name or rule.token
    if argument.kind == operands.REGISTER:
        return _wrong_register(context, candidates, step, argument)
    if argument.kind == operands.NUMBER:
        return _wrong_number(context, step, argument)
    if _is_keyword(argument):
        return _unknown_keyword(context, candidates, best, argument, statement)
    if argument.kind == operands.CALL:
        return Problem(
            "wrong-operand-kind",
            node.start,
            node.end,
            f"`{_text(statement.line, node)}` stands where {name} takes {describe(rule)}",
        )
    if argument.kind == operands.NAME or argument.kind == operands.EXPRESSION:
        what = f"`{argument.name}`" if argument.name else "this expression"
        if rule.token:
            return Problem(
                "wrong-operand-kind", node.start, node.end, f"{what} stands where {statement.word} wants `{rule.token}`"
            )
        if rule.names is not None:
            return Problem(
                "wrong-operand-kind", node.start, node.end, f"{what} stands where {name} takes {describe(rule)}"
            )
        if argument.name == _NO_ADDRESS:
            return Problem("wrong-operand-kind", node.start, node.end, _no_address(step, arguments))
        return Problem(
            "undefined-symbol",
            node.start,
            node.end,
            f"{what} is no register and has no value here; {name} takes {describe(rule)}",
        )
    return Problem("wrong-operand-kind", node.start, node.end, f"{name} takes {describe(rule)}")


_NO_ADDRESS = "off"
_WITH_ADDRESS = ("offen", "idxen", "addr64")


def _no_address(step: Step, arguments: list[Argument]) -> str:
    word = next((argument.name for argument in arguments if argument.name in _WITH_ADDRESS), "")
    wants = f"`{word}` reads {step.slot.name} from" if word else f"here {step.slot.name} takes"
    return f"`{_NO_ADDRESS}` says that there is no register; {wants} {describe(step.rule)}"


def _missing(
    candidates: Candidates, best: Alignment, step: Step, arguments: list[Argument], statement: Statement
) -> Problem:
    rule = step.rule
    start, end = statement.name_start, statement.name_end
    if rule.token and not rule.token[0].isalnum():
        return Problem("wrong-operand-count", start, end, f"`{rule.token}` is missing")
    if not _is_positional(step) and (rule.token or rule.names is not None):
        alternatives = (
            _alternatives(candidates, best) if rule.token else sorted(name.rstrip(":") for name in rule.names or ())
        )
        words = " or ".join(f"`{word}`" for word in alternatives[:4])
        return Problem("missing-modifier", start, end, f"{statement.word} with these operands needs {words}")
    names = [step.slot.name or step.rule.token for step in best.matcher.steps if _is_positional(step)]
    written = _count_written(arguments)
    takes = "one operand" if len(names) == 1 else f"{len(names)} operands"
    has = f"{written} are written" if written > 1 else "one is written" if written else "none is written"
    message = f"{statement.word} takes {takes} ({', '.join(names)}); {has}"
    return Problem("wrong-operand-count", start, end, message)


def _count_written(arguments: list[Argument]) -> int:
    """How many operands are written, keywords and what goes with another operand not counted."""
    return sum(
        not _is_keyword(argument)
        and argument.name not in (operands.FORMAT, operands.CHANNEL)
        and not isinstance(argument.node, nodes.DualIssue)
        for argument in arguments
    )


def _is_positional(step: Step) -> bool:
    return (
        not step.optional
        and step.slot.role != "modifier"
        and (not step.rule.token or step.rule.token in _POSITIONAL_TOKENS)
    )


def _alternatives(candidates: Candidates, best: Alignment) -> list[str]:
    """The tokens that forms like the best one want where it wants its own."""
    found: dict[str, None] = {}
    for matcher in candidates.matchers:
        if [step.slot.name for step in matcher.steps if step.slot.name] == [
            step.slot.name for step in best.matcher.steps if step.slot.name
        ]:
            words = [step.rule.token for step in matcher.steps if step.rule.token and step.rule.token != "off"]
            if words:
                found[" ".join(words)] = None
    shortest = min((words.count(" ") for words in found), default=0)
    return [words for words in found if words.count(" ") == shortest]


def _wrong_register(context: TargetContext, candidates: Candidates, step: Step, argument: Argument) -> Problem:
    register = cast("RegisterRef", argument.register)
    rule, node = step.rule, argument.node
    name = step.slot.name or rule.token
    if rule.token:
        return Problem(
            "wrong-operand-kind", node.start, node.end, f"`{register.text}` stands where `{rule.token}` must be written"
        )
    register_class = rule.registers
    if argument.modifiers and rule.source_modifiers == slots.NO_MODIFIERS:
        return Problem("unknown-modifier", node.start, node.end, f"{name} takes no source modifiers")
    if slots.lacks_doubles(step.slot, rule):
        message = f"{context.target.name} has no DPP on 64-bit operands"
        return Problem("unsupported-on-target", node.start, node.end, message)
    if register_class is None:
        return Problem(
            "wrong-operand-kind", node.start, node.end, f"`{register.text}` stands where {name} takes {describe(rule)}"
        )
    wanted = register_class.bits // 32
    fit = _register_affinity(register_class, register)
    if fit == _ALIGNMENT and bool(register.half) != (register_class.bits == _HALF_BITS):
        whole = registers.tuple_text(register.file, register.first, 1)
        takes = f"a whole one, `{whole}`" if register.half else f"half of one, `{whole}.l` or `{whole}.h`"
        is_ = "half a register" if register.half else "a whole register"
        message = f"`{register.text}` is {is_}; {name} takes {takes}"
        return Problem("wrong-register-width", node.start, node.end, message)
    if fit == _ALIGNMENT and register.count > 1:
        return Problem(
            "misaligned-register",
            node.start,
            node.end,
            f"`{register.text}` starts at {register.first}; on {context.target.name} "
            f"{registers.kind_name(register.file)} tuples of {name} start at even numbers",
        )
    if fit == _ALIGNMENT:
        return Problem(
            "register-out-of-range", node.start, node.end, f"`{register.text}` is out of the range of {name}"
        )
    if fit == _WIDTH or (register.is_special and register.count != wanted and not _takes_special_width(register_class)):
        takes = f"{name} takes {_dwords(wanted)}{_example(register, wanted)}"
        message = f"`{register.text}` has {_dwords(register.count)}; {takes}"
        return Problem("wrong-register-width", node.start, node.end, message)
    return Problem(
        "wrong-operand-kind", node.start, node.end, f"`{register.text}` stands where {name} takes {describe(rule)}"
    )


def _takes_special_width(register_class: isa.RegisterClass) -> bool:
    return not register_class.specials


def _example(register: RegisterRef, wanted: int) -> str:
    """How the operand would be written at the right width, when that is plain."""
    if register.is_special:
        return ""
    step = 1 if register.file in ("v", "a") else min(1 << (wanted - 1).bit_length(), 4)
    first = register.first - register.first % step
    return f", as in `{registers.tuple_text(register.file, first, wanted)}`"


def _dwords(count: int) -> str:
    return "one dword" if count == 1 else f"{count} dwords"


def _wrong_number(context: TargetContext, step: Step, argument: Argument) -> Problem:
    rule, node = step.rule, argument.node
    name = step.slot.name or rule.token
    text = operands.number_text(argument)
    if rule.token or not rule.takes_numbers:
        return Problem("wrong-operand-kind", node.start, node.end, f"{text} stands where {name} takes {describe(rule)}")
    if rule.integer:
        if argument.is_float:
            return Problem("wrong-operand-kind", node.start, node.end, f"{text} stands where {name} takes an integer")
        return Problem(
            "immediate-out-of-range", node.start, node.end, f"{text} is out of range: {name} takes {describe(rule)}"
        )
    if not rule.literals:
        return Problem(
            "literal-not-allowed", node.start, node.end, f"{text} is no inline constant; {name} takes {describe(rule)}"
        )
    kind = rule.literals[-1]
    if argument.is_float and kind in ("i64",):
        why = "" if argument.modifiers & operands.LIT else f"{text} is no inline constant; "
        message = f"{why}a 64-bit integer takes no floating-point literal"
        return Problem("literal-not-allowed", node.start, node.end, message)
    bits = 16 if kind in ("i16", "f16", "bf16") else 32
    if argument.is_float:
        return Problem(
            "immediate-out-of-range",
            node.start,
            node.end,
            f"{text} does not fit the {bits}-bit float that {name} takes",
        )
    if (
        argument.modifiers & operands.FLOAT_MODIFIERS
        and kind == "f64"
        and immediates.fits_literal(argument.value, False, kind, False, False)
    ):
        return Problem("unknown-modifier", node.start, node.end, f"{name} takes no sign modifier on an integer")
    return Problem(
        "immediate-out-of-range", node.start, node.end, f"{text} does not fit in the {bits} bits that {name} takes"
    )


# -- keywords ------------------------------------------------------------------------------------------------------


def _surplus(
    context: TargetContext,
    candidates: Candidates,
    best: Alignment,
    argument: Argument,
    arguments: list[Argument],
    statement: Statement,
) -> Problem:
    """An operand that is left over."""
    node = argument.node
    before = arguments[arguments.index(argument) - 1]
    if before.is_float and not before.modifiers and statement.line[node.start : node.start + 1] in (b"+", b"-"):
        message = "expressions are made of integers: a floating-point number stands alone"
        return Problem("syntax-error", before.node.start, node.end, message)
    problem = _long_list(candidates, arguments, statement)
    if problem is not None:
        return problem
    if argument.kind in (operands.NAME, operands.MODIFIER) or _is_keyword(argument):
        return _unknown_keyword(context, candidates, best, argument, statement, arguments)
    names = [
        step.slot.name or step.rule.token
        for step in best.matcher.steps
        if step.slot.role == "operand" or _is_positional(step)
    ]
    written = _count_written(arguments)
    takes = "no operands" if not names else "one operand" if len(names) == 1 else f"{len(names)} operands"
    listed = f" ({', '.join(names)})" if names else ""
    has = "one is written" if written == 1 else f"{written} are written"
    return Problem("wrong-operand-count", node.start, node.end, f"{statement.word} takes {takes}{listed}; {has}")


# Keywords of vector instructions, the first and the last generation that has them (None: no last one), and why.
_ENCODINGS: tuple[tuple[frozenset[str], int, int | None, str], ...] = (
    (frozenset(("dpp8",)), 10, None, "DPP8 came with gfx10"),
    (frozenset(("fi",)), 10, None, "DPP has that from gfx10 on"),
    (frozenset((*dpp.all_names(), "row_mask", "bank_mask", "bound_ctrl")), 8, None, "DPP came with gfx8"),
    (frozenset(sdwa.MODIFIERS), 8, 10, "gfx8 to gfx10 have SDWA"),
)


def _of_other_encoding(name: str, target: isa.Target) -> str:
    """Why a target without the encoding that a keyword belongs to does not take it; empty when it has that."""
    for words, first, last, why in _ENCODINGS:
        if name in words and not first <= target.generation_number <= (last or target.generation_number):
            return f"{target.name} has no `{name}`: {why}"
    return ""


_LIST_START, _LIST_END = "[", "]"


def _long_list(candidates: Candidates, arguments: list[Argument], statement: Statement) -> Problem | None:
    """More addresses in brackets than any form has."""
    names = [argument.name for argument in arguments]
    if _LIST_START not in names or _LIST_END not in names:
        return None
    first, last = names.index(_LIST_START), names.index(_LIST_END)
    counts = (
        sum(step.slot.name.startswith("vaddr") for step in matcher.steps)
        for matcher in candidates.matchers
        if any(step.rule.token == _LIST_END for step in matcher.steps)
    )
    most = max(counts, default=0)
    if last - first - 1 <= most:
        return None
    message = f"{last - first - 1} registers stand in the brackets; {statement.word} takes at most {most} of them here"
    return Problem("wrong-operand-count", arguments[first].node.start, arguments[last].node.end, message)


def _unknown_keyword(
    context: TargetContext,
    candidates: Candidates,
    best: Alignment,
    argument: Argument,
    statement: Statement,
    arguments: list[Argument] | None = None,
) -> Problem:
    node, name = argument.node, argument.name
    if name == operands.CACHE:
        name = " ".join(part.name for part in argument.parts if isinstance(part, nodes.Name))
    end = node.name_end if isinstance(node, nodes.Modifier) else node.end
    shape = argument.shape
    if arguments is not None and sum(other.shape == shape or other.name == argument.name for other in arguments) > 1:
        return Problem(
            "duplicate-modifier", node.start, node.end, f"`{name}` stands twice", (_removal(node, f"remove `{name}`"),)
        )
    target = context.target.name
    message = _of_other_encoding(name, context.target) if candidates.base.startswith("v_") else ""
    if message:
        return Problem("unsupported-on-target", node.start, end, message)
    controls = dpp.controls(context.target.features)
    if controls and name in dpp.CONTROLS and name not in controls:
        return Problem("unsupported-on-target", node.start, end, f"{target} has no DPP control `{name}`")
    if candidates.cache is not None and name in _CACHE_WORDS and name not in candidates.cache:
        flags = ", ".join(candidates.cache)
        if context.target.generation_number >= _FIRST_HINTS:
            flags = "hints and scopes, as in `th:TH_LOAD_NT scope:SCOPE_SYS`"
        return Problem(
            "unsupported-on-target", node.start, end, f"{target} has no cache policy `{name}` here; it has {flags}"
        )
    if candidates.cache is not None and argument.name == operands.CACHE:
        forms = [matcher.form for matcher in candidates.matchers]
        returns = any("IsAtomicRet" in form.flags for form in forms)
        if not returns and argument.value & cache_policy.GLC and any("IsAtomicNoRet" in form.flags for form in forms):
            message = f"{statement.word} returns no value on {target}, which `{name}` asks for"
        else:
            message = f"{statement.word} takes no `{name}` with these operands"
        return Problem("unknown-modifier", node.start, end, message)
    shapes = _shapes_of(candidates)
    if argument.kind == operands.NAME and name + ":" in shapes:
        return Problem("syntax-error", node.start, node.end, f"`{name}` needs a value, as in `{name}:1`")
    if argument.kind == operands.MODIFIER and name in shapes:
        return Problem(
            "syntax-error",
            node.start,
            node.end,
            f"`{name}` takes no value",
            (Fix(f"write `{name}`", node.start, node.end, name),),
        )
    if candidates.suffix and shape in _shapes_of(context.candidates(candidates.base)):
        return Problem(
            "unknown-modifier",
            node.start,
            end,
            f"the {candidates.suffix} encoding of {candidates.base} takes no `{name}`",
        )
    if shape in shapes:
        return Problem("unknown-modifier", node.start, end, f"{statement.word} takes no `{name}` with these operands")
    absent = {
        word for word, bit in (candidates.cache or {}).items() if not bit & cache_policy.bits(context.target.features)
    }
    known = sorted({word.rstrip(":") for word in shapes - absent if not word.startswith("no")})
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
    if name not in _KEYWORD_NAMES and near:
        fix = Fix(f"change to {near[0]}", node.start, end, near[0])
        return Problem(
            "unknown-modifier", node.start, end, f"`{name}` is no modifier; did you mean `{near[0]}`?", (fix,)
        )
    takes = f"; it takes {', '.join(known)}" if 0 < len(known) <= 12 else ""
    what = "takes no" if name in _KEYWORD_NAMES else "has no modifier"
    return Problem("unknown-modifier", node.start, end, f"{statement.word} {what} `{name}`{takes}")


def _renamed_policies(
    context: TargetContext, candidates: Candidates, arguments: list[Argument], statement: Statement, trial: Trial
) -> Problem | None:
    """Cache policies by the names that they have on other targets, when the line is right with those of this one."""
    own = candidates.cache or {}
    foreign = [
        argument for argument in arguments
        if argument.kind == operands.NAME and argument.name in _CACHE_WORDS and argument.name not in own
    ]  # fmt: skip
    by_bit = {bit: name for name, bit in own.items()}
    if context.target.generation_number >= _FIRST_HINTS:
        by_bit = {cache_policy.GLC: "th:TH_ATOMIC_RETURN"} if "_atomic_" in candidates.base else {}
    names = [by_bit.get(_CACHE_WORDS[argument.name], "") for argument in foreign]
    if not foreign or not own or not all(names):
        return None
    start, end = foreign[0].node.start, foreign[-1].node.end
    text, at = "", start
    for argument, name in zip(foreign, names, strict=True):
        text += statement.line[at : argument.node.start].decode("utf-8", "replace") + name
        at = argument.node.end
    if not trial.takes_text(start, end, text):
        return None
    node = foreign[0].node
    message = f"{context.target.name} has no cache policy `{foreign[0].name}`; the same bit is `{names[0]}` here"
    fix = Fix(f"change to {text}", start, end, text)
    return Problem("unsupported-on-target", node.start, node.end, message, (fix,))


def _misspelled(candidates: Candidates, arguments: list[Argument], trial: Trial) -> Problem | None:
    """A word that is one or two letters from a keyword with which the line would be right."""
    shapes = _shapes_of(candidates)
    for argument in arguments:
        node = argument.node
        if argument.kind not in (operands.NAME, operands.MODIFIER) or argument.name in _NO_MISTAKES:
            continue
        is_value = isinstance(node, nodes.Modifier)
        known = sorted({shape.rstrip(":") for shape in shapes if (shape[-1] == ":") == is_value})
        end = node.name_end if isinstance(node, nodes.Modifier) else node.end
        for near in difflib.get_close_matches(argument.name, known, n=_TRIED_WORDS, cutoff=_LEAST_LIKENESS):
            if trial.takes_text(node.start, end, near):
                fix = Fix(f"change to {near}", node.start, end, near)
                message = f"`{argument.name}` is no modifier; did you mean `{near}`?"
                return Problem("unknown-modifier", node.start, end, message, (fix,))
    return None


def _divided_value(arguments: list[Argument], statement: Statement, trial: Trial) -> Problem | None:
    """A value of a modifier with a blank in it, without which the line would be right: `dim:2 D`."""
    for before, argument in pairwise(arguments):
        start, end = before.node.end, argument.node.end
        text = _text(statement.line, argument.node)
        if before.kind == operands.MODIFIER and argument.kind == operands.NAME and trial.takes_text(start, end, text):
            value = _text(statement.line, before.node) + text
            fix = Fix(f"change to {value}", start, end, text)
            message = f"no blank stands in a value: `{value}`"
            return Problem("syntax-error", before.node.start, end, message, (fix,))
    return None


_PAIR = "::"
_SECOND_PREFIX = "v_dual_"


def _wrong_second(candidates: Candidates, arguments: list[Argument], statement: Statement) -> Problem | None:
    """An instruction that cannot be the second of a pair with the first."""
    place = next((index for index, argument in enumerate(arguments) if argument.name == _PAIR), -1)
    if place < 0 or place + 1 >= len(arguments):
        return None
    argument = arguments[place + 1]
    possible = {
        after.rule.token
        for matcher in candidates.matchers
        for step, after in pairwise(matcher.steps)
        if step.rule.token == _PAIR
    }
    name, node = argument.name, argument.node
    if not possible or name in possible or not isinstance(node, nodes.DualIssue):
        return None
    known = [_SECOND_PREFIX + name.removeprefix("v_")]
    near = [word for word in known if word in possible] or difflib.get_close_matches(name, sorted(possible), 1)
    fixes = tuple(Fix(f"change to {word}", node.name_start, node.end, word) for word in near)
    told = f"; `{near[0]}` can" if near else ""
    message = f"`{name}` cannot be the second of a pair with {statement.word}{told}"
    return Problem("unknown-mnemonic", node.name_start, node.end, message, fixes)


def _shapes_of(candidates: Candidates) -> frozenset[str]:
    found = {word for matcher in candidates.matchers for step in matcher.steps for word in step.rule.names or ()}
    return frozenset(found) | frozenset(candidates.cache or ())


def _removal(node: nodes.Node, title: str) -> Fix:
    return Fix(title, node.start, node.end, "")


def _disorder(
    context: TargetContext, candidates: Candidates, arguments: list[Argument], statement: Statement
) -> Problem | None:
    """Keywords that are all right but for their order, which LLVM fixes."""
    keywords = [argument for argument in arguments if _is_keyword(argument)]
    if len(keywords) < 2 or arguments[-len(keywords) :] != keywords:
        return None
    positional = arguments[: -len(keywords)]
    for matcher in candidates.matchers:
        places = [_first_step(context, matcher, argument) for argument in keywords]
        if -1 in places:
            continue
        ordered = [keywords[index] for index in sorted(range(len(keywords)), key=lambda index: places[index])]
        if ordered == keywords or context.places(matcher, positional + ordered) is None:
            continue
        wrong = next(index for index in range(1, len(keywords)) if places[index] < max(places[:index]))
        blocking = next(index for index in range(wrong) if places[index] > places[wrong])
        line = statement.line
        texts = [_text(line, argument.node) for argument in ordered]
        start, end = keywords[0].node.start, keywords[-1].node.end
        node = keywords[wrong].node
        return Problem(
            "operand-conflict",
            node.start,
            node.end,
            f"`{_text(line, node)}` must stand before `{_text(line, keywords[blocking].node)}`",
            (Fix("put the modifiers in order", start, end, " ".join(texts)),),
        )
    return None


def _text(line: bytes, node: nodes.Node) -> str:
    return line[node.start : node.end].decode("utf-8", "replace")


def _first_step(context: TargetContext, matcher: Matcher, argument: Argument) -> int:
    for index, step in enumerate(matcher.steps):
        if context.judge.takes(step.number, step.rule, argument) and (step.rule.names or step.rule.merged):
            return index
    return -1


def no_modifier(candidates: Candidates, argument: Argument) -> str:
    """Why a source modifier cannot stand where it does."""
    used = argument.modifiers
    sign = "sext" if used & operands.SEXT else "neg" if used & operands.NEG else "abs"
    return f"{candidates.word} takes no {sign} on this operand"


# -- words for slots -----------------------------------------------------------------------------------------------

_FILE_WORDS = {"v": "VGPR", "s": "SGPR", "a": "AccVGPR", "ttmp": "ttmp register"}
_INTEGER_WORDS = {
    "s16": "an integer of 16 bits", "u16": "an integer from 0 to 65535", "u8": "an integer from 0 to 255",
    "long": "an unsigned integer of 32 bits", "integer": "an integer", "any": "an integer", "helper": "an integer",
    "inline": "an inline constant",
}  # fmt: skip


def describe(rule: Rule) -> str:
    """What a slot takes, in words."""
    parts: list[str] = []
    if rule.token:
        return f"`{rule.token}`"
    if rule.registers is not None:
        parts.append(_describe_class(rule.registers))
    if rule.names is not None:
        parts.append(" or ".join(f"`{name.rstrip(':')}`" for name in sorted(rule.names)[:4]))
    if rule.merged:
        parts.append(f"a {rule.merged}")
    if rule.calls:
        parts.append(f"{rule.calls[0]}(...)")
    if rule.integer:
        parts.append(_INTEGER_WORDS[rule.integer])
    if rule.inline:
        parts.append("an inline constant")
    if rule.literals:
        parts.append("a literal")
    if not parts:
        return "a name"
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]


def _describe_class(register_class: isa.RegisterClass) -> str:
    files = [file for file in ("v", "a", "s") if file in register_class.files]
    width = register_class.bits // 32
    words = " or ".join(_FILE_WORDS[file] for file in files) or " or ".join(
        f"`{name}`" for name in sorted(register_class.specials)[:3]
    )
    if not files:
        return words
    if width > 1:
        return f"a tuple of {width} {words}s" if len(files) == 1 else f"a tuple of {width} registers ({words})"
    return ("an " if words[0] in "AS" else "a ") + words

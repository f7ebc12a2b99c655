"""Explains rejected operands: wrong kind, width or value, a missing one, a surplus one."""

import difflib
from itertools import pairwise
from typing import cast

from gcn_lsp import isa
from gcn_lsp.instruction import immediates, operands, registers, slots
from gcn_lsp.instruction.match import Candidates, Step, TargetContext
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.registers import RegisterRef
from gcn_lsp.instruction.rejection import alignment, wrong_keywords
from gcn_lsp.instruction.rejection.wording import describe, source_text
from gcn_lsp.isa.machine import roles
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement

_HALF_BITS = 16


def explain(
    context: TargetContext,
    candidates: Candidates,
    best: alignment.Alignment,
    mismatch: alignment.Mismatch,
    arguments: list[Argument],
    statement: Statement,
) -> Problem:
    """Why a slot does not take its operand."""
    step, argument = mismatch.step, mismatch.argument
    rule = step.rule
    if argument is None:
        return _missing(candidates, best, step, arguments, statement)
    node = argument.node
    name = step.slot.name or rule.token
    if argument.kind == operands.REGISTER:
        return _wrong_register(context, candidates, step, argument, statement)
    if argument.kind == operands.NUMBER:
        return _wrong_number(step, argument)
    if alignment.is_keyword(argument):
        return wrong_keywords.unknown_keyword(context, candidates, argument, statement)
    if argument.kind == operands.CALL:
        return Problem(
            "wrong-operand-kind",
            node.start,
            node.end,
            f"{name} takes {describe(rule)}, not `{source_text(statement.line, node)}`",
        )
    if argument.kind == operands.NAME or argument.kind == operands.EXPRESSION:
        what = f"`{argument.name}`" if argument.name else "this expression"
        if rule.token:
            return Problem(
                "wrong-operand-kind", node.start, node.end, f"{statement.word} takes `{rule.token}` here, not {what}"
            )
        if rule.names is not None:
            return Problem("wrong-operand-kind", node.start, node.end, f"{name} takes {describe(rule)}, not {what}")
        if argument.name == _NO_ADDRESS:
            return Problem("wrong-operand-kind", node.start, node.end, _no_address(step, arguments))
        return Problem(
            "undefined-symbol",
            node.start,
            node.end,
            f"{what} is not a register and has no value here; {name} takes {describe(rule)}",
        )
    return Problem("wrong-operand-kind", node.start, node.end, f"{name} takes {describe(rule)}")


_NO_ADDRESS = "off"


_WITH_ADDRESS = ("offen", "idxen", "addr64")


def _no_address(step: Step, arguments: list[Argument]) -> str:
    word = next((argument.name for argument in arguments if argument.name in _WITH_ADDRESS), "")
    with_word = f" with `{word}`" if word else ""
    return f"{step.slot.name} takes {describe(step.rule)}{with_word}, not `{_NO_ADDRESS}`"


def _missing(
    candidates: Candidates, best: alignment.Alignment, step: Step, arguments: list[Argument], statement: Statement
) -> Problem:
    rule = step.rule
    start, end = statement.name_start, statement.name_end
    if rule.token and not rule.token[0].isalnum():
        return Problem("wrong-operand-count", start, end, f"`{rule.token}` is missing")
    if not alignment.is_positional(step) and (rule.token or rule.names is not None):
        alternatives = (
            _alternatives(candidates, best) if rule.token else sorted(name.rstrip(":") for name in rule.names or ())
        )
        words = " or ".join(f"`{word}`" for word in alternatives[:4])
        message = f"{statement.word} with these operands needs {words}"
        return Problem("missing-modifier", start, end, message, _added(alternatives, step, arguments))
    names = [step.slot.name or step.rule.token for step in best.matcher.steps if alignment.is_positional(step)]
    written = alignment.count_written(arguments)
    takes = "one operand" if len(names) == 1 else f"{len(names)} operands"
    message = f"{statement.word} takes {takes} ({', '.join(names)}); got {written or 'none'}"
    fixes: tuple[LineFix, ...] = ()
    if step.rule.token and step.rule.token == names[-1] and written == len(names) - 1:
        last = arguments[written - 1].node.end
        fixes = (LineFix(f"Add `{step.rule.token}`", last, last, f", {step.rule.token}", is_certain=False),)
    return Problem("wrong-operand-count", start, end, message, fixes)


def _added(words: list[str], step: Step, arguments: list[Argument]) -> tuple[LineFix, ...]:
    """The fixes that add one of `words` after the operands; none if the word takes a value."""
    written = alignment.count_written(arguments)
    if not written or not step.rule.token or len(words) > _CHOICES:
        return ()
    end = arguments[written - 1].node.end
    return tuple(LineFix(f"Add `{word}`", end, end, f" {word}", is_certain=False) for word in words)


_CHOICES = 2


def _alternatives(candidates: Candidates, best: alignment.Alignment) -> list[str]:
    """The tokens that forms similar to the best one have in place of its own."""
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


def _wrong_register(
    context: TargetContext, candidates: Candidates, step: Step, argument: Argument, statement: Statement
) -> Problem:
    register = cast("RegisterRef", argument.register)
    rule, node = step.rule, argument.node
    name = step.slot.name or rule.token
    if rule.token:
        return Problem(
            "wrong-operand-kind", node.start, node.end, f"only `{rule.token}` is possible here, not `{register.text}`"
        )
    register_class = rule.registers
    if argument.modifiers and rule.source_modifiers == slots.NO_MODIFIERS:
        return Problem("unknown-modifier", node.start, node.end, f"{name} takes no source modifiers")
    if slots.lacks_doubles(step.slot, rule):
        message = f"{context.target.name} has no DPP on 64-bit operands"
        return Problem("unsupported-on-target", node.start, node.end, message)
    if register_class is None:
        return Problem(
            "wrong-operand-kind",
            node.start,
            node.end,
            f"{name} takes {describe(rule)}, not `{register.text}`",
        )
    fit = alignment.register_affinity(register_class, register)
    if fit == alignment.ALIGNMENT:
        return _unfit(context, name, register_class, argument)
    wanted = register_class.bits // 32
    is_special = register.is_special and register.count != wanted and not _takes_special_width(register_class)
    if fit == alignment.WIDTH or is_special:
        return _wrong_width(candidates, step, argument, statement, wanted)
    return Problem(
        "wrong-operand-kind",
        node.start,
        node.end,
        f"{name} takes {describe(rule)}, not `{register.text}`",
    )


def _unfit(context: TargetContext, name: str, register_class: isa.RegisterClass, argument: Argument) -> Problem:
    """Why a register of the right file and width is not in the class of an operand."""
    register, node = cast("RegisterRef", argument.register), argument.node
    if bool(register.half) != (register_class.bits == _HALF_BITS):
        whole = registers.tuple_text(register.file, register.first, 1)
        takes = f"a whole one, `{whole}`" if register.half else f"half of one, `{whole}.l` or `{whole}.h`"
        is_ = "half a register" if register.half else "a whole register"
        message = f"`{register.text}` is {is_}; {name} takes {takes}"
        return Problem("wrong-register-width", node.start, node.end, message)
    if register.count > 1:
        return Problem(
            "misaligned-register",
            node.start,
            node.end,
            f"`{register.text}` starts at {register.first}; on {context.target.name} "
            f"{registers.kind_name(register.file)} tuples of {name} must start at even numbers",
        )
    return Problem("register-out-of-range", node.start, node.end, f"`{register.text}` is out of range for {name}")


def _wrong_width(candidates: Candidates, step: Step, argument: Argument, statement: Statement, wanted: int) -> Problem:
    """A register of the right file that has too many dwords or too few, with an example of the right number."""
    register, node = cast("RegisterRef", argument.register), argument.node
    before = statement.line[statement.start : node.start]
    is_listed = before.count(b"[") > before.count(b"]")  # one of several address registers
    widths = [1] if is_listed else _address_widths(candidates, step) or [wanted]
    nearest = min(widths, key=lambda width: abs(width - register.count))
    example = _example(register, nearest)
    if _is_one_of_addresses(step) and register.count > nearest == 1:
        example = _in_turn(register) if is_listed else f"[{_in_turn(register)}]"
    takes = f"{step.slot.name} takes {_listed(widths)}" + (f", as in `{example}`" if example else "")
    message = f"`{register.text}` has {_dwords(register.count)}; {takes}"
    fixes: tuple[LineFix, ...] = ()
    if not example or statement.line[node.start : node.end] != register.text.encode():
        # In place of a symbol a number would be right by chance.
        is_aligned = example == registers.tuple_text(register.file, register.first, nearest)
        example = _in_symbols(statement.line, node, nearest) if is_aligned else ""
    if example:
        fixes = (LineFix(f"Change to `{example}`", node.start, node.end, example, is_certain=False),)
    return Problem("wrong-register-width", node.start, node.end, message, fixes)


def _is_one_of_addresses(step: Step) -> bool:
    """Whether the encoding has a field for each address register."""
    return step.slot.name.startswith("vaddr") and step.slot.name[-1].isdigit()


def _in_symbols(line: bytes, node: nodes.Node, wanted: int) -> str:
    """`v[first]` or `v[first:first+1]` with the first index as it is written; empty for other operands."""
    if not isinstance(node, nodes.Index):
        return ""
    first = source_text(line, node.first)
    return f"{node.base}[{first}]" if wanted == 1 else f"{node.base}[{first}:{first}+{wanted - 1}]"


def _in_turn(register: RegisterRef) -> str:
    """The registers of a range one by one, as encodings with a field for each address take them."""
    return ", ".join(f"v{number}" for number in range(register.first, register.first + register.count))


def _address_widths(candidates: Candidates, step: Step) -> list[int]:
    """The dwords that the address of an image instruction may have: one form for each; empty for other operands."""
    if not step.slot.name.startswith("vaddr"):
        return []
    classes = (
        other.rule.registers
        for matcher in candidates.matchers
        if matcher.form.image is not None and sum(each.slot.name.startswith("vaddr") for each in matcher.steps) == 1
        for other in matcher.steps
        if other.slot.name == step.slot.name
    )
    return sorted({each.bits // 32 for each in classes if each is not None})


def _listed(widths: list[int]) -> str:
    *others, last = widths
    return f"{', '.join(str(width) for width in others)} or {_dwords(last)}" if others else _dwords(last)


def _takes_special_width(register_class: isa.RegisterClass) -> bool:
    return not register_class.specials


def _example(register: RegisterRef, wanted: int) -> str:
    """The operand with the right width; empty if there is no obvious one."""
    if register.is_special:
        return ""
    step = 1 if register.file in ("v", "a") else registers.scalar_step(wanted)
    first = register.first - register.first % step
    return registers.tuple_text(register.file, first, wanted)


def _dwords(count: int) -> str:
    return "one dword" if count == 1 else f"{count} dwords"


def _wrong_number(step: Step, argument: Argument) -> Problem:
    rule, node = step.rule, argument.node
    name = step.slot.name or rule.token
    text = operands.number_text(argument)
    if rule.token or not rule.takes_numbers:
        return Problem("wrong-operand-kind", node.start, node.end, f"{name} takes {describe(rule)}, not {text}")
    if rule.integer:
        if argument.is_float:
            return Problem("wrong-operand-kind", node.start, node.end, f"{name} takes an integer, not {text}")
        return Problem(
            "immediate-out-of-range",
            node.start,
            node.end,
            f"{text} is out of range: {name} takes {describe(rule)}",
        )
    if not rule.literals:
        return Problem(
            "literal-not-allowed",
            node.start,
            node.end,
            f"{text} is not an inline constant; {name} takes {describe(rule)}",
        )
    kind = rule.literals[-1]
    if argument.is_float and kind in ("i64",):
        why = "" if argument.modifiers & operands.LIT else f"{text} is not an inline constant; "
        message = f"{why}a 64-bit integer takes no floating-point literal"
        return Problem("literal-not-allowed", node.start, node.end, message)
    bits = 16 if kind in ("i16", "f16", "bf16") else 32
    if argument.is_float:
        return _wrong_float(rule, name, argument, 16 if kind == "v2f16" else bits)
    if (
        argument.modifiers & operands.FLOAT_MODIFIERS
        and kind == "f64"
        and immediates.fits_literal(argument.value, False, kind, False, False)
    ):
        return Problem("unknown-modifier", node.start, node.end, f"{name} takes no sign modifier on an integer")
    return Problem("immediate-out-of-range", node.start, node.end, f"{text} does not fit in the {bits} bits of {name}")


def _wrong_float(rule: slots.Rule, name: str, argument: Argument, bits: int) -> Problem:
    start, end, value = argument.node.start, argument.node.end, argument.value
    fits_type = not argument.modifiers and immediates.fits_literal(value, True, "v2bf16", False, False)
    if rule.literals == slots.PAIR_AS_HALF and fits_type:
        pattern = f"0x{immediates.to_bfloat(value):x}"
        message = f"{name} is read as bf16, but takes floats in the range of a half only; write the bits, {pattern}"
        fix = LineFix(f"Change to `{pattern}`", start, end, pattern)
        return Problem("immediate-out-of-range", start, end, message, (fix,))
    message = f"{operands.number_text(argument)} does not fit in the {bits}-bit float of {name}"
    return Problem("immediate-out-of-range", start, end, message)


_LIST_START, _LIST_END = "[", "]"


def long_list(candidates: Candidates, arguments: list[Argument], statement: Statement) -> Problem | None:
    """The problem of more addresses in brackets than any form has."""
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
    message = f"{statement.word} takes at most {most} registers in brackets here; got {last - first - 1}"
    return Problem("wrong-operand-count", arguments[first].node.start, arguments[last].node.end, message)


_PAIR = "::"


def wrong_second(candidates: Candidates, arguments: list[Argument], statement: Statement) -> Problem | None:
    """The problem of an instruction that cannot be the second half of a pair with the first."""
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
    known = [roles.HALF + name.removeprefix("v_")]
    near = [word for word in known if word in possible] or difflib.get_close_matches(name, sorted(possible), 1)
    fixes = tuple(LineFix(f"Change to `{word}`", node.name_start, node.end, word) for word in near)
    hint = f"; `{near[0]}` can" if near else ""
    message = f"`{name}` cannot be the second half of a pair with {statement.word}{hint}"
    return Problem("unknown-mnemonic", node.name_start, node.end, message, fixes)

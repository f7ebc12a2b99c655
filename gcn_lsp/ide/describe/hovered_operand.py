"""Describes an operand under the cursor: its text, its results in expansions, its contents."""

import re
from collections.abc import Sequence

from gcn_lsp import isa
from gcn_lsp.ide.describe import (
    accepts,
    immediates,
    lanes,
    macro,
    markdown,
    matrix,
    numbers,
    page,
    register,
    resource,
    selected,
    subject,
    symbol,
    words,
)  # fmt: skip
from gcn_lsp.ide.describe import operand as operands
from gcn_lsp.ide.describe.hovered import Hovered, HoverResult
from gcn_lsp.ide.reading import cursors
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.isa.memory import resources
from gcn_lsp.isa.modifiers import dpp
from gcn_lsp.isa.operands import swizzle
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import Text


def describe(at: Hovered, statement: Statement) -> HoverResult | None:
    """The hover of an operand, or of its part under the cursor; None if there is nothing to say."""
    cursor = at.cursor
    if cursor.index is None:
        return None
    written = statement.operands[cursor.index]
    call = next((node for node in reversed(cursor.path) if isinstance(node, nodes.Call)), None)
    is_register = call is not None and cursor.node is not call and call.name.lower() in operands.CHANGES
    found = _call(at, call) if call is not None and not is_register else None
    if found is not None:
        return found
    if isinstance(written, nodes.Modifier) and cursor.word.start < written.name_end:
        said = _resolved_text(at, at.text(written))
        return at.at(written, markdown.join(words.modifier(written.name, at.target), said, _pattern(at, written.name)))
    if isinstance(written, nodes.DualIssue):
        described = page.text(subject.of(written.name, at.target, at.form))
        return at.result(described, written.name_start, written.end)
    return _name(at, written) or _whole(at, written)


def _name(at: Hovered, written: nodes.Node) -> HoverResult | None:
    """The hover of a symbol or a word in an operand; None on anything else."""
    inner = at.cursor.node
    if not isinstance(inner, nodes.Name) or cursors.is_register(at.cursor, at.target):
        return None
    text = symbol.describe(at.program, inner.name, at.line)
    if text is not None:
        # The cursor is on a symbol, but the user wants to know the operand that it makes.
        return at.at(inner, markdown.join(text, _resolved_text(at, at.text(written))))
    text = words.modifier(inner.name.lower(), at.target) or words.word(inner.name, at.target)
    return at.at(inner, markdown.join(text, _pattern(at, inner.name.lower()))) if text is not None else None


def _whole(at: Hovered, written: nodes.Node) -> HoverResult | None:
    """The hover of an operand as a whole, or of a register in a list."""
    path = at.cursor.path
    part = None
    if isinstance(written, nodes.Bracket) and len(path) > 1:  # the registers of an image's address
        bracket, written = written, path[1]
        part = bracket.items.index(written)
    resolved = at.resolved(part)
    if not resolved:
        return unmatched(at)
    text = _operand_text(at, written, resolved)
    if isinstance(written, nodes.Modifier):
        text = markdown.join(text, words.modifier(written.name, at.target), _pattern(at, written.name))
    return at.at(written, text)


def unmatched(at: Hovered) -> HoverResult | None:
    """The hover of an operand of an instruction that no form matches, from the operand alone."""
    inner = at.cursor.node
    if isinstance(inner, nodes.Integer | nodes.Unary | nodes.Binary):
        # Inside `s[1:2]` a number is not a constant: the hover is about the register.
        inner = next((node for node in reversed(at.cursor.path) if isinstance(node, nodes.Index)), inner)
    if isinstance(inner, nodes.Name) and cursors.is_register(at.cursor, at.target):
        special = words.special_register(inner.name.lower(), at.target)
        return at.at(inner, special or _register_name(inner.name))
    if isinstance(inner, nodes.Index):
        first = at.value(inner.first)
        last = first if inner.last is None else at.value(inner.last)
        file = "a" if inner.base == "acc" else inner.base
        if file in accepts.FILES and first is not None and last is not None and first <= last:
            return at.at(inner, operands.numbered(file, first, last - first + 1))
        if file in accepts.FILES and b"\\" in at.program.source.lines[at.line][inner.start : inner.end]:
            return at.at(inner, f"{accepts.FILES[file]} whose number comes from the macro's arguments")
    if isinstance(inner, nodes.Unary | nodes.Binary):
        value = at.value(inner)
        return at.at(inner, numbers.describe(value)) if value is not None else None
    return plain(at)


def plain(at: Hovered, *, is_operand: bool = True) -> HoverResult | None:
    """The hover of a symbol, a number or a register that no form explains; is_operand: of an instruction."""
    word = at.cursor.word
    node = at.cursor.node
    if isinstance(node, nodes.Integer | nodes.Float):
        width = 64 if isinstance(node, nodes.Integer) and node.value >> 32 else 32
        said = numbers.describe(node.value, width) if is_operand else ""
        return at.at(node, markdown.join(said, numbers.table(node.value, width, is_operand=is_operand)))
    if not word.text:
        return None
    text = symbol.describe(at.program, word.text, at.line)
    if text is None and word.text in at.program.macros:
        text = macro.describe(at.program, at.program.macros[word.text])
    if text is None:
        text = words.special_register(word.text.lower()) or _register_name(word.text)
    return at.result(text)


def _pattern(at: Hovered, name: str) -> str:
    """The lanes that an instruction reads through a control of DPP or a swizzle's offset."""
    form = at.form
    if form is None or not (name in _LANE_CONTROLS or form.mnemonic == swizzle.MNEMONIC):
        return ""
    return lanes.pattern(at)


_LANE_CONTROLS = dpp.all_names()


def _operand_text(at: Hovered, written: nodes.Node, resolved: Sequence[Operand]) -> Text:
    first = resolved[0]
    slot = operands.slot_of(at.form, first) if at.form is not None else None
    text = at.text(written)
    different = list(dict.fromkeys(operand.text for operand in resolved))
    if len(different) > 1:
        return markdown.join(f"{markdown.code(text)} is {_any_of(different)}", operands.role(slot, at.form, at.target))
    given = _from_flow(at, first, slot) if at.program.has_flow else ""
    special = words.special_register(first.text, at.target) if first.kind == "register" else None
    if special is not None:
        return markdown.join(special, operands.role(slot, at.form, at.target), given)
    return markdown.join(operands.describe(first, slot, at.form, at.target, text), given, _more(at, first, slot))


def _from_flow(at: Hovered, operand: Operand, slot: "isa.Slot | None") -> Text:
    """The contents of an operand's registers, their writers and their next readers."""
    from gcn_lsp.ide.describe import history, kernel_input  # late: the first hover comes before their analyses

    is_read = slot is None or not slot.is_def
    given: Text = kernel_input.of_register(at.program, at.line, operand) if is_read else ""
    if given:
        return given
    loaded = kernel_input.of_loaded(at.program, at.line, operand) if is_read else ""
    # Of a result its reader counts, and the old value only if the instruction reads that too.
    is_new = slot is not None and slot.is_def and not _is_tied(at.form, slot.name)
    before = "" if is_new else history.describe(at.program, at.line, operand)
    after = "" if is_read else history.describe_result(at.program, at.line, operand)
    return markdown.join(loaded, before, after)


def _is_tied(form: "isa.Form | None", name: str) -> bool:
    """Whether an instruction reads the result's register as well: `v_fmac_f32`."""
    return form is not None and any(name in pair for pair in form.ties)


def _any_of(values: Sequence[str]) -> str:
    return " or ".join(markdown.code(each) for each in values[:4]) + (" and more" if len(values) > 4 else "")


def _more(at: Hovered, operand: Operand, slot: isa.Slot | None) -> str:
    """More about an operand that all expansions agree on, besides its description and its last writers."""
    form, target = at.form, at.target
    if target is None or form is None:
        return ""
    kind = slot.kind if slot is not None else None
    if operand.kind == "register":
        return markdown.join(
            selected.describe(at.program, at.line, operand),
            register.aliases(operand, target),
            matrix.of_operand(form, target, operand),
            _descriptor(at, target, form, operand),
        )
    if kind is None:
        return ""
    if kind.registers is None:
        is_special = operand.slot == "simm16" and type(operand.value) is int
        decoded = immediates.decoded(target, form.mnemonic, int(operand.value or 0)) if is_special else ""
        return markdown.join(words.operand_text(kind.name, target), decoded)
    return _constant(form, operand, kind) if operand.kind in ("immediate", "literal") else ""


def _descriptor(at: Hovered, target: isa.Target, form: isa.Form, operand: Operand) -> str:
    """The resource descriptor in an operand, as far as its words are known; empty for other operands."""
    kind = resources.kind_of(form, operand.slot) if operand.file == "s" else None
    if kind is None:
        return ""
    known = _words(at, operand) if at.program.has_flow else None
    found: Sequence[int | None] = known or (None,) * operand.count
    return resource.describe(target, kind, operand.first, found)


def _words(at: Hovered, operand: Operand) -> "Sequence[int | None] | None":
    """The values of an operand's registers before the instruction."""
    from gcn_lsp.analysis.values import reaching, symbolic  # late, as above

    place = reaching.on_line(at.program, at.line)
    if place is None:
        return None
    return symbolic.words(at.program, place.graph, place.site, operand.first, operand.count)


def _constant(form: isa.Form, operand: Operand, kind: isa.OperandKind) -> str:
    """The notations of a constant in a source, and the classes of floats that it selects."""
    if operand.value is None:
        return ""
    value, width = operands.constant(operand, kind)
    floats = kind.float_bits if kind.is_float else 0
    table = numbers.table(value, width, floats=floats) if width else ""  # the bits of bfloats are not shown
    return markdown.join(table, immediates.float_classes(form.mnemonic, operand.slot, value))


def _resolved_text(at: Hovered, written: str) -> str:
    """The operand around what is under the cursor; empty if that adds nothing to its text."""
    values = list(dict.fromkeys(operand.text for operand in at.resolved()))
    return "" if not values or values == [written] else f"The operand is {_any_of(values)}."


def _call(at: Hovered, call: nodes.Call) -> HoverResult | None:
    """The hover of `vmcnt(0)`, `hwreg(...)`, `sendmsg(...)`: the whole call decoded, or the name under the cursor."""
    target = at.target
    inner = at.cursor.node
    name = call.name.lower()
    if isinstance(inner, nodes.Name):
        text = words.hardware_register_name(inner.name, target) or words.message_name(inner.name, target)
        text = text or words.word(inner.name.upper(), target)
        if text is not None:
            return at.at(inner, markdown.join(text, _pattern(at, name)))
    value = _immediate(at.instructions, call)
    if name in ("hwreg", "sendmsg") and target is not None and value is not None:
        decoded = immediates.hardware_register if name == "hwreg" else immediates.message
        return at.at(call, markdown.join(decoded(target, value), words.modifier(name, target)))
    if name.removesuffix("_sat") in immediates.COUNTERS:
        argument = at.value(call.arguments[0]) if len(call.arguments) == 1 else None
        whole = immediates.wait_counts(target, value) if target is not None and value is not None else ""
        return at.at(call, markdown.join(immediates.counter(name, argument, target), whole))
    text = words.modifier(name, target)
    return at.at(call, markdown.join(text, _pattern(at, name))) if text is not None else None


def _immediate(instructions_here: Sequence[Instruction], call: nodes.Call) -> int | None:
    """The value of the operand with `call` in it, if all expansions agree."""
    values = {
        operand.value
        for instruction in instructions_here
        for operand in instruction.operands
        if operand.node.start <= call.start and call.end <= operand.node.end
    }
    value = values.pop() if len(values) == 1 else None
    return value if type(value) is int else None


def _register_name(name: str) -> str | None:
    """The description of a numbered register such as `v12`, even if no instruction around it matches."""
    match = _NUMBERED.fullmatch(name.lower())
    return operands.numbered(match[1], int(match[2]), 1) if match is not None else None


_NUMBERED = re.compile(r"(ttmp|v|s|a)([0-9]{1,4})")

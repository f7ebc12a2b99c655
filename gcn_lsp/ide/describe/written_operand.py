"""Describes an operand under the cursor: its text, its results in expansions, its contents."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gcn_lsp import isa
from gcn_lsp.analysis.values import known_values, reaching
from gcn_lsp.ide.describe import (
    accepts,
    history,
    immediates,
    kernel_input,
    macro,
    markdown,
    matrix,
    number,
    numbers,
    register,
    resource,
    selected,
    symbol,
    words,
)  # fmt: skip
from gcn_lsp.ide.describe import instruction as instructions
from gcn_lsp.ide.describe import operand as operands
from gcn_lsp.ide.describe.place import HoverResult, Place
from gcn_lsp.ide.reading import cursor as cursors
from gcn_lsp.ide.reading import scope
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.memory import resources
from gcn_lsp.isa.modifiers import dpp
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem, Program


def describe(place: Place, statement: Statement) -> HoverResult | None:
    """The hover of an operand, or of its part under the cursor; None if there is nothing to say."""
    cursor = place.cursor
    if cursor.index is None:
        return None
    written = statement.operands[cursor.index]
    items = instructions_of(place.program, statement, place.line)
    call = next((node for node in reversed(cursor.path) if isinstance(node, nodes.Call)), None)
    is_register = call is not None and cursor.node is not call and call.name.lower() in operands.CHANGES
    if call is not None and not is_register:
        found = _call(place, call, items)
        if found is not None:
            return found
    if isinstance(written, nodes.Modifier) and cursor.word.start < written.name_end:
        said = _resolved_text(items, cursor.index, place.text(written))
        pattern = _pattern(place, written.name, items)
        return place.at(written, markdown.join(words.modifier(written.name, place.program.target), said, pattern))
    if isinstance(written, nodes.DualIssue):
        form = next((item.item.instruction.form for item in items if item.item.instruction is not None), None)
        described = instructions.documentation_of(written.name, place.program.target, form)
        return place.result(described, written.name_start, written.end)
    inner = cursor.node
    if isinstance(inner, nodes.Name) and not cursors.is_register(cursor, place.program.target):
        text = symbol.describe(place.program, inner.name, place.line)
        if text is not None:
            # The cursor is on a symbol, but the user wants to know the operand that it makes.
            return place.at(inner, markdown.join(text, _resolved_text(items, cursor.index, place.text(written))))
        target = place.program.target
        text = words.modifier(inner.name.lower(), target) or words.word(inner.name, target)
        if text is not None:
            return place.at(inner, markdown.join(text, _pattern(place, inner.name.lower(), items)))
    number = None
    if isinstance(written, nodes.Bracket) and len(cursor.path) > 1:  # the registers of an image's address
        bracket, written = written, cursor.path[1]
        number = bracket.items.index(written)
    resolved = _resolved(items, cursor.index, number)
    if not resolved:
        return unmatched(place)
    text = _operand_text(place, written, items, resolved)
    if isinstance(written, nodes.Modifier):
        text = markdown.join(text, words.modifier(written.name, place.program.target))
        text = markdown.join(text, _pattern(place, written.name, items))
    return place.at(written, text)


def unmatched(place: Place) -> HoverResult | None:
    """The hover of an operand of an instruction that no form matches, from the operand alone."""
    inner = place.cursor.node
    if isinstance(inner, nodes.Integer | nodes.Unary | nodes.Binary):
        # Inside `s[1:2]` a number is not a constant: the hover is about the register.
        inner = next((node for node in reversed(place.cursor.path) if isinstance(node, nodes.Index)), inner)
    if isinstance(inner, nodes.Name) and cursors.is_register(place.cursor, place.program.target):
        special = words.special_register(inner.name.lower(), place.program.target)
        return place.at(inner, special or _register_name(inner.name))
    if isinstance(inner, nodes.Index):
        first = place.value(inner.first)
        last = first if inner.last is None else place.value(inner.last)
        file = "a" if inner.base == "acc" else inner.base
        if file in accepts.FILES and first is not None and last is not None and first <= last:
            return place.at(inner, operands.numbered(file, first, last - first + 1))
        if file in accepts.FILES and b"\\" in place.program.source.lines[place.line][inner.start : inner.end]:
            return place.at(inner, f"{accepts.FILES[file]} whose number comes from the macro's arguments")
    if isinstance(inner, nodes.Unary | nodes.Binary):
        value = place.value(inner)
        return place.at(inner, numbers.describe(value)) if value is not None else None
    return plain(place)


def plain(place: Place, *, is_operand: bool = True) -> HoverResult | None:
    """The hover of a symbol, a number or a register that no form explains; is_operand: of an instruction."""
    word = place.cursor.word
    node = place.cursor.node
    if isinstance(node, nodes.Integer | nodes.Float):
        width = 64 if isinstance(node, nodes.Integer) and node.value >> 32 else 32
        said = numbers.describe(node.value, width) if is_operand else ""
        return place.at(node, markdown.join(said, number.describe(node.value, width, is_operand=is_operand)))
    if not word.text:
        return None
    text = symbol.describe(place.program, word.text, place.line)
    if text is None and word.text in place.program.macros:
        text = macro.describe(place.program, place.program.macros[word.text])
    if text is None:
        text = words.special_register(word.text.lower()) or _register_name(word.text)
    return place.result(text)


def instructions_of(program: "Program", statement: Statement, line: int) -> "list[PlacedItem]":
    """The instructions that result from a statement, without a label before it and calls of macros."""
    return [
        item
        for item in scope.written_items(program, line)
        if item.item.instruction is not None and (item.item.statement.word == statement.word or "\\" in statement.word)
    ]


def _pattern(place: Place, name: str, items: "Sequence[PlacedItem]") -> str:
    """The lanes that an instruction reads through a control of DPP or a swizzle's offset."""
    form = next((item.item.instruction.form for item in items if item.item.instruction is not None), None)
    if place.program.target is None or form is None or not (name in _LANE_CONTROLS or form.mnemonic == _SWIZZLE):
        return ""
    return instructions.lane_pattern(place.program.target, form, items)


_LANE_CONTROLS = dpp.all_names()
_SWIZZLE = "ds_swizzle_b32"


def _resolved(items: "Sequence[PlacedItem]", index: int, part: int | None = None) -> list[Operand]:
    """The operands that written operand `index` becomes, one for each expansion; `part`: those of a list's item."""
    found = []
    for item in items:
        instruction = item.item.instruction
        if instruction is None or index >= len(instruction.statement.operands):
            continue
        node = instruction.statement.operands[index]
        if part is not None and isinstance(node, nodes.Bracket) and part < len(node.items):
            node = node.items[part]
        found += [
            operand
            for operand in instruction.operands
            if operand.node is node or (operand.node.start, operand.node.end) == (node.start, node.end)
        ][:1]
    return found


def _operand_text(place: Place, written: nodes.Node, items: "Sequence[PlacedItem]", resolved: Sequence[Operand]) -> str:
    form = next((item.item.instruction.form for item in items if item.item.instruction is not None), None)
    first = resolved[0]
    text = place.text(written)
    different = list(dict.fromkeys(operand.text for operand in resolved))
    if len(different) > 1:
        slot = operands.slot_of(form, first) if form is not None else None
        shown = " or ".join(markdown.code(each) for each in different[:4]) + (" and more" if len(different) > 4 else "")
        return markdown.join(f"{markdown.code(text)} is {shown}", operands.role(slot, form, place.program.target))
    writers = history.writers_of(place.program, place.line, first)
    given = kernel_input.of_register(place.program, place.line, first) if _is_read(form, first) else ""
    if not given:
        loaded = kernel_input.of_loaded(place.program, place.line, first) if _is_read(form, first) else ""
        given = markdown.join(loaded, history.describe(place.program, place.line, first, writers))
    special = words.special_register(first.text, place.program.target) if first.kind == "register" else None
    if special is not None:
        slot = operands.slot_of(form, first) if form is not None else None
        return markdown.join(special, operands.role(slot, form, place.program.target), given)
    body = operands.describe(first, form, place.program.target, text)
    return markdown.join(body, *_more(place, form, first, writers), given)


def _is_read(form: "isa.Form | None", operand: Operand) -> bool:
    """Whether an operand is not only written."""
    slot = operands.slot_of(form, operand) if form is not None else None
    return slot is None or not slot.is_def


def _more(place: Place, form: "isa.Form | None", operand: Operand, writers: "reaching.Writers | None") -> Iterator[str]:
    """More about an operand that all expansions agree on, besides its description and its last writers."""
    target = place.program.target
    if target is None or form is None:
        return
    slot = operands.slot_of(form, operand)
    if operand.kind == "register":
        yield selected.describe(place.program, place.line, operand)
        yield register.aliases(operand, target)
        yield matrix.of_operand(form, target, operand)
        kind = resources.kind_of(form, operand.slot) if operand.file == "s" else None
        if kind is not None:
            numbers_here = scope.written_numbers(place.program, place.line)
            chunk, index = next(
                number for number in numbers_here if place.program.chunks[number[0]].items[number[1]].instruction
            )
            values = known_values.known_values(place.program, chunk, index, operand.first, operand.count)
            # Other paths to here may know what straight code does not.
            others = known_values.on_every_path(writers, operand.first, operand.count)
            found = [other if value is None else value for value, other in zip(values, others, strict=True)]
            yield resource.describe(target, kind, operand.first, found)
    elif slot is not None and slot.kind is not None and slot.kind.registers is None:
        yield words.operand_text(slot.kind.name, target)
        if operand.slot == "simm16" and type(operand.value) is int:
            yield immediates.decoded(target, form.mnemonic, operand.value)
    elif operand.kind in ("immediate", "literal") and operand.value is not None:
        is_source = slot is not None and slot.kind is not None and slot.kind.registers is not None
        if is_source and slot is not None:
            value, width = operands.constant(operand, slot.kind)
            if width:  # the bits of bfloats are not shown
                floats = accepts.float_width(slot.kind) if accepts.is_float(slot.kind) else 0
                yield number.describe(value, width, floats=floats)
            yield immediates.float_classes(form.mnemonic, operand.slot, value)


def _resolved_text(items: "Sequence[PlacedItem]", index: int, written: str) -> str:
    """The operand around what is under the cursor; empty if that adds nothing to its text."""
    values = list(dict.fromkeys(operand.text for operand in _resolved(items, index)))
    if not values or values == [written]:
        return ""
    shown = " or ".join(markdown.code(value) for value in values[:4]) + (" and more" if len(values) > 4 else "")
    return f"The operand is {shown}."


def _call(place: Place, call: nodes.Call, items: "Sequence[PlacedItem]") -> HoverResult | None:
    """The hover of `vmcnt(0)`, `hwreg(...)`, `sendmsg(...)`: the whole call decoded, or the name under the cursor."""
    target = place.program.target
    inner = place.cursor.node
    name = call.name.lower()
    if isinstance(inner, nodes.Name):
        text = words.hardware_register_name(inner.name, target) or words.message_name(inner.name, target)
        text = text or words.word(inner.name.upper(), target)
        if text is not None:
            return place.at(inner, markdown.join(text, _pattern(place, name, items)))
    value = _immediate(items, call)
    if name in ("hwreg", "sendmsg") and target is not None and value is not None:
        decoded = immediates.hardware_register if name == "hwreg" else immediates.message
        return place.at(call, markdown.join(decoded(target, value), words.modifier(name, target)))
    if name.removesuffix("_sat") in immediates.COUNTERS:
        argument = place.value(call.arguments[0]) if len(call.arguments) == 1 else None
        whole = immediates.wait_counts(target, value) if target is not None and value is not None else ""
        return place.at(call, markdown.join(immediates.counter(name, argument, target), whole))
    text = words.modifier(name, target)
    return place.at(call, markdown.join(text, _pattern(place, name, items))) if text is not None else None


def _immediate(items: "Sequence[PlacedItem]", call: nodes.Call) -> int | None:
    """The value of the operand with `call` in it, if all expansions agree."""
    values = {
        operand.value
        for item in items
        if item.item.instruction is not None
        for operand in item.item.instruction.operands
        if operand.node.start <= call.start and call.end <= operand.node.end
    }
    value = values.pop() if len(values) == 1 else None
    return value if type(value) is int else None


def _register_name(name: str) -> str | None:
    """The description of a numbered register such as `v12`, even if no instruction around it matches."""
    match = _NUMBERED.fullmatch(name.lower())
    return operands.numbered(match[1], int(match[2]), 1) if match is not None else None


_NUMBERED = re.compile(r"(ttmp|v|s|a)([0-9]{1,4})")

"""What the thing under the cursor is, as an editor shows it in a hover."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp import isa
from gcn_lsp.analysis.values import known_values, reaching
from gcn_lsp.ide import in_flight, mnemonics
from gcn_lsp.ide.describe import (
    directive,
    elsewhere,
    helper,
    history,
    macro,
    markdown,
    matrix,
    number,
    numbers,
    register,
    resource,
    symbol,
)  # fmt: skip
from gcn_lsp.ide.describe import form as forms
from gcn_lsp.ide.describe import instruction as instructions
from gcn_lsp.ide.describe import operand as operands
from gcn_lsp.ide.reading import cursor as cursors
from gcn_lsp.ide.reading import scope
from gcn_lsp.ide.reading.cursor import Cursor
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa import documentation, resources
from gcn_lsp.isa.modifiers import dpp
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.rules import RULES
from gcn_lsp.syntax import expressions, nodes
from gcn_lsp.syntax.directives import SETTERS
from gcn_lsp.syntax.expressions import Missing
from gcn_lsp.syntax.statement import Kind, Statement
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem, Program


class HoverResult(msgspec.Struct, frozen=True):
    """What to show, and the text that it is about."""

    where: Location
    markdown: str


def hover(program: "Program", line: int, column: int) -> HoverResult | None:
    """The hover at byte `column` of `line` of the main file; None where there is nothing to say."""
    if not 0 <= line < len(program.source.lines):
        return None
    found = _hover(program, line, column)
    legal = elsewhere.describe(program, line, column)
    if legal is None:
        return found
    where, text = legal
    return HoverResult(where if found is None else found.where, markdown.join(found.markdown if found else "", text))


def _hover(program: "Program", line: int, column: int) -> HoverResult | None:
    if scope.in_metadata(program, line):
        return _metadata(program, line, column)
    cursor = cursors.locate(program.line(line), column)
    place = _Place(program, line, cursor)
    if cursor.place == "comment":
        return _rule(place, column)
    statement = cursor.statement
    if statement is None or cursor.place == "blank":
        return None
    if cursor.word.text.startswith("\\"):
        parameter = _parameter(place)
        if parameter is not None or cursor.place != "name":
            return parameter
    if cursor.place == "name":
        return _name(place, statement)
    if statement.kind is Kind.COMMAND and statement.word.startswith(".") and statement.name not in program.macros:
        return _directive_argument(place, statement)
    called = program.macros.get(statement.name)
    if called is not None:
        return _argument(place, statement, called)
    return _operand(place, statement) if statement.kind is Kind.COMMAND else _plain(place)


class _Place:
    """The cursor in its program: what every part of the hover needs."""

    __slots__ = ("program", "line", "cursor")

    def __init__(self, program: "Program", line: int, cursor: Cursor) -> None:
        self.program = program
        self.line = line
        self.cursor = cursor

    def result(self, text: str | None, start: int | None = None, end: int | None = None) -> HoverResult | None:
        """`text` for the word under the cursor, or for bytes `start` to `end`; None for no text."""
        if not text:
            return None
        word = self.cursor.word
        where = Location(
            self.program.path, self.line, word.start if start is None else start, word.end if end is None else end
        )
        return HoverResult(where, text)

    def at(self, node: nodes.Node, text: str | None) -> HoverResult | None:
        """`text` for a node."""
        return self.result(text, node.start, node.end)

    def text(self, node: nodes.Node) -> str:
        """The node as it is written."""
        line = self.program.source.lines[self.line]
        return line[node.start : node.end].decode("utf-8", "replace")


# Names: labels, assigned symbols, directives, macros, mnemonics


def _name(place: _Place, statement: Statement) -> HoverResult | None:
    program, line = place.program, place.line
    start, end = statement.name_start, statement.name_end
    if statement.kind in (Kind.LABEL, Kind.ASSIGNMENT):
        in_header = statement.kind is Kind.ASSIGNMENT and scope.in_kernel_header(program, line)
        text = directive.header_field(statement.name, program.target) if in_header else None
        return place.result(text or symbol.describe(program, statement.name, line), start, end)
    if statement.kind is not Kind.COMMAND:
        return None
    found = program.macros.get(statement.name)
    if found is not None:
        return place.result(macro.describe_call(program, found, statement, line), start, end)
    if statement.word.startswith("."):
        return place.result(directive.describe(statement.word, program.target), start, end)
    return place.result(_mnemonic(program, statement, line), start, end)


def _mnemonic(program: "Program", statement: Statement, line: int) -> str | None:
    items = _instructions(program, statement, line)
    mnemonic = statement.word
    if "\\" in mnemonic:  # made of a macro's arguments: what the expansions made of it
        found = list(dict.fromkeys(item.item.statement.word for item in items))
        if len(found) != 1:
            return f"{markdown.code(statement.name)} is {markdown.listing(found)}." if found else None
        mnemonic = found[0]
    if not mnemonics.targets_with(mnemonic) and documentation.entry(mnemonic) is None:
        return None
    in_macro = not items and scope.macro_at(program, line) is not None
    told = instructions.describe(program, mnemonic, statement, items, in_macro=in_macro)
    if not items:
        return told
    form = items[0].item.instruction.form if items[0].item.instruction is not None else None
    return markdown.join(told, history.of_implicit(program, line, form), in_flight.describe(program, line))


def _instructions(program: "Program", statement: Statement, line: int) -> "list[PlacedItem]":
    """The instructions that the statement became; a label before it and calls of macros left out."""
    return [
        item
        for item in scope.written_items(program, line)
        if item.item.instruction is not None and (item.item.statement.word == statement.word or "\\" in statement.word)
    ]


def _parameter(place: _Place) -> HoverResult | None:
    body = scope.macro_at(place.program, place.line)
    name = place.cursor.word.text[1:]
    if body is None:
        return None
    if name in ("@", "+"):
        return place.result(f"{markdown.code(place.cursor.word.text)} is a number that differs in every expansion.")
    return place.result(macro.parameter(body.macro, name))


def _argument(place: _Place, statement: Statement, called: Macro) -> HoverResult | None:
    """An argument of a macro call: what it is by itself, and which parameter takes it."""
    index = place.cursor.index
    if index is None:
        return None
    written = statement.operands[index]
    named = _named_argument(place, statement, called)
    if named is not None:
        return named
    found = _unmatched(place, written)
    if index >= len(called.parameters) or b"=" in statement.rest:
        return found
    said = macro.parameter(called, called.parameters[index].name)
    if found is None:
        return place.at(written, said)
    return HoverResult(found.where, markdown.join(found.markdown, said))


def _named_argument(place: _Place, statement: Statement, called: Macro) -> HoverResult | None:
    """`unroll=4` under the cursor: the parameter."""
    text = place.program.source.lines[place.line]
    for match in _NAMED.finditer(text, statement.rest_start, statement.end):
        name = match[1].decode("utf-8", "replace")
        if match.start() <= place.cursor.word.start < match.end() and any(
            name == parameter.name for parameter in called.parameters
        ):
            return place.result(macro.parameter(called, name), match.start(), match.end())
    return None


_NAMED = re.compile(rb"([\w$.]+)[ \t]*=(?!=)[ \t]*[^,]*")


# Operands of instructions


def _operand(place: _Place, statement: Statement) -> HoverResult | None:
    cursor = place.cursor
    if cursor.index is None:
        return None
    written = statement.operands[cursor.index]
    items = _instructions(place.program, statement, place.line)
    call = next((node for node in reversed(cursor.path) if isinstance(node, nodes.Call)), None)
    is_register = call is not None and cursor.node is not call and call.name.lower() in operands.CHANGES
    if call is not None and not is_register:
        found = _helper(place, call, items)
        if found is not None:
            return found
    if isinstance(written, nodes.Modifier) and cursor.word.start < written.name_end:
        said = _resolved_text(items, cursor.index, place.text(written))
        pattern = _pattern(place, written.name, items)
        return place.at(written, markdown.join(helper.modifier(written.name, place.program.target), said, pattern))
    if isinstance(written, nodes.DualIssue):
        form = next((item.item.instruction.form for item in items if item.item.instruction is not None), None)
        told = instructions.documentation_of(written.name, place.program.target, form)
        return place.result(told, written.name_start, written.end)
    inner = cursor.node
    if isinstance(inner, nodes.Name) and not cursors.is_register(cursor, place.program.target):
        text = symbol.describe(place.program, inner.name, place.line)
        if text is not None:
            # A symbol in an operand is asked about, but the operand it makes is what one wants to know.
            return place.at(inner, markdown.join(text, _resolved_text(items, cursor.index, place.text(written))))
        target = place.program.target
        text = helper.modifier(inner.name.lower(), target) or helper.word(inner.name, target)
        if text is not None:
            return place.at(inner, markdown.join(text, _pattern(place, inner.name.lower(), items)))
    number = None
    if isinstance(written, nodes.Bracket) and len(cursor.path) > 1:  # the registers of an image's address
        bracket, written = written, cursor.path[1]
        number = bracket.items.index(written)
    resolved = _resolved(items, cursor.index, number)
    if not resolved:
        return _unmatched(place, written)
    text = _operand_text(place, written, items, resolved)
    if isinstance(written, nodes.Modifier):
        text = markdown.join(text, helper.modifier(written.name, place.program.target))
        text = markdown.join(text, _pattern(place, written.name, items))
    return place.at(written, text)


def _pattern(place: _Place, name: str, items: "Sequence[PlacedItem]") -> str:
    """The lanes that a control of DPP or a swizzle's offset makes an instruction read."""
    form = next((item.item.instruction.form for item in items if item.item.instruction is not None), None)
    if place.program.target is None or form is None or not (name in _LANE_CONTROLS or form.mnemonic == _SWIZZLE):
        return ""
    return instructions.lane_pattern(place.program.target, form, items)


_LANE_CONTROLS = dpp.all_names()
_SWIZZLE = "ds_swizzle_b32"


def _unmatched(place: _Place, written: nodes.Node) -> HoverResult | None:
    """An operand of an instruction that no form matches: what can be said of it by itself."""
    inner = place.cursor.node
    if isinstance(inner, nodes.Integer | nodes.Unary | nodes.Binary):
        # Inside `s[1:2]` a number is no constant: what is asked about is the register.
        inner = next((node for node in reversed(place.cursor.path) if isinstance(node, nodes.Index)), inner)
    if isinstance(inner, nodes.Name) and cursors.is_register(place.cursor, place.program.target):
        special = helper.special_register(inner.name.lower(), place.program.target)
        return place.at(inner, special or _register_name(inner.name))
    if isinstance(inner, nodes.Index):
        first = _value(place, inner.first)
        last = first if inner.last is None else _value(place, inner.last)
        file = "a" if inner.base == "acc" else inner.base
        if file in forms.FILES and first is not None and last is not None and first <= last:
            return place.at(inner, operands.numbered(file, first, last - first + 1))
        if file in forms.FILES and b"\\" in place.program.source.lines[place.line][inner.start : inner.end]:
            return place.at(inner, f"{forms.FILES[file]} whose number comes from the macro's arguments")
    if isinstance(inner, nodes.Unary | nodes.Binary):
        value = _value(place, inner)
        return place.at(inner, numbers.describe(value)) if value is not None else None
    return _plain(place)


def _resolved(items: "Sequence[PlacedItem]", index: int, part: int | None = None) -> list[Operand]:
    """The operands that the written operand number `index` became, one for each expansion; `part`: of a list's item."""
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


def _operand_text(
    place: _Place, written: nodes.Node, items: "Sequence[PlacedItem]", resolved: Sequence[Operand]
) -> str:
    form = next((item.item.instruction.form for item in items if item.item.instruction is not None), None)
    first = resolved[0]
    text = place.text(written)
    different = list(dict.fromkeys(operand.text for operand in resolved))
    if len(different) > 1:
        slot = operands.slot_of(form, first) if form is not None else None
        shown = " or ".join(markdown.code(each) for each in different[:4]) + (" and more" if len(different) > 4 else "")
        return markdown.join(f"{markdown.code(text)} is {shown}", operands.role(slot, form, place.program.target))
    writers = history.writers_of(place.program, place.line, first)
    told = history.describe(place.program, place.line, first, writers)
    special = helper.special_register(first.text, place.program.target) if first.kind == "register" else None
    if special is not None:
        slot = operands.slot_of(form, first) if form is not None else None
        return markdown.join(special, operands.role(slot, form, place.program.target), told)
    body = operands.describe(first, form, place.program.target, text)
    return markdown.join(body, *_more(place, form, first, writers), told)


def _more(
    place: _Place, form: "isa.Form | None", operand: Operand, writers: "reaching.Writers | None"
) -> Iterator[str]:
    """What is to be said of an operand that all expansions agree on, besides what it is and who wrote it."""
    target = place.program.target
    if target is None or form is None:
        return
    slot = operands.slot_of(form, operand)
    if operand.kind == "register":
        yield register.aliases(operand, target)
        yield matrix.of_operand(form, target, operand)
        kind = resources.kind_of(form, operand.slot) if operand.file == "s" else None
        if kind is not None:
            numbers_here = scope.written_numbers(place.program, place.line)
            chunk, index = next(
                number for number in numbers_here if place.program.chunks[number[0]].items[number[1]].instruction
            )
            values = known_values.known_values(place.program, chunk, index, operand.first, operand.count)
            # What straight code does not tell, the other paths to here may.
            others = known_values.on_every_path(writers, operand.first, operand.count)
            words = [other if value is None else value for value, other in zip(values, others, strict=True)]
            yield resource.describe(target, kind, operand.first, words)
    elif slot is not None and slot.kind is not None and slot.kind.registers is None:
        yield helper.operand_text(slot.kind.name, target)
        if operand.slot == "simm16" and type(operand.value) is int:
            yield helper.decoded(target, form.mnemonic, operand.value)
    elif operand.kind in ("immediate", "literal") and operand.value is not None:
        is_source = slot is not None and slot.kind is not None and slot.kind.registers is not None
        if is_source and slot is not None:
            value, width = operands.constant(operand, slot.kind)
            if width:  # the bits of bfloats are not told
                yield number.describe(value, width)


def _resolved_text(items: "Sequence[PlacedItem]", index: int, written: str) -> str:
    """What the operand around the thing under the cursor is; nothing when it says no more than its text."""
    values = list(dict.fromkeys(operand.text for operand in _resolved(items, index)))
    if not values or values == [written]:
        return ""
    shown = " or ".join(markdown.code(value) for value in values[:4]) + (" and more" if len(values) > 4 else "")
    return f"The operand is {shown}."


def _helper(place: _Place, call: nodes.Call, items: "Sequence[PlacedItem]") -> HoverResult | None:
    """`vmcnt(0)`, `hwreg(...)`, `sendmsg(...)`: decoded as a whole, or the name inside under the cursor."""
    target = place.program.target
    inner = place.cursor.node
    name = call.name.lower()
    if isinstance(inner, nodes.Name):
        text = helper.hardware_register_name(inner.name, target) or helper.message_name(inner.name, target)
        text = text or helper.word(inner.name.upper(), target)
        if text is not None:
            return place.at(inner, markdown.join(text, _pattern(place, name, items)))
    value = _immediate(items, call)
    if name in ("hwreg", "sendmsg") and target is not None and value is not None:
        describe = helper.hardware_register if name == "hwreg" else helper.message
        return place.at(call, markdown.join(describe(target, value), helper.modifier(name, target)))
    if name.removesuffix("_sat") in helper.COUNTERS:
        argument = _value(place, call.arguments[0]) if len(call.arguments) == 1 else None
        whole = helper.wait_counts(target, value) if target is not None and value is not None else ""
        return place.at(call, markdown.join(helper.counter(name, argument, target), whole))
    text = helper.modifier(name, target)
    return place.at(call, markdown.join(text, _pattern(place, name, items))) if text is not None else None


def _immediate(items: "Sequence[PlacedItem]", call: nodes.Call) -> int | None:
    """The number that the operand with `call` in it became, when all expansions agree."""
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
    """`v12`: what a numbered register is, also where no instruction around it could be matched."""
    match = _NUMBERED.fullmatch(name.lower())
    return operands.numbered(match[1], int(match[2]), 1) if match is not None else None


_NUMBERED = re.compile(r"(ttmp|v|s|a)([0-9]{1,4})")


# Everything else


def _plain(place: _Place, *, is_operand: bool = True) -> HoverResult | None:
    """A symbol, a number or a register where no instruction form says more; is_operand: of an instruction."""
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
        text = helper.special_register(word.text.lower()) or _register_name(word.text)
    return place.result(text)


def _directive_argument(place: _Place, statement: Statement) -> HoverResult | None:
    word = place.cursor.word
    if statement.word == ".include":
        found = place.program.options.include(place.program.path, _string(statement))
        text = f"includes {markdown.code(found.path)}, {len(found.lines)} lines" if found else "the file is not found"
        return place.result(text, statement.rest_start, statement.end)
    if statement.word == ".amdgcn_target":
        name = isa.resolve_target(_string(statement))
        said = f"{markdown.code(name)}, {isa.load_target(name).generation}" if name else "no target has this name"
        return place.result(said, statement.rest_start, statement.end)
    if statement.word == ".macro":
        body = scope.macro_at(place.program, place.line)
        if body is not None and body.header == place.line:
            if word.text == body.macro.name:
                return place.result(macro.describe(place.program, body.macro))
            return place.result(macro.parameter(body.macro, word.text))
    # What a symbol stands for may become an operand; a count or a size does not.
    return _plain(place, is_operand=statement.word in SETTERS)


def _string(statement: Statement) -> str:
    return statement.rest.strip().strip(b'"').decode("utf-8", "replace")


def _value(place: _Place, node: nodes.Node) -> int | None:
    """The value of an expression at the cursor's line."""

    def lookup(name: str) -> "int | expressions.Address | Missing":
        value = place.program.symbol_value(name, place.line)
        return value if value is not None else place.program.layout.labels.get(name, Missing(False))

    value = expressions.evaluate(node, lookup)
    return value if type(value) is int else None


def _metadata(program: "Program", line: int, column: int) -> HoverResult | None:
    text = program.source.lines[line]
    word = cursors.word_at(text, column)
    where = Location(program.path, line, word.start, word.end)
    if text[word.end : word.end + 1] == b":":
        meaning = documentation.metadata_key(word.text)
        return HoverResult(where, f"{markdown.code(word.text)}: {meaning}") if meaning is not None else None
    name = word.text.removesuffix(".kd")
    found = symbol.describe(program, name, line) if name else None
    return HoverResult(where, found) if found is not None else None


def _rule(place: _Place, column: int) -> HoverResult | None:
    """A rule's name in a suppression comment; rule names have hyphens, which other words have not."""
    text = place.program.source.lines[place.line]
    if b"gcn-lsp:" not in text:
        return None
    for match in _RULE_NAME.finditer(text):
        rule = RULES.get(match.group().decode())
        if rule is not None and match.start() <= column <= match.end():
            said = markdown.join(f"**rule** {markdown.code(rule.name)}, {rule.severity.value}", rule.summary)
            return place.result(said, match.start(), match.end())
    return None


_RULE_NAME = re.compile(rb"[a-z]+(?:-[a-z]+)*")

"""Describes a mnemonic and the instruction at hand: syntax, operation, operands, effects, encoding, targets."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.ide import mnemonics
from gcn_lsp.ide.describe import encoding, immediates, lanes, markdown, syntax, targets
from gcn_lsp.ide.describe import operand as operands
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import documents, implicit, result_modifiers
from gcn_lsp.syntax.statement import Statement

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem, Program

# The number of values shown for an operand that differs between the expansions of one line.
_MAX_VALUES = 3
# The number of forms shown if the form is not known; images have dozens.
_MAX_SYNTAXES = 6


def describe(
    program: "Program",
    mnemonic: str,
    written: Statement,
    items: "Sequence[PlacedItem]",
    *,
    here: str = "",
    in_macro: bool = False,
) -> str:
    """The hover of a mnemonic; `items` are the results of its statement, none if it is not assembled.

    An editor shows some twelve lines of it: first what is true of this line only, with `here`, which the caller knows;
    the page of the mnemonic is below a rule.
    """
    target = program.target
    instructions = [item.item.instruction for item in items if item.item.instruction is not None]
    form = next((instruction.form for instruction in instructions if instruction.form is not None), None)
    if any(instruction.form is not form for instruction in instructions):
        form = None  # the expansions match different forms: show only what they share
    pattern = lane_pattern(target, form, items) if form is not None and target is not None else ""
    page = _texts(mnemonic, target, form)
    special = (
        _state(items, in_macro),
        operand_table(program, written, form, items) if form is not None else "",
        _decoded(target, mnemonic, instructions) if target is not None else "",
        _modified(target, mnemonic, instructions) if target is not None else "",
        here,
    )
    return markdown.join(
        page.summary,
        *special,
        markdown.RULE if any(special) else "",
        page.page,
        pattern,
        _encoding(form, target, items) if form is not None and target is not None else "",
        page.end,
    )


class _Texts(NamedTuple):
    """What the hover of a mnemonic says wherever it is written. target, form: those that the texts are kept for."""

    target: isa.Target | None
    form: isa.Form | None
    summary: str
    page: str
    end: str


_TEXTS: ByValue[tuple[str, int, int], _Texts] = ByValue(4096)


def _texts(mnemonic: str, target: isa.Target | None, form: isa.Form | None) -> _Texts:
    key = mnemonic, id(target), id(form)  # the texts refer to both, so no others can have their identity
    return _TEXTS.get(key) or _TEXTS.keep(
        key,
        _Texts(
            target,
            form,
            _summary(mnemonic, target, form),
            _page(mnemonic, target, form),
            markdown.join(_having(mnemonic, target), source_of(mnemonic, target, form)),
        ),
    )


def documentation_of(mnemonic: str, target: isa.Target | None, form: isa.Form | None) -> str:
    """The general documentation of a mnemonic: syntax, summary, operation, effects, notes."""
    return markdown.join(_summary(mnemonic, target, form), _page(mnemonic, target, form))


def _summary(mnemonic: str, target: isa.Target | None, form: isa.Form | None) -> str:
    entry = documentation.entry(mnemonic, target)
    ways: Sequence[str] = ()
    if target is not None:
        ways = [syntax.syntax(form, target)] if form is not None else syntaxes(target, mnemonic)[:_MAX_SYNTAXES]
    head = markdown.block("\n".join(ways)) if ways else markdown.code(mnemonic)
    return markdown.join(head, entry.summary if entry is not None else "")


def _page(mnemonic: str, target: isa.Target | None, form: isa.Form | None) -> str:
    """The documentation after the summary."""
    entry = documentation.entry(mnemonic, target)
    if entry is None:
        return effects(mnemonic, target, form, None)
    operation = markdown.block(entry.operation, "text") if entry.operation else ""
    notes = "\n".join(f"- {text}" for text in (*entry.notes, *(f"Hazard: {text}" for text in entry.hazards)))
    return markdown.join(operation, effects(mnemonic, target, form, entry), notes)


def source_of(mnemonic: str, target: isa.Target | None, form: isa.Form | None) -> str:
    """The documents to read further."""
    entry = documentation.entry(mnemonic, target)
    if target is None or entry is None:
        return ""
    shortest = form or min(mnemonics.candidates(target, mnemonic), key=lambda form: form.size, default=None)
    texts = documents.of_entry(entry, target.name, shortest.family if shortest is not None else "")
    return f"Source: {'; '.join(texts)}."


def operand_table(program: "Program", written: Statement, form: isa.Form, items: "Sequence[PlacedItem]") -> str:
    """A row for each operand: its name and direction, its text, its value here."""
    instructions = [item.item.instruction for item in items if item.item.instruction is not None]
    if not instructions:
        return ""
    first = instructions[0]
    rows = []
    for index, operand in enumerate(first.operands):
        slot = operands.slot_of(form, operand)
        if operand.kind == "token" and (slot is None or not slot.name):
            continue
        name = markdown.code(operand.slot) if operand.slot else ""
        if slot is not None and slot.is_def:
            name += " (written)"
        text = markdown.code(_written(written, first, operand))
        rows.append((name, text, _branch(form, items) or _values(index, slot, instructions)))
    return markdown.table(("operand", "written", "here"), rows)


def _written(written: Statement, instruction: Instruction, operand: Operand) -> str:
    """The operand as in the file: in a macro's body `v[\\name]`, not the text of an expansion."""
    line, node = instruction.statement.line, operand.node
    made = instruction.statement.operands
    if len(made) == len(written.operands):
        for ours, theirs in zip(written.operands, made, strict=True):
            if (theirs.start, theirs.end) == (node.start, node.end):
                line, node = written.line, ours
                break
    return line[node.start : node.end].decode("utf-8", "replace")


def _values(index: int, slot: isa.Slot | None, instructions: Sequence[Instruction]) -> str:
    values: dict[str, None] = {}
    for instruction in instructions:
        if index < len(instruction.operands):
            each = instruction.operands[index]
            values[markdown.code(each.text) if each.kind == "register" else operands.here(each, slot)] = None
    shown = list(values)[:_MAX_VALUES]
    return " or ".join(shown) + (f" and {len(values) - _MAX_VALUES} more" if len(values) > _MAX_VALUES else "")


def _branch(form: isa.Form, items: "Sequence[PlacedItem]") -> str:
    """The target of a branch: `.text + 0x4c, 1 dword after the next instruction`."""
    if "isBranch" not in form.flags or len(items) != 1:
        return ""
    item = items[0]
    instruction = item.item.instruction
    if instruction is None or len(item.code) < 4 or not any(fixup.kind == "branch" for fixup in instruction.fixups):
        return ""
    distance = int.from_bytes(item.code[:2], "little", signed=True)
    address = item.offset + len(item.code) + 4 * distance
    way = "after" if distance >= 0 else "before"
    plural = "" if abs(distance) == 1 else "s"
    return f"{markdown.code(item.section)} + {address:#x}, {abs(distance)} dword{plural} {way} the next instruction"


def _decoded(target: isa.Target, mnemonic: str, instructions: Sequence[Instruction]) -> str:
    """The meaning of the immediate of a wait, a message or a hardware register access."""
    if not instructions:
        return ""
    value = _only(instructions, "simm16")
    if value is None:
        return ""
    assigned = _only(instructions, "imm") if mnemonic == _ASSIGNS else None
    said = immediates.assigned(target, value, assigned) if assigned is not None else ""
    return markdown.join(immediates.decoded(target, mnemonic, value), said)


_ASSIGNS = "s_setreg_imm32_b32"


def _modified(target: isa.Target, mnemonic: str, instructions: Sequence[Instruction]) -> str:
    """The operation with the clamp and the output modifier of this line, and what they depend on."""
    omod, clamp = _only(instructions, result_modifiers.OMOD), _only(instructions, result_modifiers.CLAMP)
    entry = documentation.entry(mnemonic, target) if omod or clamp else None
    if entry is None:
        return ""
    found = result_modifiers.modified(entry.operation, entry.mnemonic, target.name, omod or 0, bool(clamp))
    operation = markdown.block(found.operation, "text") if found.operation else ""
    return markdown.join(operation, " ".join(found.notes))


def _only(instructions: Sequence[Instruction], slot: str) -> int | None:
    """The number in a slot that all of the instructions agree on."""
    values = {
        operand.value
        for instruction in instructions
        for operand in instruction.operands
        if operand.slot == slot and type(operand.value) is int
    }
    value = values.pop() if len(values) == 1 else None
    return value if type(value) is int else None


def lane_pattern(target: isa.Target, form: isa.Form, items: "Sequence[PlacedItem]") -> str:
    """The lanes that a DPP instruction or a swizzle reads; empty for others, and if expansions differ."""
    codes = {item.code for item in items}
    if len(codes) != 1:
        return ""
    word = int.from_bytes(codes.pop()[: form.size], "little")
    control = _field(form, "dpp_ctrl", word)
    if control is not None:
        return lanes.dpp_control(target, control)
    eight = _field(form, "dpp8", word)
    if eight is not None:
        return lanes.dpp8(eight)
    offset = _field(form, "offset", word)
    return lanes.swizzle_pattern(target, offset) if form.mnemonic == "ds_swizzle_b32" and offset is not None else ""


def _field(form: isa.Form, name: str, word: int) -> int | None:
    """The value of a field in an encoding; None if the form does not have it."""
    field = form.field(name)
    if field is None:
        return None
    return sum((word >> piece.bit & (1 << piece.width) - 1) << piece.source for piece in field.pieces)


def effects(
    mnemonic: str, target: isa.Target | None, form: isa.Form | None, entry: "documentation.Entry | None"
) -> str:
    """The implicit reads and writes of an instruction, and the counters that it raises, in a sentence each."""
    known: Sequence[isa.Form] = [form] if form is not None else ()
    if not known and target is not None:
        known = mnemonics.candidates(target, mnemonic) or mnemonics.as_second_half(target, mnemonic)
    name = target.name if target is not None else ""
    read, written = implicit.reads(entry, known, name), implicit.writes(entry, known, name)
    sentences = (
        ("Also reads", read.always),
        ("Some forms also read", read.sometimes),
        ("Also writes", written.always),
        ("Some forms also write", written.sometimes),
        ("Counted by", entry.counters if entry is not None else ()),
    )
    return " ".join(f"{start} {markdown.listing(names)}." for start, names in sentences if names)


def syntaxes(target: isa.Target, mnemonic: str) -> Sequence[str]:
    """The syntaxes of an instruction on the target, or of the second half of a pair."""
    known = mnemonics.candidates(target, mnemonic)
    if known:
        return syntax.syntaxes(known, target)
    return [syntax.second_half(form, target) for form in mnemonics.as_second_half(target, mnemonic)]


def _state(items: "Sequence[PlacedItem]", in_macro: bool) -> str:
    if not items:
        return f"_Not assembled: {'no call expands this line' if in_macro else 'its branch is not taken'}._"
    if len(items) > 1:
        return f"_This line is assembled {len(items)} times; the values are those of all expansions._"
    return ""


def _encoding(form: isa.Form, target: isa.Target, items: "Sequence[PlacedItem]") -> str:
    codes = {item.code for item in items}
    if len(codes) != 1:
        return ""
    item = items[0]
    instruction = item.item.instruction
    if instruction is None or not instruction.code:
        return ""
    place = f"Encoding {encoding.title(form)}"
    if len(items) == 1:
        place += f", at {markdown.code(item.section)} + {item.offset:#x}"
    drawn = encoding.describe(form, target, item.code, _meanings(instruction))
    return markdown.join(f"{place}:", drawn, _read_back(target, item))


def _read_back(target: isa.Target, item: "PlacedItem") -> str:
    """What a disassembler makes of the bytes, where it is not what is written."""
    from gcn_lsp.instruction.decoding.decoder import decoder_for  # late: only hovers need it

    found = decoder_for(target).read(item.code)
    if found is None or found.size != len(item.code) or _plain(found.text) == _plain(item.text):
        return ""
    return f"These bytes, read back, are {markdown.code(found.text)}."


def _plain(text: str) -> str:
    """An instruction without the blanks, in which writers differ."""
    return "".join(text.split()).lower()


def _meanings(instruction: Instruction) -> Mapping[str, str]:
    found = {}
    for operand in instruction.operands:
        if operand.slot and operand.kind != "modifier":
            found[operand.slot] = markdown.code(operand.text)
        elif operand.slot and isinstance(operand.value, int) and operand.value < 0:
            found[operand.slot] = str(operand.value)  # the field shows it as two's complement
    return found


def _having(mnemonic: str, target: isa.Target | None) -> str:
    having = targets.having(mnemonic)
    if not having:
        return "No supported target has this mnemonic."
    if target is not None and not mnemonics.candidates(target, mnemonic):
        return f"{target.name} does not have this mnemonic; targets that do: {having}."
    return markdown.join(f"Targets: {having}.", _names_elsewhere(mnemonic, target))


def _names_elsewhere(mnemonic: str, target: isa.Target | None) -> str:
    """The names of the instruction on other targets."""
    lines = []
    for name, having in mnemonics.names_elsewhere(mnemonic, target).items():
        lines.append(f"{markdown.code(name)} on {targets.summary(having)}")
    return f"Elsewhere it is {', '.join(lines)}." if lines else ""

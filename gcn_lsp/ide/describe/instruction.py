"""Describes the instruction at hand: its page, and what is true of this line: operands, immediates, lanes, encoding."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gcn_lsp import isa
from gcn_lsp.ide.describe import encoding, immediates, lanes, markdown
from gcn_lsp.ide.describe import operand as operands
from gcn_lsp.ide.describe import page as pages
from gcn_lsp.ide.describe.hovered import Hovered
from gcn_lsp.ide.describe.subject import Subject
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.isa.documentation import result_modifiers
from gcn_lsp.syntax.statement import Statement

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem

# The number of values shown for an operand that differs between the expansions of one line.
_MAX_VALUES = 3


def describe(at: Hovered, mnemonic: str, written: Statement, *, here: str = "", in_macro: bool = False) -> str:
    """The hover of a mnemonic, written in a statement or made there of a macro's arguments.

    An editor shows some twelve lines of it: first what is true of this line only, with `here`, which the caller knows;
    the page of the mnemonic is below a rule.
    """
    form = at.only_form  # if the expansions match different forms, show only what they share
    page = pages.of(mnemonic, at.target, form)
    special = (
        _state(at.items, in_macro),
        operand_table(at, written, form) if form is not None else "",
        _decoded(page.subject, at.instructions),
        _modified(page.subject, at.instructions),
        here,
    )
    return markdown.join(
        page.summary,
        *special,
        markdown.RULE if any(special) else "",
        page.body,
        lane_pattern(at, form),
        _encoding(form, at.target, at.items) if form is not None and at.target is not None else "",
        page.end,
    )


def operand_table(at: Hovered, written: Statement, form: isa.Form) -> str:
    """A row for each operand: its name and direction, its text, its value here."""
    first = at.instructions[0]
    rows = []
    for index, operand in enumerate(first.operands):
        slot = operands.slot_of(form, operand)
        if operand.kind == "token" and (slot is None or not slot.name):
            continue
        name = markdown.code(operand.slot) if operand.slot else ""
        if slot is not None and slot.is_def:
            name += " (written)"
        text = markdown.code(_written(written, first, operand))
        rows.append((name, text, _branch(form, at.items) or _values(index, slot, at.instructions)))
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


def _decoded(about: Subject, instructions: Sequence[Instruction]) -> str:
    """The meaning of the immediate of a wait, a message or a hardware register access."""
    value = _only(instructions, "simm16")
    if value is None or about.target is None:
        return ""
    assigned = _only(instructions, "imm") if about.mnemonic == _ASSIGNS else None
    said = immediates.assigned(about.target, value, assigned) if assigned is not None else ""
    return markdown.join(immediates.decoded(about.target, about.mnemonic, value), said)


_ASSIGNS = "s_setreg_imm32_b32"


def _modified(about: Subject, instructions: Sequence[Instruction]) -> str:
    """The operation with the clamp and the output modifier of this line, and what they depend on."""
    omod, clamp = _only(instructions, result_modifiers.OMOD), _only(instructions, result_modifiers.CLAMP)
    entry = about.entry if omod or clamp else None
    if entry is None or about.target is None:
        return ""
    found = result_modifiers.modified(entry.operation, entry.mnemonic, about.target.name, omod or 0, bool(clamp))
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


def lane_pattern(at: Hovered, form: isa.Form | None) -> str:
    """The lanes that a DPP instruction or a swizzle reads; empty for others, and if expansions differ."""
    codes = {item.code for item in at.items}
    target = at.target
    if len(codes) != 1 or form is None or target is None:
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

"""The table of an instruction's operands: name and direction, text, value on this line."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown
from gcn_lsp.ide.describe import operand as operands
from gcn_lsp.ide.describe.hovered import Hovered
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.syntax.statement import Statement

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem

# The number of values shown for an operand that differs between the expansions of one line.
_MAX_VALUES = 3


def describe(at: Hovered, written: Statement) -> str:
    """A row for each operand; empty if the form is not known."""
    form = at.only_form
    if form is None:
        return ""
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

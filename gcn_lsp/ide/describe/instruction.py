"""Describes the instruction at hand: its page, and what is true of this line: operands, immediates, lanes, encoding."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gcn_lsp.ide.describe import encoding, immediates, lanes, markdown, operand_table
from gcn_lsp.ide.describe import page as pages
from gcn_lsp.ide.describe.hovered import Hovered
from gcn_lsp.ide.describe.subject import Subject
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.isa.documentation import result_modifiers
from gcn_lsp.isa.machine import roles
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import Text

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem


def describe(at: Hovered, mnemonic: str, written: Statement, *, here: Text = "", in_macro: bool = False) -> Text:
    """The hover of a mnemonic, written in a statement or made there of a macro's arguments.

    An editor shows some twelve lines of it: first what is true of this line only, with `here`, which the caller knows;
    the page of the mnemonic is below a rule.
    """
    # If the expansions match different forms, show only what they share.
    page = pages.of(mnemonic, at.target, at.only_form)
    special = (
        _state(at.items, in_macro),
        operand_table.describe(at, written),
        _decoded(page.subject, at.instructions),
        _modified(page.subject, at.instructions),
        here,
    )
    return markdown.join(
        page.summary,
        *special,
        markdown.RULE if any(special) else "",
        page.body,
        lanes.pattern(at),
        encoding.of_line(at),
        page.end,
    )


def _decoded(about: Subject, instructions: Sequence[Instruction]) -> str:
    """The meaning of the immediate of a wait, a message or a hardware register access."""
    value = _only(instructions, "simm16")
    if value is None or about.target is None:
        return ""
    assigned = _only(instructions, "imm") if about.mnemonic in _ASSIGNS else None
    said = immediates.assigned(about.target, value, assigned) if assigned is not None else ""
    return markdown.join(immediates.decoded(about.target, about.mnemonic, value), said)


_ASSIGNS = roles.mnemonics("set constant state")


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


def _state(items: "Sequence[PlacedItem]", in_macro: bool) -> str:
    if not items:
        return f"_Not assembled: {'no call expands this line' if in_macro else 'its branch is not taken'}._"
    if len(items) > 1:
        return f"_This line is assembled {len(items)} times; the values are those of all expansions._"
    return ""

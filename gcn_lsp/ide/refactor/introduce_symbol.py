"""Introduces a symbol for a register: `v5` becomes `v[v_5]` wherever its kernel or function names exactly `v5`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.ide.reading import blocks, cursors, functions, registers, scope, values
from gcn_lsp.ide.refactor import model
from gcn_lsp.ide.refactor.model import Edit, Refactoring, Selection
from gcn_lsp.instruction.model import Operand
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.directives import SETTERS
from gcn_lsp.syntax.statement import StatementKind

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Item
    from gcn_lsp.program.program import Program


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """The refactoring for the register at the selection's start."""
    line = selection.first
    item = model.instruction_on(program, line)
    if item is None or scope.macro_at(program, line) is not None:
        return
    cursor = cursors.locate(program.line(line), selection.start)
    here = [operand for operand, node in _registers(item) if cursor.index is not None and _holds(node, selection.start)]
    if not here or not registers.registers_at(program, line, cursor):
        return
    wanted = here[0]
    first, last = functions.region_at(program, line)
    name = model.free_name(program, f"{wanted.file}_{wanted.first}")
    edits = list(_edits(program, first, last, wanted, name))
    if edits:
        at = _after_symbols(program)
        if at is None:
            at = first if functions.function_at(program, line) is not None else min(edit.first for edit in edits)
        definition = Edit(at, 0, at, 0, f".set {name}, {wanted.first}\n")
        title = f"Introduce a symbol for {wanted.text.strip('-|')}"
        named_at = _named_at(edits, selection, name) or (at, len(".set "))
        yield Refactoring(title, model.EXTRACT, (definition, *edits), named_at, name)


def _after_symbols(program: "Program") -> int | None:
    """The line after the last symbol that is set above all code; None if there is none."""
    found = functions.functions(program)
    inner = [range(block.first, block.last + 1) for block in blocks.blocks(program)]
    for line in range(found[0].first - 1 if found else -1, -1, -1):
        statements = program.line(line).statements
        sets = any(each.word in SETTERS or each.kind is StatementKind.ASSIGNMENT for each in statements)
        if sets and not any(line in lines for lines in inner):
            return line + 1
    return None


def _named_at(edits: list[Edit], selection: Selection, name: str) -> tuple[int, int] | None:
    """Line and column of the name at the selected register after the edits, which insert a line above it."""
    moved = 0
    for edit in edits:
        if edit.first == selection.first:
            if edit.start <= selection.start <= edit.end:
                return edit.first + 1, edit.start + moved + edit.text.index(name)
            moved += len(edit.text) - (edit.end - edit.start)
    return None


def _holds(node: nodes.Node, column: int) -> bool:
    return node.start <= column <= node.end


def _registers(item: "Item") -> Iterator[tuple[Operand, nodes.Node]]:
    """The numbered registers of an instruction with plain numbers."""
    assert item.instruction is not None
    for operand in item.instruction.operands:
        if operand.kind == "register" and operand.file in values.REGISTER_FILES:
            node = registers.register_node(operand.node)
            is_plain = isinstance(node, nodes.Index) and not values.is_computed(node)
            if isinstance(node, nodes.Name) or is_plain:
                yield operand, node


def _edits(program: "Program", first: int, last: int, wanted: Operand, name: str) -> Iterator[Edit]:
    for line in range(first, last + 1):
        item = model.instruction_on(program, line)
        if item is None or item.instruction is None:
            continue
        text = model.text_of(item.statement)
        start = item.statement.start
        edits: list[Edit] = []
        for operand, node in _registers(item):
            if (operand.file, operand.first, operand.count) == (wanted.file, wanted.first, wanted.count):
                edits.append(Edit(line, node.start, line, node.end, _named(operand, name)))
        for edit in reversed(edits):
            text = text[: edit.start - start] + edit.text.encode() + text[edit.end - start :]
        # A few registers must be written by their number; they are left alone.
        again = model.reassembled(program, line, text, {name: wanted.first}) if edits else None
        if again is not None and again.code == item.instruction.code:
            yield from edits


def _named(operand: Operand, name: str) -> str:
    count = max(operand.count, 1)
    return f"{operand.file}[{name}]" if count == 1 else f"{operand.file}[{name}:{name}+{count - 1}]"

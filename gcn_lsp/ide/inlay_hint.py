"""Inlay hints: the register that an operand with a computed index is, behind the operand: `v[v_acc+3]` v35."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.asm.model import Instruction, Operand
from gcn_lsp.ide import cursor, values
from gcn_lsp.syntax import nodes

if TYPE_CHECKING:
    from gcn_lsp.asm.program import Program


class InlayHint(msgspec.Struct, frozen=True, gc=False):
    """Text to show at byte `column` of `line`."""

    line: int
    column: int
    text: str


def inlay_hints(program: "Program", first: int, last: int) -> list[InlayHint]:
    """The hints on lines `first` to `last` (both counted in) of the main file; costs what these lines cost.

    Lines in the bodies of macros and repetitions have none: there the register differs from one expansion to the next.
    """
    found: list[InlayHint] = []
    for line in range(max(first, 0), min(last, len(program.source.lines) - 1) + 1):
        number = program.chunk_at(line)
        in_chunk = line - program.bases[number]
        for item in program.chunks[number].items_on(in_chunk):
            if item.instruction is not None and item.frame is None and item.line == in_chunk:
                found += (InlayHint(line, column, text) for column, text in _registers(item.instruction))
    return found


def _registers(instruction: Instruction) -> Iterator[tuple[int, str]]:
    for operand in instruction.operands:
        if operand.kind != "register" or operand.file not in values.REGISTER_FILES:
            continue
        for node in cursor.walk(operand.node):
            if isinstance(node, nodes.Index) and values.is_computed(node):
                yield node.end, _text(operand)


def _text(operand: Operand) -> str:
    if operand.count <= 1:
        return f"{operand.file}{operand.first}"
    return f"{operand.file}[{operand.first}:{operand.first + operand.count - 1}]"

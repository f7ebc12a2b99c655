"""Inlay hints: the register of a computed index (`v[v_acc+3]` v35), the byte offset of a line, its encoding, and what a
kernel was started with (`s6` work-group id x), and the instructions that data among the code are.

Each kind is switched on separately. A hint from another analysis is one more generator in `_KINDS`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.ide.describe import kernel_input
from gcn_lsp.ide.reading import cursors, data_lines, values
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.syntax import nodes
from gcn_lsp.views.view import View

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

REGISTERS, OFFSET, ENCODING, INPUTS, DATA = "registers", "offset", "encoding", "inputs", "data"


class InlayHint(msgspec.Struct, frozen=True, gc=False):
    """Text to show at byte `column` of `line`. kind: of those in the settings; empty for an object's addresses."""

    line: int
    column: int
    text: str
    kind: str = ""


def inlay_hints(
    program: "Program", first: int, last: int, kinds: Collection[str] = frozenset((REGISTERS,))
) -> list[InlayHint]:
    """The hints of some kinds on lines `first` to `last` (inclusive) of the main file, in order.

    The cost is that of these lines. Lines in the bodies of macros and repetitions have no hints: their expansions
    differ. A call has the offset of its first byte.
    """
    found: list[InlayHint] = []
    for line in range(max(first, 0), min(last, len(program.source.lines) - 1) + 1):
        for kind, make in _KINDS.items():
            if kind in kinds:
                found += (InlayHint(line, column, text, kind) for column, text in make(program, line))
    return found


def of_object(program: "Program", view: View, first: int, last: int) -> list[InlayHint]:
    """The address of each line of the text of a code object, and the encoding of an instruction: `0x1904: BF810000`."""
    found: list[InlayHint] = []
    for line in range(max(first, 0), min(last, len(program.source.lines) - 1) + 1):
        origin = view.origin(line)
        if origin is not None and program.line(line).statements:
            encoding = "".join(f": {text}" for _, text in _encoding(program, line))
            found.append(InlayHint(line, _end(program, line), f"{origin.address:#x}{encoding}"))
    return found


_Hints = Iterator[tuple[int, str]]


def _registers(program: "Program", line: int) -> _Hints:
    number = program.chunk_at(line)
    in_chunk = line - program.bases[number]
    for item in program.chunks[number].items_on(in_chunk):
        if item.instruction is not None and item.written.frame is None and item.written.line == in_chunk:
            yield from _of_instruction(item.instruction)


def _of_instruction(instruction: Instruction) -> _Hints:
    for operand in instruction.operands:
        if operand.kind != "register" or operand.file not in values.REGISTER_FILES:
            continue
        for node in cursors.walk(operand.node):
            if isinstance(node, nodes.Index) and values.is_computed(node):
                yield node.end, _text(operand)


def _text(operand: Operand) -> str:
    if operand.count <= 1:
        return f"{operand.file}{operand.first}"
    return f"{operand.file}[{operand.first}:{operand.first + operand.count - 1}]"


def _offset(program: "Program", line: int) -> _Hints:
    for item in program.items_on(line):
        if (
            item.code
            and item.item.written.frame is not None
            and item.item.written.frame.kind not in ("macro", "include")
        ):
            return  # at the end of a repetition: its lines are above
        if item.code:
            yield _end(program, line), f"+{item.offset:#x}"
            return


def _encoding(program: "Program", line: int) -> _Hints:
    made = [item for item in program.items_on(line) if item.code]
    if len(made) == 1 and made[0].item.instruction is not None and made[0].item.written.frame is None:
        code = made[0].code
        dwords = (int.from_bytes(code[start : start + 4], "little") for start in range(0, len(code), 4))
        yield _end(program, line), " ".join(f"{dword:08X}" for dword in dwords)


def _inputs(program: "Program", line: int) -> _Hints:
    """What a load reads of the kernel's arguments; otherwise the inputs that sources of an instruction still hold."""
    names = kernel_input.names_read(program, line)
    if names:
        yield _end(program, line), ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
        return
    for item in program.items_on(line):
        instruction = item.item.instruction
        if instruction is None or instruction.form is None or item.item.written.frame is not None:
            continue
        written = {slot.name for slot in instruction.form.slots if slot.is_def}
        for operand in instruction.operands:
            if operand.kind == "register" and operand.slot not in written:
                titles = kernel_input.short_titles(program, line, operand)
                if titles:
                    yield operand.node.end, " and ".join(titles)


_MOST_NAMES = 4


def _data(program: "Program", line: int) -> _Hints:
    """The instructions that data among the code are."""
    found = [read.decoded.text for read in data_lines.on_line(program, line) if read.decoded is not None]
    if found:
        yield _end(program, line), "; ".join(found[:_MOST_NAMES]) + ("; ..." if len(found) > _MOST_NAMES else "")


def _end(program: "Program", line: int) -> int:
    """The column after the last statement."""
    return program.line(line).statements[-1].end


_KINDS: Mapping[str, Callable[["Program", int], _Hints]] = {
    REGISTERS: _registers,
    OFFSET: _offset,
    ENCODING: _encoding,
    INPUTS: _inputs,
    DATA: _data,
}

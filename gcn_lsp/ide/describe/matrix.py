"""Draws the registers of a matrix instruction: which elements of A, B, C and D each lane has in each of them.

`drawing` is about the instruction, `of_operand` about the registers in one line.
"""

import math
from collections.abc import Callable, Iterator, Sequence

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown
from gcn_lsp.instruction.constraints.matrix import blgp_negates
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import matrix_layouts
from gcn_lsp.isa.machine.matrix_layouts import Matrix, MatrixLayout

_REGISTER = 32
# The number of lane groups drawn side by side; of more, the first two and the last one.
_MAX_COLUMNS = 4
# The number of rows drawn for one operand's registers; of more, one less and the last one.
_MAX_ROWS = 9


def drawing(forms: Sequence[isa.Form], target: isa.Target) -> str:
    """A table for each matrix of an instruction with these forms, as far as its layout is known; empty for others."""
    known = matrix_layouts.layouts(forms, target)
    sizes = dict.fromkeys(layout.lanes for layout in known)
    parts = []
    for lanes in sizes:
        tables = list(_tables([layout for layout in known if layout.lanes == lanes]))
        if len(sizes) > 1:
            parts.append(f"In a wave of {lanes} lanes")
        parts += tables
    return "\n\n".join([_LEGEND, *parts]) if parts else ""


_LEGEND = "l is the number of a lane within its column, register 0 the first one of the operand."


def of_operand(form: isa.Form, target: isa.Target, operand: Operand) -> str:
    """The part of a matrix in the registers of an operand, on the target as configured, as Markdown.

    Empty if it has no matrix, or if the layout is not known.
    """
    for layout in matrix_layouts.layouts((form,), target):
        for matrix in layout.matrices if layout.lanes == target.wavefront_size else ():
            if operand.slot in matrix.operands and matrix.registers == operand.count:
                named = msgspec.structs.replace(matrix, name="C") if operand.slot == "src2" else matrix
                table = _table(named, _numbered(operand.file, operand.first), _MAX_ROWS)
                before = ", before cbsz and blgp" if matrix.name != "D" and _moves(form, target) else ""
                caption = f"{_CAPTION}{before}:"
                return markdown.join(caption, markdown.block(table, "text"))
    return ""


_CAPTION = "Elements of the matrix in the lanes, where l is a lane's number within its column"


def _moves(form: isa.Form, target: isa.Target) -> bool:
    """Whether cbsz and blgp of the form move values between lanes; elsewhere they are formats, or negate."""
    if form.field("blgp") is None or "F8F6F4" in form.name:
        return False
    return not blgp_negates(form, target)


def _numbered(file: str, first: int) -> "Callable[[int, int], str]":
    """The names of the registers of an operand by their place in it."""
    return lambda low, high: f"{file}{first + low}" if low == high else f"{file}[{first + low}:{first + high}]"


def _placed(low: int, high: int) -> str:
    """The names of registers whose numbers are not known."""
    return f"register {low}" if low == high else f"registers {low}-{high}"


def _tables(layouts: Sequence[MatrixLayout]) -> Iterator[str]:
    """The matrices of all formats for one wave size; B only if its layout differs from A's."""
    each = {name: list(dict.fromkeys(_named(layouts, name))) for name in "ABD"}
    for name, matrices in each.items():
        if name == "B" and matrices and _orders(matrices) == _orders(each["A"]):
            yield f"{_title(matrices[0])}: B[k][j] is where A has A[j][k]."
            continue
        sizes = len({matrix.bits for matrix in matrices}) > 1
        for matrix in matrices:
            stored = ", as it is stored" if name == "A" and layouts[0].sparse else ""
            bits = f", elements of {matrix.bits} bits" if sizes else ""
            yield f"{_title(matrix)}{stored}{bits}:\n{_table(matrix)}"


def _named(layouts: Sequence[MatrixLayout], name: str) -> Iterator[Matrix]:
    return (matrix for layout in layouts for matrix in layout.matrices if matrix.name == name)


def _orders(matrices: Sequence[Matrix]) -> list[tuple[object, ...]]:
    return [(matrix.bits, matrix.outer, matrix.inner, matrix.in_lane, matrix.in_group) for matrix in matrices]


def _title(matrix: Matrix) -> str:
    if matrix.name == "D":
        size = f"{matrix.inner} x {matrix.outer}"
        with_c = ", and C in src2 likewise" if "src2" in matrix.operands else ""
        half = ", in the low half of each register" if matrix.step > matrix.bits else ""
        return f"D in vdst{with_c}, {size}{half}"
    size = f"{matrix.outer} x {matrix.inner}" if matrix.name == "A" else f"{matrix.inner} x {matrix.outer}"
    return f"{matrix.name} in {matrix.operands[0]}, {size}"


def _table(matrix: Matrix, label: "Callable[[int, int], str]" = _placed, most: int | None = None) -> str:
    count = matrix.lanes // matrix.outer
    columns = range(count) if count <= _MAX_COLUMNS else (0, 1, count - 1)
    heads = [f"lanes {column * matrix.outer}-{(column + 1) * matrix.outer - 1}" for column in columns]
    rows = [["", *heads]]
    together = math.lcm(matrix.step, _REGISTER) // matrix.step
    wide = together * matrix.step // _REGISTER
    for row in range(matrix.elements // together):
        first = row * wide
        places = range(row * together, (row + 1) * together)
        rows.append(
            [label(first, first + wide - 1), *(_cell(matrix, column * matrix.outer, places) for column in columns)]
        )
    if most is not None and len(rows) - 1 > most:
        rows[most:-1] = [["..."] * len(rows[0])]
    if count > _MAX_COLUMNS:
        for cells in rows:
            cells.insert(_MAX_COLUMNS - 1, "...")
    widths = [max(len(cells[place]) for cells in rows) for place in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) for cells in rows)
    return "\n".join(line.rstrip() for line in lines)


def _cell(matrix: Matrix, lane: int, places: Sequence[int]) -> str:
    """`A[l][0..3]`, `D[2][5][l]`: the contents of some consecutive places of the lanes from `lane`."""
    found = [matrix.element(lane, place) for place in places]
    block = f"[{found[0][0]}]" if matrix.blocks > 1 else ""
    inner = _runs([index for _, _, index in found])
    return f"{matrix.name}{block}[l][{inner}]" if matrix.name == "A" else f"{matrix.name}{block}[{inner}][l]"


def _runs(numbers: Sequence[int]) -> str:
    """Numbers in short: `0..3,8..11`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs)

"""Questions to the hardware: where elements of a matrix lie, what an immediate of a wait means, text about a topic."""

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide import topics
from gcn_lsp.instruction.special import waitcnt
from gcn_lsp.isa.machine import matrix_layouts
from gcn_lsp.isa.waits import wait_text


class MatrixElement(msgspec.Struct, frozen=True):
    """An element of a matrix and its place in the registers of a wave.

    matrix: `A`, `B` or `D`; C lies as D does. number: of the matrix, where the instruction multiplies several. operand:
    that has it. register: counted from the operand's first one. bit: its lowest bit there. All numbers start at 0.
    """

    matrix: str
    number: int
    row: int
    column: int
    operand: str
    lane: int
    register: int
    bit: int


def known_target(name: str) -> str:
    """The processor of a name: `gfx90a`, `MI250`, an alias. Raises ValueError for an unknown one."""
    found = isa.resolve_target(name)
    if found is None:
        raise ValueError(f"unknown target {name!r}")
    return found


def explain(topic: str, target: str | None = None) -> str | None:
    """The page of an instruction, a rule, a register, a word or an idea, as Markdown; None if nothing is known.

    Raises ValueError for an unknown target.
    """
    return topics.text_of(topic.strip(), known_target(target) if target is not None else None)


def wait_counts(immediate: int, target: str) -> dict[str, int]:
    """The counts in the immediate of `s_waitcnt`, by counter; without those at their maximum, which wait for nothing.

    Raises ValueError for an unknown target, and for one that waits by an instruction for each counter.
    """
    loaded = isa.load_target(known_target(target))
    if loaded.waits_by_counter:
        raise ValueError(f"{loaded.name} has no {wait_text.WAITCNT}")
    highest = waitcnt.decode(loaded, waitcnt.everything(loaded))
    return {name: count for name, count in waitcnt.decode(loaded, immediate).items() if count < highest[name]}


def matrix_elements(mnemonic: str, target: str, *, lanes: int | None = None) -> tuple[MatrixElement, ...]:
    """Where every element of the matrices of an instruction lies, in the order of operands, lanes and registers.

    lanes: of the wave, 32 or 64, where the layout depends on it. Raises ValueError for an unknown target, and for a
    mnemonic whose layout is not known there.
    """
    loaded = isa.load_target(known_target(target))
    found = matrix_layouts.layouts(loaded.forms(mnemonic.lower()), loaded)
    sizes = [layout for layout in found if layout.lanes == (lanes or loaded.wavefront_size)]
    if not sizes:
        raise ValueError(f"the layout of {mnemonic} on {loaded.name} is not known")
    return tuple(element for matrix in sizes[0].matrices for element in _elements(matrix))


def _elements(matrix: matrix_layouts.Matrix) -> list[MatrixElement]:
    found = []
    operand = "vdst" if "vdst" in matrix.operands else matrix.operands[0]  # C is where D will be
    for lane in range(matrix.lanes):
        for place in range(matrix.elements):
            number, outer, inner = matrix.element(lane, place)
            row, column = (outer, inner) if matrix.name == "A" else (inner, outer)
            register, bit = divmod(place * matrix.step, _REGISTER)
            found.append(MatrixElement(matrix.name, number, row, column, operand, lane, register, bit))
    return found


_REGISTER = 32  # bits

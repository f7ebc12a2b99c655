"""Layouts of matrices: every element has its places, in as many registers as the form has, where it is known to be."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.machine import matrix_layouts
from gcn_lsp.isa.machine.matrix_layouts import Matrix, MatrixLayout

TARGETS = ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1151", "gfx1200", "gfx1250")
INSTRUCTION = re.compile(r"v_(mfma|smfmac|wmma|swmmac)_(?!ld_scale)")


def known(target: isa.Target) -> Iterator[tuple[str, MatrixLayout]]:
    """Each layout of each matrix instruction of a target."""
    for mnemonic in sorted(target.mnemonics):
        if INSTRUCTION.match(mnemonic):
            for layout in matrix_layouts.layouts(target.forms(mnemonic), target):
                yield mnemonic, layout


def only(mnemonic: str, target_name: str, name: str, lanes: int = 64, bits: int = 0) -> Matrix:
    """One matrix of an instruction, of elements of `bits` where there are several formats."""
    target = isa.load_target(target_name)
    layouts = matrix_layouts.layouts(target.forms(mnemonic), target)
    found = {
        matrix
        for layout in layouts
        for matrix in layout.matrices
        if matrix.name == name and layout.lanes == lanes and bits in (0, matrix.bits)
    }
    assert len(found) == 1
    return found.pop()


@cache
def places(matrix: Matrix) -> Mapping[tuple[int, int, int], list[tuple[int, int]]]:
    """The lanes and numbers in the lane at which each element is: block, outer and inner index."""
    found: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    for lane in range(matrix.lanes):
        for number in range(matrix.elements):
            found.setdefault(matrix.element(lane, number), []).append((lane, number))
    return found


@pytest.mark.parametrize("name", TARGETS)
def test_every_element_once_or_repeated_alike(name: str) -> None:
    target = isa.load_target(name)
    wrong = {}
    for mnemonic, layout in known(target):
        for matrix in layout.matrices:
            found = places(matrix)
            # gfx11 wants A and B again in each further group of 16 lanes.
            times = layout.lanes // 16 if name.startswith("gfx11") and matrix.name != "D" else 1
            whole = {
                (block, outer, inner)
                for block in range(matrix.blocks)
                for outer in range(matrix.outer)
                for inner in range(matrix.inner)
            }
            if found.keys() != whole or Counter(len(each) for each in found.values()).keys() != {times}:
                wrong[mnemonic, matrix.name] = matrix
    assert not wrong


@pytest.mark.parametrize("name", TARGETS)
def test_as_many_registers_as_the_form_has(name: str) -> None:
    target = isa.load_target(name)
    usual = 64 if name.startswith("gfx9") else 32  # the tables have the forms of the usual size of a wave
    seen = 0
    for mnemonic, layout in known(target):
        for matrix in layout.matrices if layout.lanes == usual else ():
            sizes = {
                operand.kind.registers.bits
                for form in target.forms(mnemonic)
                for operand in form.operands
                if operand.name in matrix.operands and operand.kind.registers is not None
            }
            assert matrix.registers * 32 in sizes, (mnemonic, matrix)
            seen += 1
    assert seen


@pytest.mark.parametrize("name", ["gfx908", "gfx90a", "gfx942", "gfx950"])
def test_all_of_every_mfma_is_known(name: str) -> None:
    for mnemonic, layout in known(isa.load_target(name)):
        if mnemonic.startswith("v_mfma"):
            assert [matrix.name for matrix in layout.matrices] == ["A", "B", "D"], mnemonic


# Values that AMD's documents and examples give: element (matrix, outer, inner index), its lane and its number there.
@pytest.mark.parametrize(
    ("target", "mnemonic", "name", "element", "lane", "number"),
    [
        # 32x32x1, two matrices: the second A in the upper lanes, the second D in registers 16 to 31.
        ("gfx942", "v_mfma_f32_32x32x1_2b_f32", "A", (1, 5, 0), 37, 0),
        ("gfx942", "v_mfma_f32_32x32x1_2b_f32", "D", (0, 7, 4), 39, 0),
        ("gfx942", "v_mfma_f32_32x32x1_2b_f32", "D", (1, 7, 9), 7, 21),
        ("gfx942", "v_mfma_f32_16x16x4_4b_f16", "A", (3, 2, 1), 50, 1),
        ("gfx942", "v_mfma_f32_16x16x1_4b_f32", "D", (2, 3, 5), 19, 9),
        # AMD's calculator prints these of gfx90a: A[1][2] of block 4, and D[3][2] of block 1.
        ("gfx90a", "v_mfma_f32_4x4x4f16", "A", (4, 1, 2), 17, 2),
        ("gfx90a", "v_mfma_f32_4x4x4f16", "D", (1, 2, 3), 6, 3),
        ("gfx90a", "v_mfma_f32_4x4x1f32", "D", (15, 3, 2), 63, 2),
        ("gfx942", "v_mfma_f32_32x32x8_f16", "A", (0, 3, 6), 35, 2),
        ("gfx942", "v_mfma_f32_32x32x8_f16", "B", (0, 31, 3), 31, 3),
        ("gfx942", "v_mfma_f32_32x32x8_f16", "D", (0, 1, 31), 33, 15),
        ("gfx942", "v_mfma_f32_16x16x4_f32", "A", (0, 2, 3), 50, 0),
        ("gfx942", "v_mfma_f64_16x16x4_f64", "D", (0, 2, 7), 50, 1),
        ("gfx942", "v_mfma_f64_4x4x4_4b_f64", "A", (1, 2, 3), 54, 0),
        ("gfx942", "v_mfma_f32_16x16x32_fp8_fp8", "B", (0, 4, 17), 36, 1),
        ("gfx950", "v_mfma_f32_16x16x32_f16", "A", (0, 0, 9), 16, 1),
        ("gfx950", "v_mfma_i32_16x16x64_i8", "A", (0, 0, 17), 16, 1),
        # The index of a sparse A is the one that it is stored under, as in the tests of AMD's FPSan.
        ("gfx942", "v_smfmac_f32_16x16x64_fp8_fp8", "A", (0, 1, 21), 17, 5),
        ("gfx950", "v_smfmac_f32_16x16x64_f16", "B", (0, 1, 40), 17, 8),
        ("gfx950", "v_smfmac_f32_16x16x128_fp8_fp8", "A", (0, 1, 20), 1, 12),
        ("gfx950", "v_smfmac_f32_32x32x64_fp8_fp8", "A", (0, 1, 8), 1, 4),
    ],
)
def test_known_places(
    target: str, mnemonic: str, name: str, element: tuple[int, int, int], lane: int, number: int
) -> None:
    assert places(only(mnemonic, target, name))[element] == [(lane, number)]


def test_small_floats_of_gfx950() -> None:
    mnemonic = "v_mfma_f32_32x32x64_f8f6f4"
    # A lane has two runs of 16 elements of 8 bits, or one of 32 smaller ones.
    assert places(only(mnemonic, "gfx950", "A", bits=8))[0, 5, 16] == [(37, 0)]
    assert places(only(mnemonic, "gfx950", "A", bits=8))[0, 5, 32] == [(5, 16)]
    assert places(only(mnemonic, "gfx950", "A", bits=6))[0, 5, 31] == [(5, 31)]
    assert places(only(mnemonic, "gfx950", "B", bits=4))[0, 5, 32] == [(37, 0)]


def test_waves_of_wmma() -> None:
    mnemonic = "v_wmma_f32_16x16x16_f16"
    assert places(only(mnemonic, "gfx1100", "A", 32))[0, 3, 9] == [(3, 9), (19, 9)]
    assert places(only(mnemonic, "gfx1100", "D", 32))[0, 3, 9] == [(19, 4)]
    assert places(only(mnemonic, "gfx1100", "D", 64))[0, 3, 9] == [(19, 2)]
    assert places(only(mnemonic, "gfx1200", "A", 32))[0, 3, 9] == [(3, 5)]
    assert places(only(mnemonic, "gfx1200", "D", 32))[0, 3, 9] == [(19, 1)]
    assert places(only(mnemonic, "gfx1200", "D", 64))[0, 3, 13] == [(51, 1)]
    assert places(only("v_swmmac_f32_16x16x32_f16", "gfx1200", "A", 32))[0, 2, 15] == [(18, 7)]


def test_results_of_16_bits_take_whole_registers_on_gfx11() -> None:
    assert only("v_wmma_f16_16x16x16_f16", "gfx1100", "D", 32).registers == 8
    assert only("v_wmma_f16_16x16x16_f16", "gfx1200", "D", 32).registers == 4


A_NOTE = re.compile(r"A\[\w\]\[i\]\[k\] is (?:(?:element|byte) (?P<element>.+) of )?S0 in lane (?P<lane>.+?), B\[")
D_NOTE = re.compile(
    r"D\[\w\]\[i\]\[j\](?:, and C alike,)? is (?:the )?register(?: pair)? ?(?P<element>.+?)? ?in lane (?P<lane>.+)\."
)


SMALL_NOTE = re.compile(r"With 6 or 4 bits " + A_NOTE.pattern)
BYTE_NOTE = re.compile(r"With 8 bits it is byte (?P<element>.+) in lane (?P<lane>.+):")


def formulas(note: str, matrix: Matrix) -> "re.Match[str] | None":
    """The formulas of a note that is about this matrix."""
    if matrix.name == "D":
        return D_NOTE.match(note)
    return A_NOTE.match(note) or (BYTE_NOTE if matrix.bits == 8 else SMALL_NOTE).match(note)


Formula = Callable[[Mapping[str, int]], int]


def formula(text: str | None) -> Formula:
    """A formula of a note, whose divisions are of integers; 0 without one."""
    code = compile((text or "0").replace("/", "//"), "note", "eval")
    return lambda names: int(eval(code, {}, dict(names)))


def told(matrix: Matrix, element: Formula, lane: Formula) -> bool:
    """Whether the formulas give the place of every element of a matrix."""
    inner_name, outer_name = ("i", "j") if matrix.name == "D" else ("k", "i")
    for (block, outer, inner), found in places(matrix).items():
        names = {"b": block, outer_name: outer, inner_name: inner}
        if found != [(lane(names), element(names))]:
            return False
    return True


@pytest.mark.parametrize("name", ["gfx908", "gfx90a", "gfx942", "gfx950"])
def test_notes_say_the_same(name: str) -> None:
    target = isa.load_target(name)
    notes: dict[tuple[str, Matrix], str] = {}
    for mnemonic, layout in known(target):
        entry = documentation.entry(mnemonic, target)
        assert entry is not None
        for note in entry.notes:
            for matrix in layout.matrices:
                if formulas(note, matrix) is not None:
                    notes[note, matrix] = mnemonic
    wrong = {}
    for (note, matrix), mnemonic in notes.items():
        match = formulas(note, matrix)
        assert match is not None
        if not told(matrix, formula(match["element"]), formula(match["lane"])):
            wrong[mnemonic, matrix.name, matrix.bits] = note
    assert not wrong
    assert Counter(matrix.name for _, matrix in notes).keys() == set("ABD")

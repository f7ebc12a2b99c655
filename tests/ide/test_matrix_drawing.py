"""The registers of matrix instructions, drawn."""

import pytest

from gcn_lsp import isa
from gcn_lsp.ide import explain
from gcn_lsp.ide.describe import matrix
from tests.support.ide import check_hover, hover_text


def drawn(mnemonic: str, target_name: str) -> list[str]:
    target = isa.load_target(target_name)
    return matrix.drawing(target.forms(mnemonic), target).splitlines()


def test_two_tables_where_b_lies_as_a_does() -> None:
    assert drawn("v_mfma_f32_16x16x16_f16", "gfx942") == [
        "l is the number of a lane within its column, register 0 the first one of the operand.",
        "",
        "A in src0, 16 x 16:",
        "            lanes 0-15  lanes 16-31  lanes 32-47   lanes 48-63",
        "register 0  A[l][0..1]  A[l][4..5]   A[l][8..9]    A[l][12..13]",
        "register 1  A[l][2..3]  A[l][6..7]   A[l][10..11]  A[l][14..15]",
        "",
        "B in src1, 16 x 16: B[k][j] is where A has A[j][k].",
        "",
        "D in vdst, and C in src2 likewise, 16 x 16:",
        "            lanes 0-15  lanes 16-31  lanes 32-47  lanes 48-63",
        "register 0  D[0][l]     D[4][l]      D[8][l]      D[12][l]",
        "register 1  D[1][l]     D[5][l]      D[9][l]      D[13][l]",
        "register 2  D[2][l]     D[6][l]      D[10][l]     D[14][l]",
        "register 3  D[3][l]     D[7][l]      D[11][l]     D[15][l]",
    ]


@pytest.mark.parametrize(
    ("target", "mnemonic", "line"),
    [
        # Several matrices have their number first; of sixteen groups of lanes three are shown.
        ("gfx908", "v_mfma_f32_4x4x1f32", "register 2  D[0][2][l]  D[1][2][l]  ...  D[15][2][l]"),
        ("gfx942", "v_mfma_f64_4x4x4_4b_f64", "registers 0-1  D[0][0][l]  D[1][0][l]  ...  D[3][3][l]"),
        ("gfx950", "v_mfma_f32_32x32x64_f8f6f4", "A in src0, 32 x 64, elements of 6 bits:"),
        ("gfx950", "v_mfma_f32_32x32x64_f8f6f4", "registers 3-5  A[l][16..31]  A[l][48..63]"),
        ("gfx942", "v_smfmac_f32_16x16x32_f16", "A in src0, 16 x 16, as it is stored:"),
        ("gfx1100", "v_wmma_f16_16x16x16_f16", "In a wave of 64 lanes"),
        ("gfx1100", "v_wmma_f16_16x16x16_f16", "register 2  A[l][4..5]    A[l][4..5]"),
        (
            "gfx1100",
            "v_wmma_f16_16x16x16_f16",
            "D in vdst, and C in src2 likewise, 16 x 16, in the low half of each register:",
        ),
        ("gfx1200", "v_swmmac_f32_16x16x32_f16", "register 4  B[16..17][l]  B[24..25][l]"),
    ],
)
def test_lines(target: str, mnemonic: str, line: str) -> None:
    assert line in drawn(mnemonic, target)


def test_what_is_not_known_is_not_drawn() -> None:
    assert drawn("v_wmma_f32_32x16x128_f4", "gfx1250") == []
    assert [line for line in drawn("v_smfmac_i32_16x16x64_i8", "gfx942") if line.endswith(":")] == [
        "D in vdst, 16 x 16:"
    ]
    assert drawn("v_add_f32", "gfx942") == []


def test_explained_after_the_operands() -> None:
    page = explain.explain("v_mfma_f32_32x32x8f16", isa.load_target("gfx90a"))
    assert page is not None
    operands, _, registers = page.partition("## Registers of the matrices")
    assert "| `src1` |" in operands
    assert "register 15  D[27][l]    D[31][l]" in registers
    other = explain.explain("v_add_f32", isa.load_target("gfx90a"))
    assert other is not None
    assert "Registers of the matrices" not in other


def test_hover_of_an_operand_names_its_registers() -> None:
    line = "v_mfma_f32_32x32x8f16 a[16:31], v[2:3], v[4:5], a[16:31]"
    at = {place: line.replace(place, place.replace(":", "$0:"), 1) for place in ("a[16:31]", "v[2:3]", "v[4:5]")}
    check_hover(at["v[2:3]"], "v3  A[l][2..3]  A[l][6..7]\n", target="gfx90a")
    check_hover(at["v[4:5]"], "v4  B[0..1][l]  B[4..5][l]\n", target="gfx90a")
    check_hover(at["v[4:5]"], "before cbsz and blgp:", target="gfx90a")
    # A long table is cut to its first rows and the last one.
    check_hover(
        at["a[16:31]"], "a23  D[11][l]    D[15][l]\n...  ...         ...\na31  D[27][l]    D[31][l]\n", target="gfx90a"
    )
    check_hover("v_mfma_f64_16x16x4f64 v[0:7], v[8:9], v[10:11], v[0$0:7]", "v[2:3]  C[4][l]", target="gfx90a")


def test_hover_of_an_operand_goes_by_the_wave_and_the_format() -> None:
    check_hover("v_wmma_f32_16x16x16_f16 v[0$0:7], v[8:15], v[16:23], v[0:7]", "v7  D[14][l]", target="gfx1100")
    scaled = "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4$0:9], v[10:17], v[0:3] cbsz:2"
    check_hover(scaled, "v[7:9]  A[l][16..31]", target="gfx950")
    index = hover_text("v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[6:9], v$010", "gfx942")
    assert index is not None
    assert "lanes" not in index

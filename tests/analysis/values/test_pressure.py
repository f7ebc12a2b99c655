"""Register pressure: by line, in loops, at joins."""

from gcn_lsp.analysis.values.pressure import Pressure
from tests.analysis.support import pressure_at, program


def pressures(text: str, target: str = "gfx900") -> list["Pressure | None"]:
    """The pressure at each line."""
    built = program(text, target)
    return [pressure_at(built, line) for line in range(text.count("\n"))]


def test_straight_code() -> None:
    text = "k:\n v_add_u32 v1, v0, v2\n v_add_u32 v1, v1, v2\n ds_write_b32 v0, v1\n s_endpgm\n"
    assert pressures(text) == [None, (3, 0, 0), (3, 0, 0), (2, 0, 0), (0, 0, 0)]


def test_files_apart() -> None:
    text = "k:\n v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]\n s_add_u32 s0, s1, s2\n s_mov_b32 m0, s0\n"
    assert pressures(text + " global_store_dwordx4 v[2:3], a[0:3], off\n s_endpgm\n", "gfx90a")[1:5] == [
        (4, 4, 2),
        (2, 4, 2),
        (2, 4, 1),
        (2, 4, 0),
    ]


def test_a_register_that_the_next_round_needs() -> None:
    text = "k:\n s_mov_b32 s1, 9\nloop:\n s_sub_u32 s1, s1, s2\n s_cmp_lg_u32 s1, 0\n s_cbranch_scc1 loop\n s_endpgm\n"
    assert [each and each.sgprs for each in pressures(text)] == [None, 2, None, 2, 2, 2, 0]


def test_the_most_of_two_ways() -> None:
    text = (
        "k:\n s_cbranch_scc0 b\n v_mov_b32 v0, v1\n s_branch e\nb:\n v_add_u32 v0, v2, v3\ne:\n ds_write_b32 v0, v0\n"
    )
    assert [each and each.vgprs for each in pressures(text + " s_endpgm\n")][:2] == [None, 3]


def test_a_line_that_calls_a_macro() -> None:
    text = ".macro sum d, a, b\n v_add_u32 \\d, \\a, \\b\n.endm\nk:\n sum v0, v1, v2\n ds_write_b32 v0, v0\n s_endpgm\n"
    assert [each and each.vgprs for each in pressures(text)][3:6] == [None, 2, 1]


def test_after_an_edit() -> None:
    lines = ["k:", *(f" v_add_u32 v{n % 9}, v{(n * 5) % 11}, v{(n * 3) % 7}" for n in range(300)), " s_endpgm", ""]
    first = program("\n".join(lines))
    pressure_at(first, 5)
    lines[200] = " ds_write_b32 v1, v77"
    text = "\n".join(lines)
    edited, fresh = program(text, previous=first), program(text)
    assert [pressure_at(edited, line) for line in range(301)] == [pressure_at(fresh, line) for line in range(301)]

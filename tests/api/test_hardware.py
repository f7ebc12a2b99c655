"""`gcn_lsp.api`: questions to the hardware."""

import pytest

from gcn_lsp import api


def test_every_element_of_a_matrix_lies_at_one_place() -> None:
    found = api.matrix_elements("v_mfma_f32_16x16x16f16", "gfx90a")
    sizes = {matrix: {(each.row, each.column) for each in found if each.matrix == matrix} for matrix in "ABD"}
    assert {matrix: len(places) for matrix, places in sizes.items()} == {"A": 256, "B": 256, "D": 256}
    (place,) = (each for each in found if (each.matrix, each.row, each.column) == ("D", 5, 3))
    # The page of the instruction: D[0][i][j] is register i % 4 in lane j + 16 * (i / 4).
    assert (place.operand, place.register, place.lane, place.bit) == ("vdst", 1, 19, 0)


def test_halves_lie_side_by_side() -> None:
    found = api.matrix_elements("v_mfma_f32_16x16x16f16", "gfx90a")
    bits = {each.bit for each in found if each.matrix == "A"}
    assert bits == {0, 16}


def test_a_layout_that_is_not_known_is_an_error() -> None:
    with pytest.raises(ValueError, match="the layout of v_mov_b32 on gfx90a is not known"):
        api.matrix_elements("v_mov_b32", "gfx90a")


def test_an_immediate_has_the_counts_that_wait() -> None:
    assert api.wait_counts(0xCF7E, "gfx900") == {"vmcnt": 62}
    assert api.wait_counts(0x0070, "gfx900") == {"vmcnt": 0, "lgkmcnt": 0}
    with pytest.raises(ValueError, match="gfx1200 has no s_waitcnt"):
        api.wait_counts(0, "gfx1200")


def test_topics_are_explained_as_by_the_command() -> None:
    assert (api.explain("v_mov_b32", "gfx90a") or "").startswith("# v_mov_b32")
    assert (api.explain("missing-wait") or "").startswith("# missing-wait")
    assert api.explain("qqqqqqq") is None
    with pytest.raises(ValueError, match="unknown target"):
        api.explain("v_mov_b32", "gfx1")

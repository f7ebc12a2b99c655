"""`gcn_lsp.api`: questions to instructions that need no file."""

import pytest

from gcn_lsp import api


def test_what_is_encoded_is_decoded_again() -> None:
    code = api.encode("s_nop 0\nv_mov_b32 v0, 0x12345678\n", "gfx90a")
    assert [(each.offset, each.size, each.text) for each in api.decode(code, "gfx90a")] == [
        (0, 4, "s_nop 0"),
        (4, 8, "v_mov_b32_e32 v0, 0x12345678"),
    ]


def test_words_that_are_no_instruction_have_no_text() -> None:
    assert [(each.size, each.text) for each in api.decode(b"\xff" * 6, "gfx90a")] == [(4, ""), (2, "")]


def test_a_rejected_line_says_why() -> None:
    with pytest.raises(api.NotAssembled, match=r"line 2: .*v_mov_b33"):
        api.encode("s_nop 0\nv_mov_b33 v0, v1\n", "gfx90a")
    with pytest.raises(ValueError, match="unknown target"):
        api.encode("s_nop 0", "gfx1")


def test_legal_targets_are_those_that_take_the_line() -> None:
    assert api.legal_targets("v_accvgpr_read_b32 v0, a0") == ("gfx908", "gfx90a", "gfx942", "gfx950")
    assert api.legal_targets("v_mov_b33 v0, v1") == ()


def test_a_read_of_a_load_needs_a_wait() -> None:
    (need,) = api.distance("global_load_dword v1, v0, s[2:3]", "v_mov_b32 v2, v1", "gfx90a")
    assert (need.unit, need.count, need.between, need.registers) == ("vmcnt", 0, ("s_waitcnt vmcnt(0)",), ("v1",))


def test_a_read_of_a_matrix_needs_wait_states() -> None:
    (need,) = api.distance(
        "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]", "v_accvgpr_read_b32 v0, a0", "gfx908"
    )
    assert (need.unit, need.count, need.between, need.row) == ("wait states", 18, ("s_nop 15", "s_nop 1"), "M908-06")
    assert need.is_certain


@pytest.mark.parametrize(("first", "second"), [("v_mov_b32 v0, v1", "v_mov_b32 v2, v0"), ("s_nop 0", "s_nop 0")])
def test_nothing_is_needed_where_the_hardware_waits(first: str, second: str) -> None:
    assert api.distance(first, second, "gfx90a") == ()


def test_what_is_between_is_enough() -> None:
    first, second = "v_readfirstlane_b32 s4, v0", "buffer_load_dword v1, v2, s[8:11], s4 offen"
    (need,) = api.distance(first, second, "gfx90a")
    text = "\n".join((first, *need.between, second, "s_waitcnt vmcnt(0)", "s_endpgm"))
    assert [found.rule for found in api.open_text(text, "gfx90a").findings("warning")] == []


def test_targets_are_names_that_open_text_takes() -> None:
    assert {"gfx600", "gfx90a", "gfx1250"} <= set(api.targets())

import pytest

from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("line", "same_as"),
    [
        ("v_add_f32 v0, v1, v2 mul:1", "v_add_f32_e64 v0, v1, v2"),
        ("v_add_f32_e64 v0, v1, v2 noclamp", "v_add_f32_e64 v0, v1, v2"),
        ("v_mov_b32 v0, v1 row_mirror bound_ctrl:0", "v_mov_b32_dpp v0, v1 row_mirror bound_ctrl:1"),
        ("v_mov_b32_sdwa v0, v1 dst_sel:5", "v_mov_b32_sdwa v0, v1 dst_sel:WORD_1"),
        ("flat_load_dword v0, v[2:3] inst_offset:8", "flat_load_dword v0, v[2:3] offset:8"),
    ],
)
def test_equal_spellings(line: str, same_as: str) -> None:
    assert code_of(line) == code_of(same_as)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("v_add_f32 v0, v1, v2 mul:3", "3"),
        ("v_add_f32 v0, v1, v2 div:4", "4"),
        ("ds_read2_b32 v[0:1], v2 offset0:256", "256"),
        ("v_mov_b32_sdwa v0, v1 dst_sel:BYTE_4", "BYTE_4"),
        ("v_mov_b32_sdwa v0, v1 src0_sel:7", "7"),
        ("v_pk_add_f16 v0, v1, v2 op_sel:[0,2]", "2"),
        ("v_pk_add_f16 v0, v1, v2 op_sel:[0,0,0,0,0]", "[0,0,0,0,0]"),
        ("v_pk_add_f16 v0, v1, v2 op_sel:1", "1"),
        ("v_mov_b32 v0, v1 quad_perm:[0,1,2,4]", "4"),
        ("v_mov_b32 v0, v1 quad_perm:[0,1,2]", "[0,1,2]"),
        ("v_mov_b32 v0, v1 row_shr:16", "16"),
        ("v_mov_b32 v0, v1 row_mirror bound_ctrl:2", "2"),
        ("tbuffer_load_format_x v0, off, s[0:3], dfmt:16, 0", "16"),
    ],
)
def test_values_out_of_range(line: str, text: str) -> None:
    assert problem_of(line)[:2] == ("modifier-out-of-range", text)


def test_excess_bits_are_dropped_where_the_assembler_drops_them() -> None:
    assert code_of("v_mov_b32 v0, v1 row_mirror row_mask:0x1f") == code_of("v_mov_b32 v0, v1 row_mirror row_mask:0xf")


def test_a_value_needs_a_known_symbol() -> None:
    assert problem_of("ds_read_b32 v0, v1 offset:foo")[:2] == ("undefined-symbol", "foo")
    assert code_of("ds_read_b32 v0, v1 offset:foo*4", symbols={"foo": 2}) == code_of("ds_read_b32 v0, v1 offset:8")

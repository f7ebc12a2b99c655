import pytest

from tests.asm.support import code_of, problem_of


def test_a_pair() -> None:
    line = "v_dual_cndmask_b32 v93, 0x3f800000, v97 :: v_dual_max_f32 v58, v71, v28"
    assert code_of(line, "gfx1100") == "f2c254ca47393a5d"


@pytest.mark.parametrize(
    ("line", "rule", "text"),
    [
        ("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v4", "operand-conflict", "v2"),
        ("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v5", "operand-conflict", "v5"),
        ("v_dual_add_f32 v0, v1, v2 :: v_dual_add_f32 v3, v4, v6", "operand-conflict", "v6"),
        ("v_dual_fmamk_f32 v0, v1, 1, v2 :: v_dual_fmamk_f32 v3, v4, 7, v5", "too-many-literals", "7"),
    ],
)
def test_wrong_pairs(line: str, rule: str, text: str) -> None:
    assert problem_of(line, "gfx1100")[:2] == (rule, text)

import pytest

from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "rule", "text"),
    [
        ("gfx900", "v_mov_b32_sdwa v0, lds_direct", "operand-conflict", "lds_direct"),
        ("gfx900", "v_subrev_f32 v0, lds_direct, v1", "operand-conflict", "lds_direct"),
        ("gfx90a", "v_mov_b32 v0, lds_direct", "register-not-available", "lds_direct"),
        ("gfx900", "v_div_scale_f32 v0, vcc, |v1|, v2, v3", "unknown-modifier", "|v1|"),
        ("gfx1251", "v_mad_u32 v2, v4, v7, v8 quad_perm:[3,2,1,0]", "unsupported-on-target", "quad_perm:[3,2,1,0]"),
        ("gfx90a", "v_ceil_f64_dpp v[0:1], v[2:3] row_shl:1", "unsupported-on-target", "row_shl:1"),
        ("gfx1030", "v_movrels_b32_sdwa v0, s0", "wrong-operand-kind", "s0"),
        ("gfx900", "v_cvt_pk_i16_i32_dpp v0, v1, s0 row_shl:1", "unsupported-on-target", "v_cvt_pk_i16_i32_dpp"),
    ],
)
def test_broken(cpu: str, line: str, rule: str, text: str) -> None:
    assert problem_of(line, cpu)[:2] == (rule, text)


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx90a", "v_ceil_f64_dpp v[0:1], v[2:3] row_newbcast:1"),
    ],
)
def test_right(cpu: str, line: str) -> None:
    assert code_of(line, cpu)

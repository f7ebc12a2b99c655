import pytest

from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "rule", "text"),
    [
        ("gfx908", "v_accvgpr_write_b32 a0, s0", "wrong-operand-kind", "s0"),
        ("gfx908", "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[1:32]", "operand-conflict", "a[1:32]"),
        ("gfx90a", "v_mfma_f64_4x4x4f64 a[0:1], v[0:1], v[2:3], a[0:1] neg:[1,0,0]", "unknown-modifier", "neg:[1,0,0]"),
        (
            "gfx950",
            "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], 0 cbsz:2",
            "wrong-register-width",
            "v[4:11]",
        ),
        (
            "gfx1250",
            "v_wmma_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47] matrix_b_fmt:MATRIX_FMT_FP4",
            "wrong-register-width",
            "v[24:39]",
        ),
    ],
)
def test_broken(cpu: str, line: str, rule: str, text: str) -> None:
    assert problem_of(line, cpu)[:2] == (rule, text)


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx908", "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[1:4]"),
    ],
)
def test_right(cpu: str, line: str) -> None:
    assert code_of(line, cpu)


def test_neg_of_matrix_instructions_has_a_bit_for_each_source() -> None:
    line = "v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7] neg:"
    assert code_of(line + "[0,0,1]", "gfx942")
    assert problem_of(line + "[0,0,0,1]", "gfx942")[0] == "modifier-out-of-range"

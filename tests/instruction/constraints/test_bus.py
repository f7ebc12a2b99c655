import pytest

from tests.instruction.support import assemble, code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "rule", "text"),
    [
        ("gfx900", "v_add_f32 v0, s0, s1", "constant-bus-limit", "s1"),
        ("gfx900", "v_addc_co_u32 v0, vcc, s0, v1, vcc", "constant-bus-limit", "s0"),
        ("gfx900", "v_div_fmas_f32 v0, s0, v1, v2", "constant-bus-limit", "s0"),
        ("gfx900", "v_fma_f32 v0, v1, v2, 0x1234", "literal-not-allowed", "0x1234"),
        ("gfx900", "s_add_u32 s0, 0x1234, 0x4321", "too-many-literals", "0x4321"),
        ("gfx900", "v_madmk_f32 v0, 0x1234, 0x4321, v1", "too-many-literals", "0x4321"),
        ("gfx1250", "v_fmaak_f64 v[4:5], 0x7e8, v[8:9], lit64(0x7e8)", "too-many-literals", "lit64(0x7e8)"),
        ("gfx1150", "s_fmaak_f32 s0, 0x3c00, s1, 1", "too-many-literals", "1"),
    ],
)
def test_broken(cpu: str, line: str, rule: str, text: str) -> None:
    assert problem_of(line, cpu)[:2] == (rule, text)


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx900", "v_add_f32 v0, s0, v1"),
        ("gfx900", "v_fma_f32 v0, s0, s0, v2"),
        ("gfx900", "s_add_u32 s0, 0x1234, 0x1234"),
        ("gfx900", "v_writelane_b32 v0, s1, m0"),
        ("gfx1030", "v_add_f32 v0, s0, s1"),
        ("gfx1030", "v_fma_f32 v0, v1, v2, 0x1234"),
    ],
)
def test_right(cpu: str, line: str) -> None:
    assert code_of(line, cpu)


@pytest.mark.parametrize(
    ("target", "mnemonic", "is_legal"),
    [
        ("gfx1200", "v_ashrrev_i64_e64", False),
        ("gfx1200", "v_lshrrev_b64_e64", False),
        ("gfx1250", "v_lshlrev_b64_e64", False),
        ("gfx1250", "v_lshrrev_b64_e64", True),
        ("gfx1250", "v_ashrrev_i64_e64", True),
    ],
)
def test_shifts_of_64_bits_read_one_scalar_but_two_on_gfx1250(target: str, mnemonic: str, is_legal: bool) -> None:
    found = assemble(f"{mnemonic} v[64:65], s3, s[14:15]", target)
    assert bool(found.code) == is_legal
    assert [problem.rule for problem in found.problems] == ([] if is_legal else ["constant-bus-limit"])

"""Operands that AMD's documents forbid and LLVM's compiler writes."""

import pytest

from tests.support.check import check_no_finding, findings

RULE = "disputed-operand"


@pytest.mark.parametrize(
    ("target", "text", "said"),
    [
        ("gfx950", "v_cvt_sr_fp8_f32 v0, s1, v2", "takes only VGPRs as sources (CDNA4 ISA, 7.3"),
        ("gfx950", "v_cvt_pk_bf8_f32 v0, v1, 1.0", "takes only VGPRs"),
        ("gfx950", "v_cvt_sr_bf16_f32 v0, v1, s2", "takes only VGPRs"),
        ("gfx950", "v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, s3", "takes its scale from a VGPR or an inline constant"),
        ("gfx950", "v_cvt_scalef32_pk_f32_fp4 v[0:1], v2, s3", "takes its scale"),
        ("gfx1250", "v_cvt_f32_fp8_e64 v0, v1 clamp", "has no clamp"),
        ("gfx942", "v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[8:11], v16 abid:4", "abid is 0 to 3"),
        ("gfx942", "v_smfmac_i32_16x16x64_i8 v[0:3], v[4:5], v[8:11], v16 abid:2", "abid is 0 or 1"),
        ("gfx950", "v_smfmac_f32_16x16x64_f16 v[0:3], v[4:7], v[8:15], v16 abid:2", "abid is 0 or 1"),
        ("gfx942", "v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[10:11], v[0:7] cbsz:1", "ignores cbsz and abid"),
        ("gfx950", "v_smfmac_i32_16x16x128_i8 v[0:3], v[4:7], v[8:15], v16 abid:1", "has one set of indices"),
        ("gfx950", "v_dot2_f32_bf16 v0, v1, v2, v3 neg_lo:[0,0,1]", "does not negate its third source"),
        ("gfx1200", "global_atomic_cond_sub_u32 v0, v2, s[0:1]", "needs th:TH_ATOMIC_RETURN"),
        ("gfx1200", "global_atomic_sub_clamp_u32 v0, v2, s[0:1]", "needs th:TH_ATOMIC_RETURN"),
        ("gfx1200", "flat_atomic_cond_sub_u32 v[0:1], v2", "needs th:TH_ATOMIC_RETURN"),
        ("gfx1100", "v_dot2_f32_f16 v0, v1, v2, v3 clamp", "ignores clamp"),
        ("gfx1200", "v_dot4_i32_iu8 v0, v1, v2, v3 clamp", "ignores clamp"),
    ],
)
def test_what_is_disputed(target: str, text: str, said: str) -> None:
    (found,) = findings(f"{text}\n", target)
    assert found.rule == RULE
    assert said in found.message
    assert found.message.endswith("LLVM's compiler does it all the same")


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx950", "v_cvt_sr_fp8_f32 v0, -v1, v2"),
        ("gfx942", "v_cvt_sr_fp8_f32 v0, s1, v2"),  # CDNA3's document has no such sentence
        ("gfx950", "v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, 1.0"),
        ("gfx950", "v_cvt_scalef32_pk_fp8_f32 v0, s1, v2, v3"),
        ("gfx950", "v_dot2_f32_bf16 v0, v1, v2, v3 neg_lo:[1,1,0]"),
        ("gfx1200", "global_atomic_cond_sub_u32 v0, v0, v2, s[0:1] th:TH_ATOMIC_RETURN"),
        ("gfx950", "v_dot2_f32_f16 v0, v1, v2, v3 clamp"),
        ("gfx1100", "v_cmp_eq_u32_e64 s0, s0, v0"),  # waves of 32 run once
    ],
)
def test_what_is_right(target: str, text: str) -> None:
    check_no_finding(f"{text}\n", RULE, target)


@pytest.mark.parametrize(
    ("text", "is_disputed"),
    [
        ("v_cmp_eq_u32_e64 s[0:1], s1, v0", True),
        ("v_cmp_eq_u32_e64 vcc, vcc_hi, v0", True),
        ("v_add_co_u32 v0, s[2:3], s2, v0", True),
        ("v_cmp_eq_u32_e64 s[0:1], s2, v0", False),
        ("v_add_co_ci_u32_e64 v0, s[2:3], v1, v2, s[2:3]", False),  # the carry of each half is its own
    ],
)
def test_waves_of_64_that_read_their_own_result(text: str, is_disputed: bool) -> None:
    text = f"//- k.s target:gfx1100 mattr:+wavefrontsize64\n{text}\n"
    assert (RULE in [each.rule for each in findings(text)]) is is_disputed

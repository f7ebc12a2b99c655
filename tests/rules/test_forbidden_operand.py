"""Operands that AMD's documents forbid and assemblers take."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.operands import manual_limits
from tests.support.check import check_no_finding, findings

RULE = "forbidden-operand"


@pytest.mark.parametrize(
    ("target", "text", "said"),
    [
        ("gfx942", "v_cvt_f32_fp8_sdwa v0, v1 src0_sel:WORD_0", "takes only BYTE_0 to BYTE_3"),
        ("gfx950", "v_cvt_pk_f32_bf8_sdwa v[0:1], v2 src0_sel:BYTE_1", "takes only WORD_0 and WORD_1"),
        ("gfx942", "v_lshl_add_u64 v[0:1], v[2:3], 5, v[4:5]", "shifts by 0 to 4"),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[20:23] blgp:7", "has the formats 0"),
        ("gfx90a", "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] clamp", "has no output modifiers"),
        ("gfx1200", "v_cvt_sr_fp8_f32 v0, -v1, v2", "takes no negation and no absolute value"),
        ("gfx1250", "v_cvt_pk_fp8_f32 v0, |v1|, v2", "takes no negation"),
        ("gfx1250", "v_cvt_f32_bf16_e32 v0, 1.0", "takes an inline constant only in the encoding"),
        ("gfx1200", "v_s_exp_f32 vcc_lo, s0", "cannot write VCC"),
        ("gfx1100", "v_dot4_i32_iu8 v0, v1, v2, v3 neg_lo:[0,0,1]", "the third number of neg_lo is 0"),
        ("gfx1200", "v_dot4_i32_iu8 v0, v1, v2, v3 neg_hi:[1,0,0]", "has no neg_hi"),
        ("gfx1200", "v_cmp_eq_u32_e64 exec_lo, v0, v1", "cannot write M0 or EXEC"),
        ("gfx1100", "v_readlane_b32 exec_lo, v0, 0", "cannot write M0 or EXEC"),
        ("gfx1200", "s_and_not0_wrexec_b32 exec_lo, s0", "which cannot be EXEC"),
        ("gfx1250", "s_barrier_signal_isfirst -3", "cannot signal the barrier of the cluster"),
        ("gfx1200", "buffer_atomic_csub_u32 v0, off, s[0:3], null", "needs th:TH_ATOMIC_RETURN"),
        ("gfx1200", "global_atomic_ordered_add_b64 v0, v[2:3], s[0:1]", "needs th:TH_ATOMIC_RETURN"),
        ("gfx1200", "scratch_load_block v[0:31], off, off offset:64", "needs an address in a register"),
        ("gfx1200", "scratch_store_block off, v[0:31], off", "needs an address in a register"),
        ("gfx1200", "s_clause 33", "takes 1 to 32"),
        ("gfx1100", "s_trap 0", "0, which is reserved"),
        ("gfx1100", "v_cmp_eq_u32_e64 vcc_hi, v0, v1", "cannot have VCC_HI as a mask in waves of 32"),
        ("gfx1200", "v_add_co_u32 v0, vcc_hi, v1, v2", "cannot have VCC_HI as a mask"),
        ("gfx1100", "v_cndmask_b32_e64 v0, v1, v2, vcc_hi", "cannot have VCC_HI or EXEC_HI as a mask"),
        ("gfx1100", "s_sendmsg 4", "has no message of this number"),
        ("gfx1200", "s_sendmsghalt 5", "has no message of this number"),
        ("gfx1200", "v_dot4_f32_fp8_bf8 v0, 1.0, v2, v3", "does not work with inline constants"),
        ("gfx1200", "v_dot2_f16_f16 v0, |v1|, v2, v3", "no absolute value"),
        ("gfx1100", "v_alignbit_b32 v0, v1, v2, v3 clamp", "ignores clamp"),
        ("gfx1200", "v_alignbyte_b32 v0, v1, v2, v3 clamp", "ignores clamp"),
        (
            "gfx1100",
            "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[16:23] neg_lo:[0,0,1]",
            "third number of neg_lo",
        ),
        ("gfx942", "v_cvt_f32_fp8_sdwa v0, v1 clamp src0_sel:BYTE_0", "ignores the output modifiers of SDWA"),
        ("gfx942", "v_cvt_pk_f32_bf8_sdwa v[0:1], v2 mul:2 src0_sel:WORD_0", "ignores the output modifiers of SDWA"),
        ("gfx950", "v_dot2c_f32_bf16_e64 v0, |v1|, v2", "negation of the high half"),
    ],
)
def test_what_is_forbidden(target: str, text: str, said: str) -> None:
    assert any(each.rule == RULE and said in each.message for each in findings(f"{text}\n", target))


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx950", "v_cvt_sr_fp8_f32 v0, s1, v2"),  # disputed-operand
        ("gfx942", "v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_3"),
        ("gfx942", "v_lshl_add_u64 v[0:1], v[2:3], 4, v[4:5]"),
        ("gfx942", "v_lshl_add_u64 v[0:1], v[2:3], v6, v[4:5]"),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[20:23] cbsz:4"),
        ("gfx1250", "v_cvt_f32_bf16_e32 v0, v1"),
        ("gfx1100", "v_dot4_i32_iu8 v0, v1, v2, v3 neg_lo:[1,1,0]"),
        ("gfx1200", "v_cmp_eq_u32_e64 s0, v0, v1"),
        ("gfx1200", "v_cmpx_eq_u32_e64 v0, v1"),
        ("gfx1250", "s_barrier_signal_isfirst -1"),
        ("gfx1200", "global_atomic_ordered_add_b64 v[0:1], v0, v[2:3], s[0:1] th:TH_ATOMIC_RETURN"),
        ("gfx1200", "scratch_load_block v[0:31], off, s32 offset:64"),
        ("gfx1200", "scratch_load_block v[0:31], v40, off"),
        ("gfx1200", "s_clause 32"),
        ("gfx1100", "s_clause 62"),
        ("gfx1100", "s_trap 2"),
        ("gfx1100", "v_cmp_eq_u32_e64 vcc_lo, v0, v1"),
        ("gfx1030", "v_cmp_eq_u32_e64 vcc_hi, v0, v1"),  # RDNA2's document has no such sentence
        ("gfx1100", "s_mov_b32 vcc_hi, 0"),
        ("gfx1100", "s_sendmsg sendmsg(MSG_STALL_WAVE_GEN)"),  # LLVM names it
        ("gfx1200", "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"),
        ("gfx1200", "v_dot4_f32_fp8_bf8 v0, v1, v2, 1.0"),
        ("gfx1200", "v_dot2_f16_f16 v0, -v1, v2, v3"),
        ("gfx1200", "v_alignbit_b32 v0, v1, v2, v3"),
        ("gfx1100", "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[16:23] neg_lo:[1,1,0]"),
        ("gfx942", "v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_0"),
        ("gfx942", "v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[10:11], v[0:7] neg:[1,0,0]"),
        ("gfx942", "v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[8:11], v16 abid:3"),
        ("gfx950", "v_smfmac_f32_16x16x64_f16 v[0:3], v[4:7], v[8:15], v16 abid:1"),
        ("gfx950", "v_dot2c_f32_bf16_e64 v0, -v1, v2"),
    ],
)
def test_what_is_right(target: str, text: str) -> None:
    check_no_finding(f"{text}\n", RULE, target)


def test_each_row_is_about_a_form() -> None:
    named = [(name, "") for name in ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200", "gfx1250")]
    targets = [isa.load_target(name, mattr) for name, mattr in (*named, ("gfx1100", "+wavefrontsize64"))]
    found = {
        limit
        for target in targets
        for mnemonic in target.mnemonics
        for form in target.forms(mnemonic)
        for limit, _ in manual_limits.of(form, target.features)
    }
    assert [limit for limit in manual_limits.LIMITS if limit not in found] == []

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
        ("gfx900", "v_mov_b32_sdwa v0, lds_direct", "operand-conflict", "lds_direct"),
        ("gfx900", "v_subrev_f32 v0, lds_direct, v1", "operand-conflict", "lds_direct"),
        ("gfx1100:+real-true16", "v_add_f16 v0.h, v1.l, v2.h op_sel:[1,1,1]", "operand-conflict", "op_sel:[1,1,1]"),
        (
            "gfx1100:+real-true16",
            "v_fmac_f16_e64 v1.l, v0.l, v8.l op_sel:[0,0,1]",
            "operand-conflict",
            "op_sel:[0,0,1]",
        ),
        ("gfx90a", "v_mov_b32 v0, lds_direct", "register-not-available", "lds_direct"),
        ("gfx900", "ds_read_b32 v0, v1 offset:65536", "modifier-out-of-range", "offset:65536"),
        ("gfx900", "flat_load_dword v0, v[2:3] offset:-1", "modifier-out-of-range", "offset:-1"),
        ("gfx900", "global_load_dword v0, v[2:3], off offset:4096", "modifier-out-of-range", "offset:4096"),
        ("gfx900", "s_load_dword s0, s[2:3], 0x100000", "immediate-out-of-range", "0x100000"),
        ("gfx900", "s_buffer_load_dword s0, s[4:7], -4", "immediate-out-of-range", "-4"),
        ("gfx900", "s_load_dword s0, s[2:3], 0 slc", "unknown-modifier", "slc"),
        ("gfx900", "global_atomic_add v0, v[2:3], v4, off", "missing-modifier", "global_atomic_add"),
        ("gfx900", "global_atomic_add v[2:3], v4, off glc", "unknown-modifier", "glc"),
        ("gfx900", "image_load v[0:2], v0, s[0:7] dmask:0x3", "wrong-register-width", "v[0:2]"),
        ("gfx900", "image_atomic_add v[0:1], v0, s[0:7] dmask:0x5", "modifier-out-of-range", "dmask:0x5"),
        ("gfx900", "image_gather4 v[0:3], v[0:1], s[0:7], s[0:3] dmask:0x3", "modifier-out-of-range", "dmask:0x3"),
        ("gfx900", "v_div_scale_f32 v0, vcc, |v1|, v2, v3", "unknown-modifier", "|v1|"),
        ("gfx908", "v_accvgpr_write_b32 a0, s0", "wrong-operand-kind", "s0"),
        ("gfx908", "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[1:32]", "operand-conflict", "a[1:32]"),
        ("gfx90a", "v_mfma_f64_4x4x4f64 a[0:1], v[0:1], v[2:3], a[0:1] neg:[1,0,0]", "unknown-modifier", "neg:[1,0,0]"),
        ("gfx90a", "global_load_dwordx2 v[1:2], v[2:3], off", "misaligned-register", "v[1:2]"),
        ("gfx90a", "ds_write2_b32 v0, v1, a2", "wrong-operand-kind", "a2"),
        ("gfx90a", "ds_gws_init v1 gds", "misaligned-register", "v1"),
        ("gfx900", "ds_gws_init v1 nogds", "unknown-modifier", "nogds"),
        ("gfx1251", "v_mad_u32 v2, v4, v7, v8 quad_perm:[3,2,1,0]", "unsupported-on-target", "quad_perm:[3,2,1,0]"),
        ("gfx1250", "v_fmaak_f64 v[4:5], 0x7e8, v[8:9], lit64(0x7e8)", "too-many-literals", "lit64(0x7e8)"),
        ("gfx90a", "v_ceil_f64_dpp v[0:1], v[2:3] row_shl:1", "unsupported-on-target", "row_shl:1"),
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
        ("gfx1250", "buffer_load_b32 v0, off, s[4:7], s8 scale_offset", "unknown-modifier", "scale_offset"),
        ("gfx1250", "tensor_load_to_lds s[64:67], s[64:71] r128", "unknown-modifier", "r128"),
        ("gfx1030", "v_movrels_b32_sdwa v0, s0", "wrong-operand-kind", "s0"),
        ("gfx1100", "s_waitcnt_vscnt s0, 0", "wrong-operand-kind", "s0"),
        ("gfx1150", "s_fmaak_f32 s0, 0x3c00, s1, 1", "too-many-literals", "1"),
        ("gfx900", "v_cvt_pk_i16_i32_dpp v0, v1, s0 row_shl:1", "unsupported-on-target", "v_cvt_pk_i16_i32_dpp"),
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
        ("gfx900", "global_load_dword v0, v[2:3], off offset:-4096"),
        ("gfx900", "global_load_dwordx2 v[1:2], v[2:3], off"),
        ("gfx908", "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[1:4]"),
        ("gfx90a", "v_ceil_f64_dpp v[0:1], v[2:3] row_newbcast:1"),
        ("gfx90a", "ds_write2_b32 v0, a1, a2"),
        ("gfx900", "image_load v0, v0, s[0:7] dmask:0x3 d16"),
    ],
)
def test_right(cpu: str, line: str) -> None:
    assert code_of(line, cpu)


@pytest.mark.parametrize(
    "word", ["global_store_async_from_lds_b32 v[70:71], v30, off", "tensor_store_from_lds s[48:51], s[0:7]"]
)
def test_what_stores_from_lds_takes_hints_of_stores(word: str) -> None:
    assert code_of(f"{word} th:TH_STORE_NT", "gfx1250")
    assert "takes a th:TH_STORE_ hint" in problem_of(f"{word} th:TH_LOAD_NT", "gfx1250")[2]


def test_neg_of_matrix_instructions_has_a_bit_for_each_source() -> None:
    line = "v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7] neg:"
    assert code_of(line + "[0,0,1]", "gfx942")
    assert problem_of(line + "[0,0,0,1]", "gfx942")[0] == "modifier-out-of-range"


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

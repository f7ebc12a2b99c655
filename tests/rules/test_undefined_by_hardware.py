"""What the assembler takes and the hardware has not."""

import pytest

from tests.instruction.support import assemble, code_of

_LOAD = "tbuffer_load_format_x v1, off, s[4:7],"


@pytest.mark.parametrize(
    ("cpu", "line", "text"),
    [
        ("gfx802", "s_store_dword s0, s[4:5], s3", "s3"),
        ("gfx802", "s_buffer_store_dwordx2 s[0:1], s[4:7], s3", "s3"),
        ("gfx908", "s_load_dword s0, s[4:5], -4", "-4"),
        ("gfx1030", "s_load_dwordx2 s[0:1], s[4:5], -0x10", "-0x10"),
        ("gfx1200", "s_load_b32 s0, s[4:5], -4", "-4"),
        ("gfx1030", "s_clause 0x0", "0x0"),
        ("gfx1030", "s_clause 0x3f", "0x3f"),
        ("gfx1030", "s_clause 0x40", "0x40"),
        ("gfx908", "s_getreg_b32 s0, hwreg(1, 31, 2)", "hwreg(1, 31, 2)"),
        ("gfx1200", "s_setreg_b32 hwreg(HW_REG_MODE, 1, 32), s0", "hwreg(HW_REG_MODE, 1, 32)"),
        ("gfx900", f"{_LOAD} s1 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_FLOAT]", "format"),
        ("gfx900", f"{_LOAD} s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UNORM]", "format"),
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], dfmt:15, nfmt:2, s1", "dfmt"),
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], dfmt:4, nfmt:6, s1", "dfmt"),
        ("gfx900", "tbuffer_store_format_x v1, off, s[4:7], dfmt:1, nfmt:2, s1", "dfmt"),
        ("gfx1100", "tbuffer_load_format_x v1, off, s[4:7], s1 format:64", "format:64"),
        ("gfx908", "exp mrt0 v0, v1, v2, v3", "exp"),
        ("gfx908", "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)", "sendmsg"),
        ("gfx908", "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_CUT, 1)", "sendmsg"),
        ("gfx908", "s_setreg_b32 hwreg(HW_REG_STATUS), s0", "hwreg(HW_REG_STATUS)"),
        ("gfx900", "s_setreg_imm32_b32 hwreg(HW_REG_GPR_ALLOC), 5", "hwreg(HW_REG_GPR_ALLOC)"),
        ("gfx908", "s_getreg_b32 s0, hwreg(9)", "hwreg(9)"),
        ("gfx908", "s_setreg_b32 hwreg(HW_REG_LDS_ALLOC), ttmp2", "hwreg(HW_REG_LDS_ALLOC)"),
        ("gfx900", "image_store v[0:3], v[4:5], s[8:15] dmask:0xf", "image_store"),
        ("gfx900", "image_atomic_add v0, v[4:5], s[8:15] dmask:0x1", "image_atomic_add"),
        ("gfx1250", "v_cvt_scale_pk8_f32_fp8 v[0:7], v[2:3], v9", "v[0:7]"),
        ("gfx1250", "v_cvt_scale_pk8_f32_fp8 v[2:9], v[0:1], v9", "v[2:9]"),
        ("gfx1250", "v_cvt_scalef32_pk8_fp4_f32 v7, v[0:7], v8", "v7"),
        ("gfx908", "v_mfma_f32_4x4x4f16 a[0:3], v[4:5], v[6:7], a[0:3] cbsz:2 abid:5", "abid:5"),
        ("gfx942", "v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], v[0:3] cbsz:1", "cbsz:1"),
        ("gfx90a", "v_mfma_f32_32x32x4f16 a[0:31], v[4:5], v[6:7], a[0:31] cbsz:2", "cbsz:2"),
        ("gfx908", "v_mfma_f32_4x4x4f16 a[0:3], v[4:5], v[6:7], a[0:3] abid:1", "abid:1"),
    ],
)
def test_told_beside_the_bytes(cpu: str, line: str, text: str) -> None:
    instruction = assemble(line, cpu)
    (problem,) = instruction.problems
    assert problem.rule == "undefined-by-hardware"
    assert line[problem.start : problem.end].startswith(text)
    assert instruction.code


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx908", "s_load_dword s0, s[4:5], s6 offset:-4"),
        ("gfx1030", "s_load_dword s0, s[4:5], m0 offset:-4"),
        ("gfx1030", "s_load_dword s0, s[4:5], 0x10"),
        ("gfx802", "s_store_dword s0, s[4:5], m0"),
        ("gfx802", "s_store_dword s0, s[4:5], 0x10"),
        ("gfx802", "s_load_dword s0, s[4:5], s3"),
        ("gfx900", "s_store_dword s0, s[4:5], m0"),
        ("gfx906", "exp mrt0 v0, v1, v2, v3"),
        ("gfx906", "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)"),
        ("gfx908", "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)"),
        ("gfx908", "s_sendmsg sendmsg(MSG_INTERRUPT)"),
        ("gfx908", "s_setreg_b32 hwreg(HW_REG_MODE), s0"),
        ("gfx908", "s_setreg_b32 hwreg(HW_REG_STATUS), ttmp12"),
        ("gfx908", "s_setreg_b32 hwreg(HW_REG_IB_STS), ttmp2"),
        ("gfx908", "s_getreg_b32 s0, hwreg(HW_REG_STATUS)"),
        ("gfx1100", "s_getreg_b32 s0, hwreg(9)"),
        ("gfx900", "image_store v[0:3], v[4:5], s[8:15] dmask:0xf unorm"),
        ("gfx900", "image_load v[0:3], v[4:5], s[8:15] dmask:0xf"),
        ("gfx1030", "s_clause 0x1"),
        ("gfx1030", "s_clause 0x3e"),
        ("gfx908", "s_getreg_b32 s0, hwreg(1, 0, 32)"),
        ("gfx908", "s_getreg_b32 s0, hwreg(1, 28, 4)"),
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_16,BUF_NUM_FORMAT_FLOAT]"),
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], dfmt:1, nfmt:2, s1"),
        ("gfx700", "tbuffer_load_format_x v1, off, s[4:7], dfmt:1, nfmt:6, s1"),
        ("gfx1100", "tbuffer_load_format_x v1, off, s[4:7], s1 format:63"),
        ("gfx1250", "v_cvt_scale_pk8_f32_fp8 v[0:7], v[10:11], v9"),
        ("gfx1250", "v_cvt_scale_pk8_f32_fp8 v[0:7], v[10:11], s2"),
        ("gfx950", "v_cvt_scalef32_pk_f32_fp8 v[0:1], v0, v2"),
        ("gfx908", "v_mfma_f32_4x4x4f16 a[0:3], v[4:5], v[6:7], a[0:3] cbsz:4 abid:15"),
        ("gfx908", "v_mfma_f32_32x32x1f32 a[0:31], v4, v6, a[0:31] cbsz:1 abid:1"),
        ("gfx90a", "v_mfma_f64_16x16x4f64 v[0:7], v[8:9], v[10:11], v[0:7] cbsz:3 abid:2"),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[10:15], v[0:3] cbsz:2 blgp:2"),
        ("gfx942", "v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[6:9], v10 cbsz:3 abid:1"),
    ],
)
def test_silent(cpu: str, line: str) -> None:
    assert code_of(line, cpu)
    assert not assemble(line, cpu).problems


def test_a_hardware_register_is_named() -> None:
    (problem,) = assemble("s_setreg_b32 hwreg(HW_REG_STATUS), s0", "gfx908").problems
    assert problem.message == "`HW_REG_STATUS` can only be read"


@pytest.mark.parametrize("register", ["HW_REG_TBA_LO", "HW_REG_TMA_HI"])
def test_the_addresses_of_trap_handlers_are_read_only_on_gfx10(register: str) -> None:
    """With STATUS.PRIV they can be written: a trap handler takes the value from its own registers."""
    (problem,) = assemble(f"s_setreg_b32 hwreg({register}), s0", "gfx1010").problems
    assert problem.message == f"`{register}` can only be read"
    assert not assemble(f"s_setreg_b32 hwreg({register}), ttmp0", "gfx1010").problems
    assert not assemble(f"s_getreg_b32 s0, hwreg({register})", "gfx1010").problems

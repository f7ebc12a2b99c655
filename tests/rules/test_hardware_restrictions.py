"""Instructions that certain processors do not carry out as documented."""

import pytest

from tests.support.check import check_no_finding, findings

RULE = "undefined-by-hardware"

CASES = [
    ("D-04", "gfx1010", "s_inst_prefetch 1", "gfx1030", "s_inst_prefetch 1"),
    ("D-06", "gfx1010", "flat_load_dword v0, v[2:3] offset:16", "gfx1010", "flat_load_dword v0, v[2:3]"),
    ("D-06", "gfx1012", "flat_store_dword v[2:3], v0 offset:4", "gfx1030", "flat_store_dword v[2:3], v0 offset:4"),
    (
        "D-07", "gfx900", "scratch_load_dword v0, off, s2 offset:-4",
        "gfx900", "scratch_load_dword v0, off, s2 offset:4",
    ),
    (
        "D-08", "gfx1010", "scratch_load_dword v0, v1, off offset:-3",
        "gfx1010", "scratch_load_dword v0, v1, off offset:-4",
    ),
    ("D-19", "gfx942", "v_cvt_f32_fp8 v0, v1", "gfx950", "v_cvt_f32_fp8 v0, v1"),
    ("D-19", "gfx942", "v_cvt_f32_bf8 v0, v1", "gfx942", "v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_1"),
    (
        "D-20", "gfx1250", "s_mov_b64 s[0:1], src_flat_scratch_base_hi",
        "gfx1250", "s_mov_b32 s0, src_flat_scratch_base_hi",
    ),
    ("F-12", "gfx90a", "v_lshlrev_b64 v[0:1], v7, v[2:3]", "gfx942", "v_lshlrev_b64 v[0:1], v7, v[2:3]"),
    ("F-12", "gfx90a", "v_ashrrev_i64 v[0:1], v255, v[2:3]", "gfx90a", "v_ashrrev_i64 v[0:1], v6, v[2:3]"),
    (
        "F-12", "gfx90a", "v_lshrrev_b64 v[0:1], v15, v[2:3]\nv_mov_b32 v14, 0",
        "gfx90a", "v_lshrrev_b64 v[0:1], v15, v[2:3]\nv_mov_b32 v16, 0",
    ),
    # A field of 20 bits has bits 19:12 of the number for itself.
    (
        "F-22", "gfx1250", "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 20), 0x8005\nv_mov_b32 v0, v1",
        "gfx1251", "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 20), 0x8005",
    ),
    (
        "F-22", "gfx1250", "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 20), 0x8005\nv_mov_b32 v0, v1",
        "gfx1250",
        "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 20), 0x8005\ns_nop 0\ns_set_vgpr_msb 0\nv_mov_b32 v0, v1",
    ),
    # In one of 4 nothing else makes use of them.
    (
        "F-22", "gfx1250", "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 20), 0x4005\nv_mov_b32 v0, v1",
        "gfx1250", "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), 0x4005",
    ),
    (
        "F-22", "gfx1250", "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 20), 0x4005\nv_mov_b32 v0, v1",
        "gfx1250", "s_set_vgpr_msb 1\ns_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 20), 0x4005",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("row", "target", "text", "other", "fine"), CASES)
def test_restrictions(row: str, target: str, text: str, other: str, fine: str) -> None:
    (found,) = (each for each in findings(f"{text}\ns_waitcnt 0\ns_endpgm\n", target) if each.rule == RULE)
    assert f"({row})" in found.message
    assert found.where.line == 0
    check_no_finding(f"{fine}\ns_waitcnt 0\ns_endpgm\n", RULE, other)


def test_a_write_of_mode_takes_the_selectors_back_to_0() -> None:
    text = "k:\n s_set_vgpr_msb 1\n s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), 5\n v_mov_b32 v0, v1\n s_endpgm\n"
    (found,) = (each for each in findings(text, "gfx1250") if each.rule == RULE)
    assert found.where.line == 2

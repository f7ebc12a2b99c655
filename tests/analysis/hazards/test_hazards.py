"""Every hazard row, violated by one wait state and just kept, and how distances are counted along paths."""

import msgspec
import pytest

from gcn_lsp import isa
from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.analysis.hazards.profiles import rows_for
from gcn_lsp.analysis.hazards.walk import Hazard
from gcn_lsp.analysis.machine.effects import Effects, model_for
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.isa.hazards import ROWS
from gcn_lsp.program import problems
from gcn_lsp.program.program import Program
from gcn_lsp.syntax.lines import parse_line
from tests.analysis import support
from tests.analysis.hazards import test_hazard_mitigations as mitigations

# The row, a target, the first instruction, the second, the wait states between them that are enough, and a target that
# has both instructions but not the row (`-` when there is none). `;` between instructions.
Case = tuple[str, str, str, str, int, str]

MOV, READFIRST = "v_mov_b32 v1, v2", "v_readfirstlane_b32 s4, v0"
CMP = "v_cmp_eq_u32 vcc, v0, v1"
CMPX = "v_cmpx_eq_u32 vcc, v0, v1"
CMPX_S = "v_cmpx_eq_u32_e64 s[2:3], v0, v1"
M0 = "s_mov_b32 m0, s0"
BUFFER = "buffer_load_dword v9, v8, s[8:11], s4 offen"
GLOBAL_X4 = "global_store_dwordx4 v[0:1], v[4:7], off"
FLAT_X4 = "flat_store_dwordx4 v[0:1], v[4:7]"
BUFFER_X4 = "buffer_store_dwordx4 v[4:7], off, s[8:11], 0"
F16X2 = "v_mfma_f32_4x4x4f16"

SIMPLE: list[Case] = [
    ("S-01", "gfx600", "v_readlane_b32 s4, v0, 1", "s_load_dword s8, s[4:5], 0x0", 4, "gfx700"),
    ("S-01", "gfx600", "v_readlane_b32 s4, v0, 1", "s_buffer_load_dword s8, s[4:7], 0x0", 4, "gfx700"),
    ("S-02", "gfx600", "s_mov_b32 s4, s0", "s_buffer_load_dword s8, s[4:7], 0x0", 4, "gfx700"),
    ("S-05", "gfx803", READFIRST, BUFFER, 5, "gfx700"),
    ("S-05", "gfx900", "v_readlane_b32 s4, v0, 1", "global_load_dword v9, v8, s[4:5]", 5, "gfx1010"),
    ("S-05", "gfx942", READFIRST, BUFFER, 5, "gfx1030"),
    ("S-06", "gfx900", MOV, "v_add_f32_dpp v0, v1, v3 row_shr:1 row_mask:0xf bank_mask:0xf", 2, "gfx1010"),
    ("S-06", "gfx803", "ds_read_b32 v1, v2", "v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf", 2, "gfx1010"),
    ("S-07", "gfx900", CMPX, "v_mov_b32_dpp v5, v6 row_shr:1 row_mask:0xf bank_mask:0xf", 5, "-"),
    ("S-08", "gfx600", "v_div_scale_f32 v0, vcc, v1, v2, v3", "v_div_fmas_f32 v4, v5, v6, v7", 4, "-"),
    ("S-08", "gfx90a", CMP, "v_div_fmas_f64 v[4:5], v[6:7], v[8:9], v[10:11]", 4, "-"),
    ("S-09", "gfx700", "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0", "s_getreg_b32 s1, hwreg(1)", 2, "gfx1010"),
    ("S-10", "gfx600", "s_setreg_b32 hwreg(1, 0, 4), s0", "s_setreg_b32 hwreg(1, 4, 4), s0", 1, "gfx1010"),
    ("S-11", "gfx803", "s_setreg_b32 hwreg(1, 0, 4), s0", "s_setreg_imm32_b32 hwreg(1, 4, 4), 1", 2, "gfx1010"),
    ("S-12", "gfx900", "s_setreg_b32 hwreg(3, 0, 4), s0", "s_rfe_b64 s[2:3]", 1, "gfx700"),
    ("S-13", "gfx600", "v_readlane_b32 s4, v0, 1", "v_readlane_b32 s5, v1, s4", 4, "gfx1010"),
    ("S-13", "gfx900", "v_cmp_eq_u32 s[4:5], v0, v1", "v_writelane_b32 v1, 0, s5", 4, "-"),
    ("S-14", "gfx900", M0, "s_movrels_b32 s0, s1", 1, "gfx803"),
    ("S-14", "gfx908", M0, "ds_read_addtid_b32 v0", 1, "-"),
    ("S-14", "gfx900", M0, "v_interp_p1_f32 v0, v1, attr0.x", 1, "gfx803"),
    ("S-15", "gfx803", M0, "s_sendmsg sendmsg(MSG_INTERRUPT)", 1, "gfx700"),
    ("S-15", "gfx900", M0, "ds_add_u32 v0, v1 gds", 1, "gfx700"),
    ("S-15", "gfx900", M0, "ds_gws_init v0 gds", 1, "gfx700"),
    ("S-16", "gfx900", M0, "buffer_load_dword off, s[4:7], s8 lds", 1, "gfx803"),
    ("S-16", "gfx942", M0, "global_load_lds_dword v[0:1], off", 1, "-"),
    ("S-17", "gfx900", M0, "v_mov_b32 v0, src_lds_direct", 1, "gfx1030"),
    ("S-18", "gfx700", "flat_store_dwordx3 v[0:1], v[4:6]", "v_mov_b32 v6, 0", 1, "gfx1010"),
    ("S-18", "gfx900", GLOBAL_X4, "v_mov_b32 v4, 0", 1, "gfx1010"),
    ("S-18", "gfx803", BUFFER_X4, "v_mov_b32 v7, 0", 1, "gfx600"),
    ("S-18", "gfx900", "buffer_atomic_cmpswap_x2 v[0:3], off, s[4:7], 0", "v_mov_b32 v3, 0", 1, "gfx600"),
    ("S-19", "gfx942", GLOBAL_X4, "v_mov_b32 v4, 0", 2, "gfx1010"),
    ("S-20", "gfx942", "v_rcp_f32 v1, v2", "v_add_f32 v0, v1, v3", 1, "gfx90a"),
    (
        "S-21", "gfx942", "v_add_f16_sdwa v1, v2, v3 dst_sel:WORD_1 src0_sel:DWORD src1_sel:DWORD",
        "v_mov_b32 v1, v9", 1, "gfx90a",
    ),
    ("S-21", "gfx942", "v_mad_f16 v1, v2, v3, v4 op_sel:[0,0,0,1]", "v_mov_b32 v9, v1", 1, "gfx90a"),
    ("S-21", "gfx942", "v_cvt_pk_fp8_f32 v1, v2, v3 op_sel:[0,0,1]", "v_mov_b32 v9, v1", 1, "-"),
    ("S-22a", "gfx942", READFIRST, "v_mov_b32 v1, s4", 2, "gfx90a"),
    ("S-22b", "gfx942", CMP, "v_cndmask_b32 v2, v3, v4, vcc", 2, "gfx90a"),
    ("S-22c", "gfx942", MOV, "v_readfirstlane_b32 s0, v1", 1, "gfx90a"),
    ("S-31", "gfx950", "buffer_store_dwordx4 v[4:7], off, s[8:11], s12", "v_mov_b32 v4, 0", 1, "gfx90a"),
    ("S-22e", "gfx942", CMPX, "v_mov_b32 v6, exec_lo", 2, "gfx90a"),
    ("S-22d", "gfx942", CMPX_S, "v_writelane_b32 v6, s8, 1", 4, "gfx90a"),
    ("S-22d", "gfx950", CMPX_S, "v_readfirstlane_b32 s6, v6", 4, "gfx90a"),
    (
        "S-23", "gfx1010",
        "image_sample_d v0, [v1, v8, v16, v24, v32, v40], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        "buffer_load_dword v9, v8, s[8:11], 0 offen offset:4", 1, "gfx1030",
    ),
    ("S-24", "gfx1010", "buffer_atomic_fmin v0, off, s[4:7], 0", "s_denorm_mode 3", 3, "-"),
    ("S-24", "gfx1030", "global_atomic_fmax v[0:1], v2, off", "s_denorm_mode 3", 3, "-"),
    ("S23", "gfx802", "s_mov_b32 s6, 0x100", "s_buffer_load_dword s0, s[4:7], 0x0", 1, "gfx600"),
    ("S23", "gfx900", "v_readlane_b32 s6, v0, 1", "s_buffer_store_dword s0, s[4:7], 0x0", 1, "gfx1010"),
    ("S-26", "gfx950", CMPX_S, "v_permlane32_swap_b32 v4, v5", 4, "-"),
    ("S-27", "gfx950", MOV, "v_permlane16_swap_b32 v4, v1", 2, "-"),
    ("S-27", "gfx950", "v_permlane16_swap_b32 v4, v1", "v_permlane16_swap_b32 v4, v1", 2, "-"),
    ("S-28", "gfx942", "v_cvt_sr_fp8_f32 v1, v2, v3 op_sel:[0,0,1,0]", "v_mov_b32 v1, 0", 1, "-"),
    ("S-28", "gfx950", "v_cvt_sr_bf8_f32 v1, v2, v3 op_sel:[0,0,0,1]", "v_mov_b32 v9, v1", 1, "-"),
    ("S-29", "gfx950", "v_cvt_scalef32_sr_pk_fp4_f32 v0, v[2:3], v4, v5", "v_mov_b32 v9, v0", 1, "-"),
    ("S-30", "gfx950", "v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, v3 op_sel:[0,0,0,1]", "v_mov_b32 v9, v0", 1, "-"),
    ("S-30", "gfx950", "v_cvt_scalef32_pk_fp8_f16 v0, v1, v2 op_sel:[0,0,1]", "v_mov_b32 v9, v0", 1, "-"),
    ("S-30", "gfx950", "v_cvt_scalef32_f16_fp8 v0, v1, v2 op_sel:[0,0,1]", "v_mov_b32 v9, v0", 1, "-"),
    ("S-30", "gfx950", "v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3 op_sel:[0,0,1,0]", "v_mov_b32 v9, v0", 1, "-"),
]  # fmt: skip

# Matrix instructions: with C the registers that they add to, with D those that they write.
F32_4, F32_16, F32_32 = "v_mfma_f32_4x4x1f32", "v_mfma_f32_16x16x1f32", "v_mfma_f32_32x32x1f32"


def mfma(name: str, d: str, c: str, a: str = "v0", b: str = "v1") -> str:
    """A matrix instruction."""
    return f"{name} {d}, {a}, {b}, {c}"


MATRIX_908: list[Case] = [
    ("M908-01", "gfx908", CMPX_S, mfma(F32_4, "a[0:3]", "a[0:3]", "v4", "v5"), 4, "-"),
    ("M908-01", "gfx908", CMPX_S, "v_accvgpr_write_b32 a0, v9", 4, "gfx90a"),
    ("M908-02", "gfx908", MOV, mfma(F32_4, "a[0:3]", "a[0:3]"), 2, "-"),
    ("M908-02", "gfx908", MOV, "v_accvgpr_write_b32 a0, v1", 2, "gfx90a"),
    ("M908-04", "gfx908", mfma(F32_16, "a[0:15]", "a[0:15]"), mfma(F32_4, "a[20:23]", "a[0:3]"), 2, "-"),
    ("M908-05", "gfx908", mfma(F32_4, "a[0:3]", "a[0:3]"), mfma(F32_4, "a[8:11]", "a[8:11]", "a3"), 4, "-"),
    ("M908-06", "gfx908", mfma(F32_4, "a[0:3]", "a[0:3]"), "v_accvgpr_read_b32 v9, a3", 4, "-"),
    ("M908-06", "gfx908", mfma(F32_16, "a[0:15]", "a[0:15]"), "v_accvgpr_read_b32 v9, a3", 10, "-"),
    ("M908-06", "gfx908", mfma(F32_32, "a[0:31]", "a[0:31]"), "v_accvgpr_read_b32 v9, a3", 18, "-"),
    ("M908-07", "gfx908", mfma(F32_4, "a[0:3]", "a[4:7]"), "v_accvgpr_write_b32 a3, v9", 1, "-"),
    ("M908-07", "gfx908", mfma(F32_16, "a[0:15]", "a[0:15]"), "v_accvgpr_write_b32 a3, v9", 7, "-"),
    ("M908-07", "gfx908", mfma(F32_32, "a[0:31]", "a[0:31]"), "v_accvgpr_write_b32 a3, v9", 15, "-"),
    ("M908-08", "gfx908", mfma(F32_16, "a[0:15]", "a[16:31]"), "v_accvgpr_write_b32 a16, v9", 5, "-"),
    ("M908-08", "gfx908", mfma(F32_32, "a[0:31]", "a[32:63]"), "v_accvgpr_write_b32 a32, v9", 13, "-"),
    ("M908-09", "gfx908", "v_accvgpr_write_b32 a3, v9", mfma(F32_4, "a[0:3]", "a[0:3]"), 1, "-"),
    ("M908-10", "gfx908", "v_accvgpr_write_b32 a9, v9", mfma(F32_4, "a[0:3]", "a[0:3]", "a9"), 3, "-"),
    ("M908-11", "gfx908", "v_accvgpr_write_b32 a9, v9", "v_accvgpr_read_b32 v0, a9", 3, "gfx90a"),
    ("M908-12", "gfx908", "v_accvgpr_write_b32 a9, v9", "v_accvgpr_write_b32 a9, v8", 3, "gfx90a"),
    ("M908-13", "gfx908", "v_accvgpr_read_b32 v0, a9", "ds_write_b32 v9, v0", 2, "gfx90a"),
    ("M908-13", "gfx908", "v_accvgpr_read_b32 v0, a9", "global_load_dword v9, v0, s[2:3]", 2, "gfx90a"),
]  # fmt: skip

F64_4, F64_16 = "v_mfma_f64_4x4x4f64", "v_mfma_f64_16x16x4f64"


def f64(name: str, d: str, c: str, a: str = "v[100:101]") -> str:
    """An f64 matrix instruction."""
    return f"{name} {d}, {a}, v[102:103], {c}"


MATRIX_90A: list[Case] = [
    ("M90A-01", "gfx90a", CMPX_S, mfma(F32_4, "a[0:3]", "a[0:3]", "v4", "v5"), 4, "-"),
    ("M90A-02", "gfx90a", MOV, mfma(F32_4, "a[0:3]", "a[0:3]"), 2, "-"),
    ("M90A-02", "gfx90a", "v_accvgpr_write_b32 a1, v1", mfma(F32_4, "a[0:3]", "a[0:3]", "v8", "v9"), 2, "-"),
    ("M90A-05", "gfx90a", f64(F64_4, "v[0:1]", "v[0:1]"), f64(F64_4, "v[0:1]", "v[0:1]"), 4, "-"),
    ("M90A-07", "gfx90a", mfma(F32_4, "a[0:3]", "a[0:3]"), mfma(F32_16, "a[0:15]", "a[0:15]"), 2, "-"),
    ("M90A-07", "gfx90a", mfma(F32_16, "a[0:15]", "a[0:15]"), mfma(F32_4, "a[0:3]", "a[0:3]"), 8, "-"),
    ("M90A-07", "gfx90a", mfma(F32_32, "a[0:31]", "a[0:31]"), mfma(F32_4, "a[0:3]", "a[0:3]"), 16, "-"),
    ("M90A-08", "gfx90a", mfma(F32_4, "v[0:3]", "v[0:3]", "v8"), f64(F64_4, "v[0:1]", "v[0:1]"), 3, "-"),
    ("M90A-08", "gfx90a", mfma(F32_32, "v[32:63]", "v[32:63]"), f64(F64_4, "v[0:1]", "v[62:63]"), 17, "-"),
    ("M90A-09", "gfx90a", f64(F64_4, "v[0:1]", "v[0:1]"), f64(F64_16, "v[0:7]", "v[0:7]"), 4, "-"),
    ("M90A-09", "gfx90a", f64(F64_16, "v[0:7]", "v[0:7]"), f64(F64_4, "v[0:1]", "v[0:1]"), 9, "-"),
    ("M90A-10", "gfx90a", mfma(F32_4, "v[0:3]", "v[0:3]", "v8"), mfma(F32_4, "a[0:3]", "a[0:3]", "v8", "v3"), 5, "-"),
    ("M90A-10", "gfx90a", mfma(F32_16, "a[0:15]", "a[0:15]"), mfma(F32_4, "v[16:19]", "v[16:19]", "a0"), 11, "-"),
    ("M90A-11", "gfx90a", f64(F64_4, "v[0:1]", "v[0:1]"), f64(F64_4, "v[4:5]", "v[4:5]", "v[0:1]"), 6, "-"),
    ("M90A-11", "gfx90a", f64(F64_16, "v[0:7]", "v[0:7]"), f64(F64_4, "v[14:15]", "v[14:15]", "v[0:1]"), 11, "-"),
    ("M90A-12", "gfx90a", mfma(F32_4, "v[0:3]", "v[0:3]", "v8"), "v_mov_b32 v9, v3", 5, "-"),
    ("M90A-12", "gfx90a", mfma(F32_16, "a[0:15]", "a[0:15]"), "v_accvgpr_read_b32 v9, a3", 11, "-"),
    ("M90A-12", "gfx90a", mfma(F32_32, "a[0:31]", "a[0:31]"), "global_store_dword v[8:9], a3, off", 19, "-"),
    ("M90A-12", "gfx90a", mfma(F32_4, "v[4:7]", "v[4:7]"), "ds_read_b32 v4, v20", 5, "-"),
    ("M90A-13", "gfx90a", f64(F64_4, "v[0:1]", "v[0:1]"), "v_mov_b32 v9, v0", 6, "-"),
    ("M90A-13", "gfx90a", f64(F64_16, "v[0:7]", "v[0:7]"), "v_mov_b32 v7, v30", 11, "-"),
    ("M90A-13", "gfx90a", f64(F64_16, "v[0:7]", "v[0:7]"), "global_load_dword v7, v[30:31], off", 11, "-"),
    ("M90A-14", "gfx90a", f64(F64_4, "v[0:1]", "v[0:1]"), "ds_write_b32 v30, v1", 9, "-"),
    ("M90A-14", "gfx90a", f64(F64_16, "v[0:7]", "v[0:7]"), "global_store_dword v[30:31], v1, off", 18, "-"),
    ("M90A-15", "gfx90a", mfma(F32_4, "v[4:7]", "v[8:11]"), "v_mov_b32 v8, v30", 1, "-"),
    ("M90A-15", "gfx90a", mfma(F32_16, "a[0:15]", "a[16:31]"), "v_accvgpr_write_b32 a16, v9", 7, "-"),
    ("M90A-15", "gfx90a", mfma(F32_32, "v[32:63]", "v[64:95]"), "ds_read_b32 v64, v9", 15, "-"),
    ("M90A-16", "gfx90a", f64(F64_4, "v[0:1]", "v[0:1]"), "v_fma_f64 v[4:5], v[6:7], v[8:9], v[10:11]", 2, "-"),
    ("M90A-18", "gfx90a", "v_dot4_i32_i8 v0, v1, v2, v0", "v_dot4_i32_i8 v8, v0, v2, v9", 3, "gfx908"),
    ("M90A-20", "gfx90a", "v_dot4_i32_i8 v0, v1, v2, v0", "v_mov_b32 v8, v0", 3, "gfx908"),
    ("M90A-20", "gfx90a", "v_dot4_i32_i8 v0, v1, v2, v0", "v_dot2_f32_f16 v8, v1, v2, v0", 3, "gfx908"),
    ("M90A-20", "gfx90a", "v_dot4_i32_i8 v0, v1, v2, v0", "global_store_dword v[4:5], v0, off", 3, "gfx908"),
    ("M90A-21", "gfx90a", "v_dot4_i32_i8 v0, v1, v2, v0", "v_mov_b32 v0, v8", 3, "gfx908"),
]  # fmt: skip

BF16_4, XF32_16, I8_16 = "v_mfma_f32_4x4x4_16b_bf16", "v_mfma_f32_16x16x8_xf32", "v_mfma_i32_16x16x32_i8"
F16_32 = "v_mfma_f32_32x32x8_f16"
SMFMAC = "v_smfmac_f32_16x16x32_f16"


def wide(name: str, d: str, c: str, a: str = "v[100:101]") -> str:
    """A matrix instruction whose factors are pairs."""
    return f"{name} {d}, {a}, v[102:103], {c}"


MATRIX_940: list[Case] = [
    ("M940-01", "gfx942", CMPX_S, mfma(F32_4, "a[0:3]", "a[0:3]", "v4", "v5"), 4, "-"),
    ("M940-02", "gfx942", MOV, mfma(F32_4, "a[0:3]", "a[0:3]"), 2, "-"),
    ("M940-02", "gfx950", MOV, mfma(F32_4, "a[0:3]", "a[0:3]"), 2, "-"),
    (
        "M940-02", "gfx950", "v_mov_b32 v44, v2",
        "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[20:23], v44, v25 op_sel_hi:[0,0,0]", 2, "-",
    ),
    ("M940-03", "gfx942", f64(F64_4, "v[0:1]", "v[0:1]"), f64(F64_4, "v[0:1]", "v[0:1]"), 4, "-"),
    ("M940-04", "gfx942", mfma(F32_4, "a[0:3]", "a[0:3]"), mfma(F32_4, "a[0:3]", "a[0:3]"), 2, "gfx90a"),
    ("M940-07", "gfx942", wide(BF16_4, "v[0:3]", "v[0:3]"), wide(XF32_16, "v[4:7]", "v[2:5]"), 3, "-"),
    ("M940-07", "gfx942", wide(XF32_16, "v[0:3]", "v[0:3]"), wide(XF32_16, "v[4:7]", "v[2:5]"), 5, "-"),
    ("M940-07", "gfx942", wide(F16_32, "v[0:15]", "v[0:15]"), f64(F64_4, "v[20:21]", "v[0:1]"), 9, "-"),
    (
        "M940-07", "gfx942", "v_smfmac_f32_16x16x32_f16 v[0:3], v[20:21], v[24:27], v30",
        wide(XF32_16, "v[4:7]", "v[2:5]"), 5, "-",
    ),
    ("M940-08", "gfx942", mfma(F32_4, "a[0:3]", "a[0:3]"), mfma(F32_16, "a[0:15]", "a[0:15]"), 2, "-"),
    ("M940-08", "gfx942", mfma(F32_32, "v[0:31]", "v[0:31]", "v64"), f64(F64_4, "v[40:41]", "v[0:1]"), 16, "-"),
    ("M940-09", "gfx942", f64(F64_4, "v[0:1]", "v[0:1]"), mfma(F32_4, "v[40:43]", "v[0:3]", "v50", "v51"), 4, "-"),
    ("M940-09", "gfx942", f64(F64_16, "v[0:7]", "v[0:7]"), f64(F64_4, "v[40:41]", "v[0:1]"), 9, "-"),
    ("M940-10", "gfx942", wide(XF32_16, "v[0:3]", "v[0:3]"), wide(XF32_16, "v[4:7]", "v[4:7]", "v[2:3]"), 7, "-"),
    (
        "M940-10", "gfx942", wide(I8_16, "v[0:3]", "v[0:3]"),
        "v_smfmac_f32_16x16x32_f16 v[4:7], v[20:21], v[24:27], v3", 7, "-",
    ),
    ("M940-11", "gfx942", mfma(F32_16, "v[0:15]", "v[0:15]", "v64"), mfma(F32_4, "a[0:3]", "a[0:3]", "v15"), 10, "-"),
    ("M940-12", "gfx942", f64(F64_16, "v[0:7]", "v[0:7]"), f64(F64_4, "v[40:41]", "v[40:41]", "v[2:3]"), 11, "-"),
    ("M940-13", "gfx942", wide(XF32_16, "v[0:3]", "v[0:3]"), "v_mov_b32 v9, v3", 7, "-"),
    ("M940-13", "gfx942", wide(F16_32, "v[0:15]", "v[0:15]"), "ds_write_b32 v30, v1", 11, "-"),
    ("M940-13", "gfx942", wide(F16_32, "v[0:15]", "v[0:15]"), "ds_read_b32 v1, v30", 11, "-"),
    ("M940-14", "gfx942", mfma(F32_16, "v[0:15]", "v[0:15]", "v64"), "v_mov_b32 v20, v3", 10, "-"),
    ("M940-14", "gfx942", mfma(F32_32, "v[0:31]", "v[0:31]", "v64"), "v_mov_b32 v3, v50", 18, "-"),
    ("M940-15", "gfx942", f64(F64_4, "v[0:1]", "v[0:1]"), "v_mov_b32 v9, v0", 6, "-"),
    ("M940-15", "gfx942", f64(F64_16, "v[0:7]", "v[0:7]"), "v_mov_b32 v7, v30", 11, "-"),
    ("M940-16", "gfx942", f64(F64_16, "v[0:7]", "v[0:7]"), "ds_write_b32 v30, v1", 18, "-"),
    ("M940-17", "gfx942", wide(XF32_16, "v[0:3]", "v[4:7]"), "v_mov_b32 v4, v50", 3, "-"),
    ("M940-17", "gfx942", wide(F16_32, "v[0:15]", "v[16:31]"), "ds_read_b32 v16, v50", 7, "-"),
    ("M940-19", "gfx942", f64(F64_4, "v[0:1]", "v[0:1]"), "v_fmac_f64 v[4:5], v[6:7], v[8:9]", 2, "-"),
    ("M940-20", "gfx942", "v_dot4_i32_i8 v0, v1, v2, v0", "v_dot4_i32_i8 v8, v0, v2, v9", 3, "gfx908"),
    ("M940-20", "gfx950", "v_dot4_i32_i8 v0, v1, v2, v0", "v_mov_b32 v8, v0", 3, "gfx908"),
    ("M940-20", "gfx950", "v_dot4_i32_i8 v0, v1, v2, v0", "v_mov_b32 v0, v8", 3, "gfx908"),
]  # fmt: skip

BF16_32 = "v_mfma_f32_32x32x16_bf16"
F8_16 = "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[104:111], v[112:119], v[0:3]"
F6_16 = "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[104:109], v[112:117], v[0:3] cbsz:2 blgp:2"
F8_32 = "v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[104:111], v[112:117], v[0:15] blgp:2"
F4_32 = "v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[104:107], v[112:115], v[0:15] cbsz:4 blgp:4"

MATRIX_950: list[Case] = [
    ("M950-01", "gfx950", wide(F16_32, "v[0:15]", "v[0:15]"), wide(I8_16, "v[20:23]", "v[0:3]"), 10, "-"),
    ("M950-01", "gfx950", wide(I8_16, "v[0:3]", "v[0:3]"), wide(I8_16, "v[20:23]", "v[2:5]"), 6, "-"),
    ("M950-02", "gfx950", wide(BF16_4, "v[0:3]", "v[0:3]"), f64(F64_4, "v[20:21]", "v[0:1]"), 3, "-"),
    ("M950-02", "gfx950", wide(I8_16, "v[0:3]", "v[0:3]"), f64(F64_4, "v[20:21]", "v[0:1]"), 6, "-"),
    ("M950-03", "gfx950", mfma(F32_16, "v[0:15]", "v[0:15]", "v64"), f64(F64_4, "v[40:41]", "v[0:1]"), 8, "-"),
    ("M950-04", "gfx950", f64(F64_16, "v[0:7]", "v[0:7]"), f64(F64_4, "v[40:41]", "v[0:1]"), 17, "-"),
    ("M950-06", "gfx950", wide(BF16_4, "v[0:3]", "v[0:3]"), wide(BF16_4, "v[0:3]", "v[0:3]"), 2, "-"),
    ("M950-06", "gfx950", f64(F64_4, "v[0:1]", "v[0:1]"), f64(F64_4, "v[0:1]", "v[0:1]"), 4, "-"),
    ("M950-07", "gfx950", wide(I8_16, "v[0:3]", "v[0:3]"), wide(I8_16, "v[20:23]", "v[20:23]", "v[2:3]"), 8, "-"),
    (
        "M950-07", "gfx950", F8_16,
        "v_mfma_scale_f32_16x16x128_f8f6f4 v[40:43], v[44:51], v[52:59], v[60:63], v3, v25 op_sel_hi:[0,0,0]", 12, "-",
    ),
    ("M950-08", "gfx950", mfma(F32_4, "v[0:3]", "v[0:3]", "v64"), mfma(F32_4, "a[0:3]", "a[0:3]", "v3"), 4, "-"),
    ("M950-09", "gfx950", f64(F64_16, "v[0:7]", "v[0:7]"), f64(F64_4, "v[40:41]", "v[40:41]", "v[2:3]"), 19, "-"),
    ("M950-10", "gfx950", F8_16, "v_mov_b32 v9, v3", 12, "-"),
    ("M950-10", "gfx950", F6_16, "v_mov_b32 v9, v3", 8, "-"),
    ("M950-10", "gfx950", F8_32, "v_mov_b32 v30, v3", 20, "-"),
    ("M950-10", "gfx950", F4_32, "v_mov_b32 v3, v30", 12, "-"),
    ("M950-11", "gfx950", mfma(F32_4, "v[0:3]", "v[0:3]", "v64"), "ds_write_b32 v30, v1", 4, "-"),
    ("M950-11", "gfx950", mfma(F32_16, "v[0:15]", "v[0:15]", "v64"), "ds_read_b32 v1, v30", 10, "-"),
    ("M950-12", "gfx950", f64(F64_16, "v[0:7]", "v[0:7]"), "v_mov_b32 v9, v0", 19, "-"),
    ("M950-13", "gfx950", f64(F64_16, "v[0:7]", "v[0:7]"), "v_mov_b32 v7, v30", 11, "-"),
    ("M950-14", "gfx950", f64(F64_16, "v[0:7]", "v[0:7]"), "ds_write_b32 v30, v1", 18, "-"),
    ("M950-15", "gfx950", wide(F16_32, "v[0:15]", "v[16:31]"), "ds_read_b32 v16, v50", 7, "-"),
]  # fmt: skip

CASES = [*SIMPLE, *MATRIX_908, *MATRIX_90A, *MATRIX_940, *MATRIX_950]


def found(text: str, target: str, previous: "Program | None" = None) -> list[Hazard]:
    """The hazards of a text, which must assemble."""
    program = support.program(text, target, previous)
    assert [problem.problem.message for problem in problems.of(program)] == []
    result = hazards.of(program)
    assert result is not None
    return list(result.found)


def apart(first: str, second: str, states: int) -> str:
    """The two instructions with so many wait states between them."""
    return "\n".join((first, *["s_nop 0"] * states, second)) + "\n"


def names(case: Case) -> str:
    """How a case is called."""
    return f"{case[0]}-{case[1]}-{case[4]}"


@pytest.mark.parametrize("case", CASES, ids=names)
def test_one_wait_state_too_few(case: Case) -> None:
    row, target, first, second, need, _ = case
    hazard = next(hazard for hazard in found(apart(first, second, need - 1), target) if hazard.row.id == row)
    assert (hazard.need, hazard.present) == (need, need - 1)
    assert hazard.first.item.statement.line.decode() == first
    assert hazard.second.item.statement.line.decode() == second


@pytest.mark.parametrize("case", CASES, ids=names)
def test_just_enough(case: Case) -> None:
    _, target, first, second, need, _ = case
    assert found(apart(first, second, need), target) == []


@pytest.mark.parametrize("case", [case for case in CASES if case[5] != "-"], ids=names)
def test_a_target_without_the_row(case: Case) -> None:
    row, _, first, second, _, other = case
    assert row not in {hazard.row.id for hazard in found(apart(first, second, 0), other)}


def test_every_row_is_tested() -> None:
    with_numbers = {"X-04", "X-05"}  # VCC by its number, which assemblers do not take: below
    tested = {case[0] for case in (*CASES, *mitigations.CASES, *THROUGH)} | with_numbers
    assert {row.id for row in ROWS} - tested == set()


SILENT = [
    # What looks like a row and is none.
    ("gfx900", CMPX, BUFFER),  # the hardware knows EXEC
    ("gfx900", "s_mov_b32 s4, s0", BUFFER),  # an SGPR that the SALU writes
    ("gfx900", MOV, "v_mov_b32_dpp v1, v3 row_shr:1 row_mask:0xf bank_mask:0xf"),  # what DPP keeps of its destination
    ("gfx900", "s_mov_b64 exec, s[2:3]", "v_mov_b32_dpp v5, v6 row_shr:1 row_mask:0xf bank_mask:0xf"),
    ("gfx900", "s_mov_b64 vcc, s[2:3]", "v_div_fmas_f32 v4, v5, v6, v7"),
    ("gfx900", "v_readlane_b32 s4, v0, 1", "v_readlane_b32 s5, v1, s6"),
    ("gfx900", "s_setreg_b32 hwreg(1, 0, 4), s0", "s_getreg_b32 s1, hwreg(2)"),
    ("gfx900", "global_store_dwordx2 v[0:1], v[4:5], off", "v_mov_b32 v4, 0"),
    ("gfx802", "s_mov_b32 s7, 0x27fac", "s_buffer_load_dword s0, s[4:7], 0x0"),
    ("gfx802", "s_mov_b32 s6, 0x100", "s_load_dword s0, s[6:7], 0x0"),
    ("gfx900", "buffer_store_dwordx4 v[4:7], off, s[8:11], s12", "v_mov_b32 v4, 0"),
    ("gfx900", "buffer_store_dwordx4 v[4:7], off, s[8:11], m0", "v_mov_b32 v4, 0"),
    ("gfx900", GLOBAL_X4, "v_mov_b32 v0, 0"),  # its address
    ("gfx942", "v_rcp_f32 v1, v2", "v_rcp_f32 v0, v1"),
    ("gfx942", "v_rcp_f32 v1, v2", "v_mov_b32 v1, v3"),
    ("gfx942", "v_add_f16_sdwa v1, v2, v3 dst_sel:DWORD src0_sel:WORD_1 src1_sel:DWORD", "v_mov_b32 v9, v1"),
    ("gfx942", "v_mad_f16 v1, v2, v3, v4 op_sel:[1,0,0,0]", "v_mov_b32 v9, v1"),
    ("gfx942", "v_cvt_sr_fp8_f32 v1, v2, v3", "v_mov_b32 v9, v1"),
    ("gfx942", READFIRST, "v_mov_b32 v1, s5"),
    ("gfx950", "s_mov_b64 exec, s[2:3]", "v_permlane32_swap_b32 v4, v5"),
    (
        "gfx1010", "image_sample v0, [v1, v8], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        "buffer_load_dword v9, v8, s[8:11], 0 offen offset:4",
    ),
    ("gfx1010", "buffer_atomic_fmin v0, off, s[4:7], 0", "s_waitcnt vmcnt(0)\ns_denorm_mode 3"),
    ("gfx1030", "global_atomic_fmax v[0:1], v2, off", "v_mov_b32 v0, v1\ns_denorm_mode 3"),
    ("gfx908", "s_mov_b64 exec, s[2:3]", mfma(F32_4, "a[0:3]", "a[0:3]")),
    ("gfx908", mfma(F32_4, "a[0:3]", "a[0:3]"), mfma(F32_4, "a[0:3]", "a[0:3]")),
    ("gfx908", mfma(F32_4, "a[0:3]", "a[4:7]"), mfma(F32_4, "a[0:3]", "a[4:7]")),
    ("gfx908", mfma(F32_4, "a[0:3]", "a[8:11]"), "v_accvgpr_write_b32 a8, v9"),
    ("gfx908", mfma(F32_32, "a[0:31]", "a[0:31]"), "v_mov_b32 v0, v9"),  # its factors
    ("gfx908", "v_accvgpr_read_b32 v0, a0", "v_mov_b32 v9, v0"),
    ("gfx90a", mfma(F32_32, "a[0:31]", "a[0:31]"), mfma(F32_32, "a[0:31]", "a[0:31]")),
    ("gfx90a", "v_dot4_i32_i8 v0, v1, v2, v0", "v_dot4_i32_i8 v0, v1, v2, v0"),
    ("gfx90a", "v_dot4_i32_i8 v0, v1, v2, v0", mfma(F32_4, "a[0:3]", "a[0:3]")),
    ("gfx90a", mfma(F32_4, "v[0:3]", "v[0:3]", "v8"), f64(F64_4, "v[8:9]", "v[10:11]")),
    ("gfx90a", f64(F64_16, "v[0:7]", "v[0:7]"), mfma(F32_4, "v[4:7]", "v[0:3]", "v30", "v31")),
    ("gfx942", f64(F64_16, "v[0:7]", "v[0:7]"), wide(XF32_16, "v[40:43]", "v[2:5]")),
    ("gfx942", mfma(F32_4, "v[0:3]", "v[4:7]", "v8"), "v_mov_b32 v4, v9"),
    ("gfx942", wide(XF32_16, "v[0:3]", "v[0:3]"), wide(XF32_16, "v[0:3]", "v[0:3]")),
]  # fmt: skip


@pytest.mark.parametrize(("target", "first", "second"), SILENT)
def test_silent(target: str, first: str, second: str) -> None:
    assert found(f"{first}\n{second}\n", target) == []


def test_of_two_results_in_a_register_the_later_one_counts() -> None:
    first = mfma(F32_32, "v[0:31]", "v[0:31]", "v64", "v65")
    second = mfma(F32_16, "v[0:15]", "v[0:15]", "v64", "v65")
    (hazard,) = found(f"{first}\ns_nop 15\n{second}\ns_nop 9\nds_write_b32 v90, v1\n", "gfx90a")
    assert (hazard.need, hazard.present) == (11, 10)
    assert found(f"{first}\ns_nop 15\n{second}\ns_nop 10\nds_write_b32 v90, v1\n", "gfx90a") == []
    (hazard,) = found(f"{first}\ns_nop 15\n{second}\nds_write_b32 v90, v31\n", "gfx90a")
    assert (hazard.need, hazard.present) == (19, 17)


THROUGH = [
    ("M908-14", "gfx908", MOV, "v_accvgpr_write_b32 a9, v8", "ds_write_b32 v9, v1"),
    ("S-25", "gfx90a", MOV, f64(F64_4, "v[10:11]", "v[12:13]"), "global_store_dword v[6:7], v1, off"),
]


@pytest.mark.parametrize(("row", "target", "first", "between", "second"), THROUGH)
def test_rows_with_an_instruction_between(row: str, target: str, first: str, between: str, second: str) -> None:
    (hazard,) = found(f"{first}\n{between}\n{second}\n", target)
    assert (hazard.row.id, hazard.need, hazard.present) == (row, 2, 1)
    assert found(f"{first}\n{second}\n", target) == []
    assert found(f"{first}\ns_nop 0\n{second}\n", target) == []
    assert found(f"{first}\n{between}\ns_nop 0\n{second}\n", target) == []
    assert found(f"{first}\ns_nop 0\n{between}\n{second}\n", target) == []


# Distances and paths.


@pytest.mark.parametrize(
    ("target", "between", "present"),
    [
        ("gfx900", "s_nop 3", 4),
        ("gfx900", "s_nop 1\nv_mov_b32 v20, v21", 3),
        ("gfx900", "label:\n.set x, 1\n// nothing", 0),
        ("gfx908", mfma(F32_32, "a[0:31]", "a[0:31]"), 1),
    ],
)
def test_what_lies_between(target: str, between: str, present: int) -> None:
    (hazard,) = found(f"{READFIRST}\n{between}\n{BUFFER}\n", target)
    assert hazard.present == present


def test_bits_of_a_nop_that_the_hardware_does_not_read() -> None:
    result = hazards.of(support.program(f"{READFIRST}\ns_nop 0x13\n{BUFFER}\n", "gfx900"))
    assert result is not None
    assert [hazard.present for hazard in result.found] == [4]


def test_the_nearest_producer_counts() -> None:
    (hazard,) = found(f"{READFIRST}\ns_nop 2\nv_readfirstlane_b32 s4, v1\ns_nop 1\n{BUFFER}\n", "gfx900")
    assert hazard.present == 2
    assert hazard.first.item.statement.line == b"v_readfirstlane_b32 s4, v1"


def test_the_shorter_of_two_paths_counts() -> None:
    text = f"s_cbranch_scc0 one\n{READFIRST}\ns_nop 4\ns_branch both\none:\nv_readlane_b32 s4, v1, 2\nboth:\n{BUFFER}\n"
    (hazard,) = found(text, "gfx900")
    assert hazard.present == 0
    assert hazard.first.item.statement.line == b"v_readlane_b32 s4, v1, 2"


def test_around_a_loop() -> None:
    text = f"s_nop 0\nloop:\n{BUFFER}\ns_waitcnt vmcnt(0)\n{READFIRST}\ns_cbranch_scc0 loop\ns_endpgm\n"
    (hazard,) = found(text, "gfx900")
    assert hazard.present == 1
    assert found(text.replace("s_cbranch", "s_nop 3\ns_cbranch"), "gfx900") == []


def test_a_short_loop_is_walked_more_than_once() -> None:
    text = f"{READFIRST}\nloop:\ns_cbranch_scc0 loop\n{BUFFER}\ns_endpgm\n"
    (hazard,) = found(text, "gfx900")
    assert hazard.present == 1


def test_through_a_macro() -> None:
    macro = f".macro take reg\n  v_readfirstlane_b32 \\reg, v0\n.endm\ntake s5\n{BUFFER}\ntake s4\n{BUFFER}\n"
    (hazard,) = found(macro, "gfx900")
    assert hazard.first.item.written.frame is not None


def test_nothing_is_under_way_at_the_start_of_a_function_or_after_a_call() -> None:
    called = f"kernel:\n{READFIRST}\ns_call_b64 s[0:1], function\n{BUFFER}\ns_endpgm\nfunction:\n{BUFFER}\n"
    assert found(f"{called}s_setpc_b64 s[0:1]\n", "gfx90a") == []
    assert found(f"{READFIRST}\ns_endpgm\nother:\n{BUFFER}\ns_endpgm\n", "gfx90a") == []


def test_what_is_reported_is_taken_for_mended() -> None:
    text = f"{READFIRST}\n{BUFFER}\nbuffer_load_dword v10, v8, s[8:11], s4 offen\n"
    assert len(found(text, "gfx900")) == 1


def test_unknown_instructions_are_no_hazard() -> None:
    assert hazards.of(support.program(f"{READFIRST}\nv_unheard_of v0\n", "gfx900")) is not None


EDITED = f"{READFIRST}\ns_nop 1\nlabel:\ns_nop 0\n" + "v_mov_b32 v20, v21\n" * 2 + f"{BUFFER}\ns_endpgm\n"


@pytest.mark.parametrize("line", range(8))
@pytest.mark.parametrize("new", ["", "s_nop 0\n", "s_nop 3\n", f"{READFIRST}\n", f"{BUFFER}\n", "s_branch label\n"])
def test_an_edit_gives_what_a_fresh_build_gives(line: int, new: str) -> None:
    lines = EDITED.splitlines(keepends=True)
    before = support.program("s_nop 0\n" * 100 + EDITED)
    hazards.of(before)
    text = "s_nop 0\n" * 100 + "".join((*lines[:line], new, *lines[line + 1 :]))
    assert _shown(text, before) == _shown(text, None)


def _shown(text: str, previous: "Program | None") -> list[tuple[str, int, int, bytes, bytes]]:
    result = hazards.of(support.program(text, previous=previous))
    assert result is not None
    return [
        (
            hazard.row.id,
            hazard.need,
            hazard.present,
            hazard.first.item.statement.line,
            hazard.second.item.statement.line,
        )
        for hazard in result.found
    ]


def numbered(text: str, slot: str) -> tuple[Instruction, Effects]:
    """An instruction on gfx908 whose operand in a slot is VCC by its number, for which assemblers have no name."""
    target = isa.load_target("gfx908")
    instruction = assembler.assemble(target, parse_line(text.encode(), False).statements[0], {})
    operands = tuple(
        msgspec.structs.replace(operand, first=106) if operand.slot == slot else operand
        for operand in instruction.operands
    )
    changed = msgspec.structs.replace(instruction, operands=operands)
    return changed, model_for(target).of(changed)


@pytest.mark.parametrize(
    ("row", "first", "first_slot", "second", "second_slot"),
    [
        ("X-04", "v_cmp_eq_u32_e64 s[4:5], v0, v1", "sdst", "v_mov_b32 v0, vcc_lo", ""),
        ("X-04", "v_cmp_eq_u32 vcc, v0, v1", "", "v_mov_b32 v0, s4", "src0"),
        ("X-05", "s_mov_b64 s[4:5], s[2:3]", "sdst", "s_cbranch_vccz 0", ""),
    ],
)
def test_vcc_by_number(row: str, first: str, first_slot: str, second: str, second_slot: str) -> None:
    rows = rows_for(isa.load_target("gfx908"))

    def meet(one: str, other: str) -> bool:
        before, after = rows.of(*numbered(first, one)), rows.of(*numbered(second, other))
        return any(
            requirement.row.id == row and requirement.key & keys and mask & danger.mask
            for danger in before.dangers
            for requirement in danger.requirements
            for keys, mask in zip(after.classes, after.met, strict=True)
        )

    assert meet(first_slot, second_slot)
    assert not meet("", "")


def test_what_the_salu_has_made_of_an_sgpr_is_nothing_that_the_valu_wrote() -> None:
    assert found(f"{READFIRST}\ns_and_b32 s4, s4, 0xff\nv_mul_lo_u32 v1, v2, s4\n", "gfx942") == []
    (hazard,) = found("v_cmp_eq_u32 s[4:5], v0, v1\ns_mov_b32 s4, 0\nv_mul_lo_u32 v1, v2, s5\n", "gfx942")
    assert (hazard.row.id, hazard.present) == ("S-22a", 1)
    lanes = "v_cmpx_eq_u32 exec, v0, v1\n{}v_readfirstlane_b32 s4, v2\n"
    assert [each.row.id for each in found(lanes.format(""), "gfx942")] == ["S-22d"]
    assert found(lanes.format("s_mov_b64 exec, -1\n"), "gfx942") == []


UNSURE = [
    # LLVM waits, documents do not ask for it, production kernels do without.
    ("S-22a", "gfx942", "v_cmp_eq_u32 s[4:5], v0, v1", "v_cndmask_b32 v2, v3, v4, s[4:5]", False),
    ("S-22b", "gfx942", CMP, "v_addc_co_u32 v2, vcc, v3, v4, vcc", False),
    ("S-22a", "gfx942", CMP, "v_mov_b32 v2, vcc_lo", True),
    ("S-06", "gfx942", MOV, "v_add_f32_dpp v0, v3, v1 row_shr:1 row_mask:0xf bank_mask:0xf", False),
    ("S-06", "gfx942", MOV, "v_add_f32_dpp v0, v1, v3 row_shr:1 row_mask:0xf bank_mask:0xf", True),
    ("S-06", "gfx942", "ds_read_b32 v1, v2", "v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf", False),
    ("S-16", "gfx942", M0, "buffer_load_dword v1, s[4:7], 0 offen lds", False),
    ("S-16", "gfx900", M0, "buffer_store_lds_dword s[4:7], 0 lds", True),
    ("S-16", "gfx942", M0, "global_load_lds_dword v[0:1], off", True),
]


@pytest.mark.parametrize(("row", "target", "first", "second", "sure"), UNSURE)
def test_what_only_llvm_asks_for(row: str, target: str, first: str, second: str, sure: bool) -> None:
    (hazard,) = found(f"{first}\n{second}\n", target)
    assert (hazard.row.id, hazard.row.sure) == (row, sure)


@pytest.mark.parametrize("lines_before", [0, 60, 61, 62, 63])  # what is before it may be in another chunk
def test_a_matrix_instruction_waits_for_the_unit(lines_before: int) -> None:
    first, other = wide(XF32_16, "v[0:3]", "v[0:3]"), wide(XF32_16, "v[4:7]", "v[4:7]")  # four passes each
    before = "\n" * lines_before
    assert found(f"{before}{first}\n{other}\n{other}\nv_mov_b32 v9, v3\n", "gfx942") == []
    (hazard,) = found(f"{before}{first}\n{other}\nv_mov_b32 v9, v3\n", "gfx942")
    assert (hazard.row.id, hazard.need, hazard.present) == ("M940-13", 7, 4)
    # What comes between is counted once: it passes while the unit is busy.
    (hazard,) = found(f"{before}{first}\ns_nop 2\n{other}\nv_mov_b32 v9, v3\n", "gfx942")
    assert hazard.present == 4
    # On the way that has no other one before it, nothing is known of the unit.
    text = f"{before}s_cbranch_scc0 l\n{first}\nl:\n{other}\nv_mov_b32 v9, v7\n"
    (hazard,) = found(text, "gfx942")
    assert hazard.present == 0


def test_a_nop_between_matrix_instructions_is_not_called_needless() -> None:
    first, other = wide(XF32_16, "v[0:3]", "v[0:3]"), wide(XF32_16, "v[4:7]", "v[4:7]")
    program = support.program(f"{first}\n{other}\n{other}\ns_nop 4\nv_mov_b32 v9, v3\ns_endpgm\n", "gfx942")
    known = hazards.of(program)
    assert known is not None
    assert list(hazards.idle_nops(known)) == []


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("{first}{second}", 1),
        ("{first}.long 0xbf800004\n{second}", 0),  # s_nop 4
        ("{first}.long 0xbf800004\nl:\n{second}", 0),
        (".long 0xbf800004\n{first}{second}", 1),
        ("{first}{second}.long 0xbf800004\n", 1),
        ("{first}s_branch l\n.long 0xbf800004\nl:\n{second}", 1),  # control does not run through it
    ],
)
def test_data_among_the_code_may_be_anything(code: str, count: int) -> None:
    text = code.format(first="v_readfirstlane_b32 s4, v0\n", second="buffer_load_dword v1, v2, s[8:11], s4 offen\n")
    assert len(found(f"k:\n{text}s_endpgm\n", "gfx90a")) == count

"""The hazards that certain instructions resolve, and those that only documents know: violated, fixed, and cancelled."""

import pytest

from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.program import problems
from tests.analysis import support

WAVE64 = "+wavefrontsize64,-wavefrontsize32"
XNACK = "+xnack"

BUFFER = "buffer_load_dword v9, v8, s[8:11], 0 offen"
SMEM = "s_load_dword s20, s[4:5], 0x0"
DS = "ds_read_b32 v1, v2"
GLOBAL = "global_load_dword v3, v[4:5], off"
CMPX = "v_cmpx_eq_u32 v0, v1"
PERMLANE = "v_permlane16_b32 v0, v1, s0, s1"
LDS_DIRECT = "lds_direct_load v1"
WMMA = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[24:31]"
WMMA_BEHIND = "v_wmma_f32_16x16x16_f16 v[32:39], v[0:7], v[16:23], v[32:39]"
WMMA_12 = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[16:23]"
SWMMAC_12 = "v_swmmac_f32_16x16x32_f16 v[32:39], v[40:43], v[44:51], v5"
SWMMAC_NEXT = "v_swmmac_f32_16x16x32_f16 v[60:67], v[32:35], v[44:51], v5"
CNDMASK = "v_cndmask_b32_e64 v0, v1, v2, s[4:5]"
WMMA_F16 = "v_wmma_f32_16x16x32_f16 v[0:7], v[8:15], v[16:23], v[24:31]"
F16_BEHIND = "v_wmma_f32_16x16x32_f16 v[40:47], v[0:7], v[48:55], v[40:47]"
WMMA_F8 = "v_wmma_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47]"
WMMA_F4 = (
    "v_wmma_f32_16x16x128_f8f6f4 v[0:7], v[8:15], v[24:31], v[40:47] matrix_a_fmt:MATRIX_FMT_FP4 "
    "matrix_b_fmt:MATRIX_FMT_FP4"
)
WMMA_IU8 = "v_wmma_i32_16x16x64_iu8 v[0:7], v[8:15], v[16:23], v[24:31]"
SWMMAC_F16 = "v_swmmac_f32_16x16x64_f16 v[0:7], v[8:15], v[16:31], v32"
SWMMAC_IU8 = "v_swmmac_i32_16x16x128_iu8 v[0:7], v[8:15], v[16:31], v[32:33]"
WMMA_F32 = "v_wmma_f32_16x16x4_f32 v[0:7], v[8:9], v[10:11], v[24:31]"
WMMA_F64 = "v_wmma_f64_16x16x4_f64 v[0:15], v[16:19], v[20:23], v[24:39]"
ARRIVE = "ds_atomic_async_barrier_arrive_b64 v1"
VALU = "v_mov_b32 v100, v101"
V0_EXEC = "v_mov_b32 v0, 0\ns_mov_b64 exec, -1"
READS_BOTH = "v_add_f32 v2, v0, v1"


def apart(first: str, second: str, count: int) -> str:
    """Two instructions with so many of the VALU between them."""
    return "\n".join((first, *["v_nop"] * count, second))


# The row, the target with its features, what breaks the row, and what does not.
Case = tuple[str, str, str, str, list[str]]

CASES: list[Case] = [
    (
        "F-01", "gfx1010", "", f"{BUFFER}\ns_mov_b32 s8, 0",
        [
            f"{BUFFER}\ns_mov_b32 s12, 0",
            f"{BUFFER}\n{VALU}\ns_mov_b32 s8, 0",
            f"{BUFFER}\ns_waitcnt 0\ns_mov_b32 s8, 0",
            f"{BUFFER}\ns_waitcnt_depctr depctr_vm_vsrc(0)\ns_mov_b32 s8, 0",
        ],
    ),
    ("F-01", "gfx1010", "", f"{BUFFER}\ns_waitcnt vmcnt(0)\ns_mov_b32 s8, 0", []),
    (
        "F-01", "gfx1010", "", f"{DS}\ns_mov_b32 exec_lo, s0",
        [f"{DS}\ns_mov_b32 vcc_lo, s0", f"{DS}\ns_and_saveexec_b32 s0, s1"],
    ),
    ("F-01", "gfx1010", "", f"{BUFFER}\ns_load_dword s8, s[4:5], 0x0", []),
    (
        "F-02", "gfx1010", "", f"{SMEM}\nv_readfirstlane_b32 s5, v0",
        [
            f"{SMEM}\nv_readfirstlane_b32 s6, v0",
            f"{SMEM}\ns_waitcnt lgkmcnt(0)\nv_readfirstlane_b32 s5, v0",
            f"{SMEM}\ns_waitcnt_lgkmcnt null, 0x0\nv_readfirstlane_b32 s5, v0",
            f"{SMEM}\ns_mov_b32 null, 0\nv_readfirstlane_b32 s5, v0",
        ],
    ),
    ("F-02", "gfx1010", "", f"{SMEM}\ns_waitcnt_vscnt null, 0x0\nv_readfirstlane_b32 s5, v0", []),
    ("F-02", "gfx1010", "", f"{SMEM}\ns_nop 0\nv_readfirstlane_b32 s5, v0", []),
    (
        "F-03", "gfx1010", "", f"s_mov_b32 s0, exec_lo\n{CMPX}",
        [
            f"s_mov_b32 s0, exec_hi\n{CMPX}",
            f"s_mov_b32 s0, exec_lo\nv_cmp_eq_u32 vcc_lo, v0, v1\n{CMPX}",
            f"s_mov_b32 s0, exec_lo\nv_add_co_u32 v0, s2, v1, v2\n{CMPX}",
            f"s_mov_b32 s0, exec_lo\ns_waitcnt_depctr depctr_sa_sdst(0)\n{CMPX}",
        ],
    ),
    ("F-03", "gfx1010", "", f"s_mov_b32 s0, exec_lo\n{VALU}\n{CMPX}", []),
    (
        "F-04", "gfx1010", "", f"{CMPX}\n{PERMLANE}",
        [f"{CMPX}\nv_mov_b32 v1, v1\n{PERMLANE}", f"v_cmp_eq_u32 vcc_lo, v0, v1\n{PERMLANE}"],
    ),
    ("F-04", "gfx1100", "", f"{CMPX}\nv_nop\n{PERMLANE}", [f"{CMPX}\n{VALU}\n{PERMLANE}"]),
    ("F-04", "gfx1200", "", f"{CMPX}\ns_nop 3\n{PERMLANE}", []),
    (
        "F-05", "gfx1010", "", f"{DS}\ns_branch next\nnext:\n{GLOBAL}",
        [
            f"{DS}\n{GLOBAL}",
            f"{DS}\ns_branch next\nnext:\nds_read_b32 v3, v2",
            f"{DS}\ns_waitcnt_vscnt null, 0x0\ns_branch next\nnext:\n{GLOBAL}",
            f"{DS}\ns_branch next\nnext:\ns_waitcnt_vscnt null, 0x0\n{GLOBAL}",
            f"{DS}\n{GLOBAL}\ns_branch next\nnext:\n{GLOBAL}",
        ],
    ),
    ("F-05", "gfx1010", "", f"{GLOBAL}\ns_cbranch_scc0 next\nnext:\n{DS}", []),
    ("F-05", "gfx1010", "", f"{DS}\ns_branch next\nnext:\ns_nop 0\nflat_load_dword v3, v[4:5]", []),
    (
        "F-06", "gfx1100", "", "v_mov_b32 v2, v1\nlds_direct_load v1 wait_vdst:1",
        [
            "v_mov_b32 v2, v1\nlds_direct_load v1",
            f"v_mov_b32 v2, v1\n{VALU}\nlds_direct_load v1 wait_vdst:1",
            "v_mov_b32 v2, v3\nlds_direct_load v1 wait_vdst:1",
            "v_mov_b32 v2, v1\ns_waitcnt_depctr depctr_va_vdst(0)\nlds_direct_load v1 wait_vdst:1",
        ],
    ),
    ("F-06", "gfx1100", "", f"v_mov_b32 v2, v1\n{VALU}\nlds_direct_load v1 wait_vdst:2", []),
    ("F-06", "gfx1200", "", f"v_exp_f32 v1, v2\n{VALU}\nds_direct_load v1 wait_va_vdst:1 wait_vm_vsrc:0", []),
    ("F-06", "gfx1100", "", f"v_mov_b32 v1, v2\nv_exp_f32 v3, v4\n{VALU}\nlds_direct_load v1 wait_vdst:1", []),
    (
        "F-07", "gfx1100", "", f"{DS}\n{LDS_DIRECT}",
        [
            "ds_load_b32 v3, v4\n" + LDS_DIRECT,
            f"{DS}\n{VALU}\n{LDS_DIRECT}",
            f"{DS}\ns_waitcnt 0\n{LDS_DIRECT}",
            f"{DS}\ns_waitcnt_depctr depctr_vm_vsrc(0)\n{LDS_DIRECT}",
        ],
    ),
    (
        "F-08", "gfx1200", "", "ds_load_b32 v3, v1\nds_direct_load v1 wait_vm_vsrc:1",
        [
            "ds_load_b32 v3, v1\nds_direct_load v1 wait_vm_vsrc:0",
            "ds_load_b32 v3, v1\nds_direct_load v7\nds_direct_load v1 wait_vm_vsrc:1",
            "ds_load_b32 v3, v1\ns_wait_alu depctr_vm_vsrc(0)\nds_direct_load v1 wait_vm_vsrc:1",
        ],
    ),
    (
        "F-09", "gfx1100", WAVE64, "\n".join((V0_EXEC, "v_mov_b32 v1, 0", READS_BOTH)),
        [
            "\n".join(lines)
            for lines in (
                ("v_mov_b32 v0, 0", "v_mov_b32 v1, 0", READS_BOTH),
                ("v_mov_b32 v0, 0", "v_mov_b32 v1, 0", "s_mov_b64 exec, -1", READS_BOTH),
                (V0_EXEC, "v_mov_b32 v1, 0", "v_add_f32 v2, v1, v1"),
                (V0_EXEC, "v_mov_b32 v1, 0", "v_add_f32 v2, v0, v0"),
                (V0_EXEC, "v_mov_b32 v1, 0", "s_waitcnt_depctr depctr_va_vdst(0)", READS_BOTH),
                (V0_EXEC, "v_mov_b32 v1, 0", "ds_load_b32 v3, v4", READS_BOTH),
                (V0_EXEC, *[VALU] * 3, "v_mov_b32 v1, 0", READS_BOTH),
                ("v_mov_b32 v0, 0", VALU, "s_mov_b64 exec, -1", *[VALU] * 2, "v_mov_b32 v1, 0", READS_BOTH),
                (V0_EXEC, "v_mov_b32 v1, 0", *[VALU] * 5, READS_BOTH),
                (V0_EXEC, "v_mov_b32 v1, 0", "v_mov_b32 v0, 0", READS_BOTH),
            )
        ],
    ),
    ("F-09", "gfx1150", WAVE64, "\n".join((V0_EXEC, *[VALU] * 2, "v_mov_b32 v1, 0", *[VALU] * 4, READS_BOTH)), []),
    (
        "F-09", "gfx1100", WAVE64,
        "\n".join(("v_mov_b32 v0, 0", "s_and_saveexec_b64 s[0:1], vcc", "v_mov_b32 v1, 0", READS_BOTH)), [],
    ),
    (
        "F-10", "gfx1100", "", "v_exp_f32 v0, v1\nv_mov_b32 v2, v0",
        [
            "v_exp_f32 v0, v1\nv_mov_b32 v0, v2",
            "v_exp_f32 v0, v1\n" + f"{VALU}\n" * 6 + "v_mov_b32 v2, v0",
            "v_exp_f32 v0, v1\nv_exp_f32 v3, v4\nv_exp_f32 v5, v6\nv_mov_b32 v2, v0",
            "v_exp_f32 v0, v1\ns_waitcnt_depctr depctr_va_vdst(0)\nv_mov_b32 v2, v0",
            "v_exp_f32 v0, v1\nds_load_b32 v3, v4\nv_mov_b32 v2, v0",
        ],
    ),
    ("F-10", "gfx1100", "", "v_exp_f32 v0, v1\n" + f"{VALU}\n" * 5 + "v_mov_b32 v2, v0", []),
    ("F-10", "gfx1100", "", f"v_exp_f32 v0, v1\nv_exp_f32 v3, v4\n{VALU}\nv_exp_f32 v2, v0", []),
    (
        "F-11", "gfx1100", "", f"{WMMA}\n{WMMA_BEHIND}",
        [
            f"{WMMA}\nv_nop\n{WMMA_BEHIND}",
            f"{WMMA}\n{WMMA}",
            f"{WMMA}\nv_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]",
        ],
    ),
    ("F-11", "gfx1200", "", f"{WMMA_12}\ns_nop 0\n{SWMMAC_12}", [f"{WMMA_12}\n{VALU}\n{SWMMAC_12}"]),
    ("F-11", "gfx1250", "", f"{WMMA_F32}\n{F16_BEHIND}", [f"{WMMA_F32}\nv_nop\n{F16_BEHIND}"]),
    ("F-11", "gfx1251", "", f"{WMMA_F64}\n{F16_BEHIND}", [f"{WMMA_F64}\nv_nop\n{F16_BEHIND}"]),
    ("F-11", "gfx1250", "", f"{SWMMAC_12}\n{SWMMAC_NEXT}", [f"{SWMMAC_12}\nv_mov_b32 v50, v32\n{SWMMAC_NEXT}"]),
    ("F-17", "gfx1250", "+llvm22", apart(WMMA_F16, "v_mov_b32 v50, v3", 3), [f"{WMMA_F16}\nv_exp_f32 v50, v3"]),
    (
        "F-11", "gfx1250", "", f"{WMMA_F16}\nv_wmma_f32_16x16x4_f32 v[60:67], v[0:1], v[70:71], v[60:67]",
        [f"{WMMA_F16}\nv_nop\nv_wmma_f32_16x16x4_f32 v[60:67], v[0:1], v[70:71], v[60:67]"],
    ),
    (
        "F-13", "gfx1100", WAVE64, f"{CNDMASK}\ns_mov_b32 s4, 0\nv_mov_b32 v9, s4",
        [
            f"{CNDMASK}\ns_mov_b32 s4, 0\ns_waitcnt_depctr depctr_sa_sdst(0)\nv_mov_b32 v9, s4",
            f"{CNDMASK}\ns_mov_b32 s6, 0\nv_mov_b32 v9, s6",
            f"{CNDMASK}\nv_mov_b32 v9, s4\ns_mov_b32 s4, 0",
            f"{CNDMASK}\ns_mov_b64 s[4:5], 0\ns_waitcnt_depctr depctr_sa_sdst(0)\ns_mov_b32 s4, 1\nv_mov_b32 v9, s4",
            f"{CNDMASK}\nv_cmp_eq_u32 s[4:5], v0, v1\ns_mov_b32 s8, s4",
            # Written once more: the first write had its wait, or nobody reads what it wrote.
            f"{CNDMASK}\nv_cmp_eq_u32 s[4:5], v0, v1\ns_mov_b64 s[4:5], 0\nv_mov_b32 v9, s4",
            f"{CNDMASK}\ns_mov_b32 s4, 0\ns_load_b32 s4, s[8:9], 0x0\nv_mov_b32 v9, s4",
        ],
    ),
    (
        "F-13", "gfx1100", WAVE64,
        "v_cndmask_b32 v0, v1, v2, vcc\nv_cmp_eq_u32 vcc, v0, v1\nv_cndmask_b32 v3, v4, v5, vcc",
        [
            "v_cndmask_b32 v0, v1, v2, vcc\nv_cmp_eq_u32 vcc, v0, v1\ns_waitcnt_depctr depctr_va_vcc(0)\n"
            "v_cndmask_b32 v3, v4, v5, vcc"
        ],
    ),
    (
        "F-13", "gfx1100", WAVE64, f"{CNDMASK}\nv_readfirstlane_b32 s5, v0\nv_mov_b32 v9, s5",
        [f"{CNDMASK}\nv_readfirstlane_b32 s5, v0\ns_waitcnt_depctr depctr_va_sdst(0)\nv_mov_b32 v9, s5"],
    ),
    (
        "F-15", "gfx1200", "", "v_mov_b32 v0, s4\ns_mov_b32 s5, 0\ns_mov_b32 s6, s5",
        [
            "v_mov_b32 v0, s4\ns_mov_b32 s5, 0\ns_wait_alu depctr_sa_sdst(0)\ns_mov_b32 s6, s5",
            "v_mov_b32 v0, s4\ns_mov_b32 s6, 0\ns_mov_b32 s7, s6",
            "s_mov_b32 s5, 0\ns_mov_b32 s6, s5",
            f"v_mov_b32 v0, s4\ns_mov_b32 s5, 0\n{SMEM}\ns_mov_b32 s6, s5",
            "v_mov_b32 v0, s4\ns_mov_b32 s5, 0\nv_readfirstlane_b32 s5, v1\ns_wait_alu depctr_va_sdst(0)\n"
            "v_mov_b32 v2, s5",
        ],
    ),
    (
        "F-15", "gfx1200", "",
        "v_mov_b32 v0, s4\ns_mov_b32 s5, 0\ns_wait_alu depctr_sa_sdst(0)\ns_mov_b32 s5, 1\ns_mov_b32 s6, s5", [],
    ),
    (
        "F-15", "gfx1200", "", "v_mov_b32 v0, s4\nv_readfirstlane_b32 s5, v0\nv_mov_b32 v1, s5",
        [
            "v_mov_b32 v0, s4\nv_readfirstlane_b32 s5, v0\ns_wait_alu depctr_va_sdst(0)\nv_mov_b32 v1, s5",
            "v_mov_b32 v0, s4\nv_readfirstlane_b32 s5, v0\ns_mov_b32 s6, s5\nv_mov_b32 v1, s5",
        ],
    ),
    (
        "F-16", "gfx1250", "", "v_exp_f32 v0, v1\nv_mov_b32 v2, v0",
        [
            "v_exp_f32 v0, v1\nv_nop\nv_mov_b32 v2, v0",
            "v_exp_f32 v0, v1\nv_mov_b32 v0, v2",
            "v_exp_f32 v0, v1\nv_exp_f32 v2, v0",
        ],
    ),
    ("F-16", "gfx1250", "", "v_exp_f32 v0, v1\ns_nop 3\nv_mov_b32 v1, v2", []),
    *(
        ("F-17", "gfx1250", "", apart(first, second, need - 1), [apart(first, second, need)])
        for first, second, need in (
            (WMMA_F16, F16_BEHIND, 5),
            (WMMA_F16, "v_mov_b32 v50, v3", 4),
            (WMMA_F16, "v_mov_b32 v3, v50", 4),
            (WMMA_F16, "v_mov_b32 v8, v50", 4),
            (WMMA_F4, F16_BEHIND, 5),
            (WMMA_F8, F16_BEHIND, 9),
            (WMMA_F8, "v_mov_b32 v50, v3", 8),
            (WMMA_IU8, F16_BEHIND, 9),
            (SWMMAC_F16, F16_BEHIND, 3),
            (SWMMAC_F16, "v_mov_b32 v32, v50", 2),
            (SWMMAC_IU8, "v_swmmac_f32_16x16x64_f16 v[64:71], v[72:79], v[80:95], v3", 5),
            (SWMMAC_IU8, "v_mov_b32 v50, v3", 4),
            (WMMA_F16, "v_exp_f32 v50, v3", 4),
            (WMMA_F16, "v_dual_mov_b32 v50, v51 :: v_dual_mov_b32 v3, v52", 4),
        )
    ),
    *(
        ("F-17", target, "", apart(first, second, need - 1), [apart(first, second, need)])
        for target, first, second, need in (
            ("gfx1251", WMMA_F16, F16_BEHIND, 9),
            ("gfx1251", WMMA_F16, "v_mov_b32 v50, v3", 8),
            ("gfx1251", WMMA_F4, F16_BEHIND, 9),
            ("gfx1251", WMMA_F8, F16_BEHIND, 17),
            ("gfx1251", WMMA_F8, "v_mov_b32 v8, v50", 16),
            ("gfx1251", WMMA_IU8, F16_BEHIND, 17),
            ("gfx1251", SWMMAC_F16, F16_BEHIND, 9),
            ("gfx1251", SWMMAC_IU8, "v_mov_b32 v50, v3", 16),
            ("gfx1251", SWMMAC_IU8, "v_mov_b32 v32, v50", 16),
            ("gfx12-5-generic", WMMA_F16, F16_BEHIND, 9),
        )
    ),
    (
        "F-17", "gfx1250", "", f"{WMMA_F16}\ns_nop 7\nv_mov_b32 v50, v3",
        [
            f"{WMMA_F16}\nv_wmma_f32_16x16x32_f16 v[0:7], v[8:15], v[16:23], v[0:7]",
            f"{WMMA_F16}\nv_mov_b32 v50, v8",
        ],
    ),
    (
        "F-18", "gfx1250", "", "s_nop 0\ns_getreg_b32 s0, hwreg(HW_REG_WAVE_STATUS)",
        [
            "s_wait_alu 0\ns_getreg_b32 s0, hwreg(HW_REG_WAVE_STATUS)",
            "s_nop 0\ns_getreg_b32 s0, hwreg(HW_REG_WAVE_MODE)",
        ],
    ),
    (
        "F-19", "gfx1250", "", f"s_nop 0\n{ARRIVE}\ns_wait_alu depctr_vm_vsrc(0)",
        [f"s_wait_alu depctr_vm_vsrc(0)\n{ARRIVE}\ns_wait_alu depctr_vm_vsrc(0)"],
    ),
    ("F-19", "gfx1250", "", f"s_wait_alu depctr_vm_vsrc(0)\n{ARRIVE}\ns_nop 0", []),
    (
        "F-20", "gfx1250", "", "s_mov_b32 s102, 0\ns_mov_b32 s0, src_flat_scratch_base_lo",
        [
            "s_mov_b32 s102, 0\n" + "s_mov_b32 s1, 0\n" * 10 + "s_mov_b32 s0, src_flat_scratch_base_lo",
            "s_mov_b32 s102, 0\ns_mov_b32 s0, src_flat_scratch_base_hi",
            "s_mov_b32 s102, 0\ns_wait_alu depctr_va_sdst(0) depctr_sa_sdst(0)\n"
            "s_mov_b32 s0, src_flat_scratch_base_lo",
        ],
    ),
    (
        "F-20", "gfx1250", "",
        "s_mov_b32 s103, 0\ns_wait_alu depctr_va_sdst(0)\n" + "s_mov_b32 s1, 0\n" * 9
        + "s_mov_b32 s0, src_flat_scratch_base_hi", [],
    ),
    (
        "F-21", "gfx1250", "", "s_nop 0\nv_nop\ns_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 1), 1",
        [
            "v_nop\nv_nop\ns_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 1), 1",
            "s_nop 0\ns_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), 1",
        ],
    ),
    (
        "D-18", "gfx1100", "", "v_mov_b32 v0, v1\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)",
        ["v_mov_b32 v0, v1\ns_nop 0\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"],
    ),
    # Documents.
    (
        "X-01", "gfx908", "", "s_setvskip s0, 1\ns_nop 0\ns_getreg_b32 s1, hwreg(HW_REG_MODE)",
        [
            "s_setvskip s0, 1\ns_nop 1\ns_getreg_b32 s1, hwreg(HW_REG_MODE)",
            "s_setvskip s0, 1\ns_getreg_b32 s1, hwreg(HW_REG_STATUS)",
        ],
    ),
    (
        "X-02", "gfx908", "", "s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s0\ns_nop 0\nv_mov_b32 v0, v1",
        [
            "s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s0\ns_nop 1\nv_mov_b32 v0, v1",
            "s_setreg_b32 hwreg(HW_REG_MODE, 0, 28), s0\nv_mov_b32 v0, v1",
        ],
    ),
    ("X-02", "gfx900", "", "s_setreg_b32 hwreg(HW_REG_MODE), s0\nds_read_b32 v0, v1", []),
    (
        "X-03", "gfx908", "", "v_cmp_eq_u32 vcc, v0, v1\ns_nop 3\nv_mov_b32 v2, src_vccz",
        [
            "v_cmp_eq_u32 vcc, v0, v1\ns_nop 4\nv_mov_b32 v2, src_vccz",
            "v_cmp_eq_u32 vcc, v0, v1\nv_mov_b32 v2, src_execz",
            "s_mov_b64 vcc, s[2:3]\nv_mov_b32 v2, src_vccz",
        ],
    ),
    ("X-03", "gfx908", "", "v_cmpx_eq_u32 vcc, v0, v1\ns_nop 3\nv_mov_b32 v2, src_execz", []),
    (
        "X-07", "gfx803", "", "image_store v[4:7], v[0:1], s[0:7] dmask:0xf unorm r128\nv_mov_b32 v6, 0",
        [
            "image_store v[4:7], v[0:1], s[0:7] dmask:0xf unorm r128\ns_nop 0\nv_mov_b32 v6, 0",
            "image_store v[4:7], v[0:1], s[0:7] dmask:0xf unorm\nv_mov_b32 v6, 0",
        ],
    ),
    (
        "X-08", "gfx908", "", "s_mov_b32 vcc_lo, s0\ns_nop 7\ns_cbranch_vccz 0",
        [
            "s_mov_b32 vcc_lo, s0\ns_mov_b64 vcc, vcc\ns_cbranch_vccz 0",
            "s_mov_b32 vcc_lo, s0\nv_cmp_eq_u32 vcc, v0, v1\ns_cbranch_vccnz 0",
            "s_mov_b32 vcc_lo, s0\nv_cmp_eq_u32_e64 vcc, v0, v1\ns_cbranch_vccnz 0",
            "s_mov_b64 vcc, s[0:1]\ns_cbranch_vccz 0",
            "s_mov_b32 vcc_lo, s0\ns_cbranch_scc0 0",
        ],
    ),
    ("X-08", "gfx803", "", "v_readfirstlane_b32 vcc_hi, v0\ns_nop 7\ns_cbranch_vccnz 0", []),
    ("X-08", "gfx600", "", "s_load_dword vcc_lo, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\ns_cbranch_vccnz 0", []),
    (
        "X-09", "gfx700", "", "s_load_dword s0, s[4:5], 0x0\nv_cmp_eq_u32 vcc, v0, v1\ns_nop 4\ns_cbranch_vccz 0",
        [
            "s_load_dword s0, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\nv_cmp_eq_u32 vcc, v0, v1\ns_nop 4\ns_cbranch_vccz 0",
            "s_load_dword s0, s[4:5], 0x0\nv_cmp_eq_u32 vcc, v0, v1\ns_waitcnt lgkmcnt(0)\ns_mov_b64 vcc, vcc\n"
            "s_cbranch_vccz 0",
            "v_cmp_eq_u32 vcc, v0, v1\ns_load_dword s0, s[4:5], 0x0\ns_nop 4\ns_cbranch_scc0 0",
        ],
    ),
    (
        "X-10", "gfx1250", "", "s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), s0\ns_set_vgpr_msb 0x1",
        ["s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), s0\ns_nop 0\ns_set_vgpr_msb 0x1"],
    ),
    # Runs of memory instructions.
    (
        "S-03", "gfx90a", XNACK, "s_load_dword s8, s[4:5], 0x0\ns_load_dwordx2 s[4:5], s[6:7], 0x0",
        [
            "s_load_dword s8, s[4:5], 0x0\ns_nop 0\ns_load_dwordx2 s[4:5], s[6:7], 0x0",
            "s_load_dword s8, s[4:5], 0x0\ns_load_dwordx2 s[10:11], s[6:7], 0x0",
        ],
    ),
    (
        "S-03", "gfx900", XNACK, "s_load_dword s8, s[4:5], 0x0\ns_store_dword s9, s[4:5], 0x0",
        ["s_store_dword s9, s[4:5], 0x0\ns_store_dword s8, s[4:5], 0x4"],
    ),
    ("S-03", "gfx1250", "", "s_load_b32 s8, s[4:5], 0x0\ns_load_b64 s[4:5], s[6:7], 0x0", []),
    (
        "S-04", "gfx90a", XNACK, "global_load_dword v1, v[2:3], off\nglobal_load_dword v2, v[6:7], off",
        [
            "global_load_dword v1, v[2:3], off\ns_nop 0\nglobal_load_dword v2, v[6:7], off",
            "global_store_dword v[2:3], v1, off\nglobal_load_dword v2, v[6:7], off",
        ],
    ),
    ("S-04", "gfx900", XNACK, "global_load_dword v1, v[2:3], off\nglobal_store_dword v[6:7], v8, off", []),
    (
        "S-04", "gfx900", XNACK,
        "global_store_dword v[6:7], v8, off\nglobal_load_dword v1, v[2:3], off\nglobal_load_dword v8, v[2:3], off",
        [],
    ),
    (
        "S-04", "gfx900", XNACK, "global_load_dword v2, v[2:3], off\nglobal_load_dword v8, v[10:11], off",
        ["global_load_dword v2, v[2:3], off\nv_nop\nglobal_load_dword v8, v[10:11], off"],
    ),
    (
        "S29", "gfx1030", "", "s_load_dword s0, s[4:5], 0x0\ns_dcache_inv",
        ["s_load_dword s0, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\ns_dcache_inv"],
    ),
    ("S29", "gfx1030", "", "s_gl1_inv\ns_dcache_inv", ["s_gl1_inv\ns_nop 0\ns_dcache_inv"]),
    (
        "S29", "gfx1030", "", "s_dcache_inv\ns_load_dword s0, s[4:5], 0x0",
        ["s_dcache_inv\ns_waitcnt lgkmcnt(0)\ns_load_dword s0, s[4:5], 0x0"],
    ),
    (
        "S30", "gfx1030", "", "s_dcache_inv\ns_nop 0\ns_load_dword s0, s[4:5], 0x0",
        [
            "s_dcache_inv\ns_nop 0\ns_waitcnt lgkmcnt(0)\ns_load_dword s0, s[4:5], 0x0",
            "s_dcache_inv\ns_waitcnt_lgkmcnt null, 0x0\ns_load_dword s0, s[4:5], 0x0",
            "s_dcache_inv\ns_nop 0\ns_load_dword s0, s[4:5], 0x0".replace("s_load_dword s0,", "s_atc_probe 0,"),
        ],
    ),
    (
        "S30", "gfx1100", "", "s_dcache_inv\ns_waitcnt lgkmcnt(1)\ns_load_b32 s0, s[4:5], 0x0",
        ["s_dcache_inv\ns_waitcnt lgkmcnt(0)\ns_load_b32 s0, s[4:5], 0x0"],
    ),
    (
        "S30", "gfx1200", "", "s_dcache_inv\ns_nop 0\ns_load_b32 s0, s[4:5], 0x0",
        [
            "s_dcache_inv\ns_wait_kmcnt 0x0\ns_load_b32 s0, s[4:5], 0x0",
            "s_dcache_inv\ns_wait_idle\ns_load_b32 s0, s[4:5], 0x0",
        ],
    ),
]  # fmt: skip


def rows(text: str, target: str, mattr: str) -> set[str]:
    """The rows that a text violates; it must assemble."""
    program = support.program(f"{text}\ns_endpgm\n", target, mattr=mattr)
    assert [problem.problem.message for problem in problems.of(program)] == []
    result = hazards.of(program)
    assert result is not None
    return {hazard.row.id for hazard in result.found}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_broken(case: Case) -> None:
    row, target, mattr, text, _ = case
    assert rows(text, target, mattr) == {row}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_kept(case: Case) -> None:
    _, target, mattr, _, kept = case
    assert [text for text in kept if rows(text, target, mattr)] == []


ELSEWHERE = [
    ("F-01", "gfx1030", "", f"{BUFFER}\ns_mov_b32 s8, 0"),
    ("F-02", "gfx1030", "", f"{SMEM}\nv_readfirstlane_b32 s5, v0"),
    ("F-03", "gfx1030", "", f"s_mov_b32 s0, exec_lo\n{CMPX}"),
    ("F-04", "gfx1030", "", f"{CMPX}\n{PERMLANE}"),
    ("F-05", "gfx1030", "", f"{DS}\ns_branch next\nnext:\n{GLOBAL}"),
    ("F-09", "gfx1100", "", "v_mov_b32 v0, 0\ns_mov_b32 exec_lo, -1\nv_mov_b32 v1, 0\nv_add_f32 v2, v0, v1"),
    ("F-09", "gfx1200", WAVE64, "v_mov_b32 v0, 0\ns_mov_b64 exec, -1\nv_mov_b32 v1, 0\nv_add_f32 v2, v0, v1"),
    ("F-10", "gfx1150", "", "v_exp_f32 v0, v1\nv_mov_b32 v2, v0"),
    ("F-13", "gfx1100", "", "v_cndmask_b32_e64 v0, v1, v2, s4\ns_mov_b32 s4, 0\nv_mov_b32 v9, s4"),
    ("F-15", "gfx1100", "", "v_mov_b32 v0, s4\ns_mov_b32 s5, 0\ns_mov_b32 s6, s5"),
    ("F-16", "gfx1200", "", "v_exp_f32 v0, v1\nv_mov_b32 v2, v0"),
    ("D-18", "gfx1030", "", "v_mov_b32 v0, v1\ns_sendmsg 3"),
    ("S-03", "gfx90a", "-xnack", "s_load_dword s8, s[4:5], 0x0\ns_load_dwordx2 s[4:5], s[6:7], 0x0"),
    ("S-03", "gfx1030", "", "s_load_dword s8, s[4:5], 0x0\ns_load_dwordx2 s[4:5], s[6:7], 0x0"),
    ("S-04", "gfx1010", XNACK, "global_load_dword v1, v[2:3], off\nglobal_load_dword v2, v[6:7], off"),
    ("S29", "gfx900", "", "s_load_dword s0, s[4:5], 0x0\ns_dcache_inv"),
    ("S30", "gfx900", "", "s_dcache_inv\ns_nop 0\ns_load_dword s0, s[4:5], 0x0"),
    ("X-03", "gfx1030", "", "v_cmp_eq_u32 vcc_lo, v0, v1\nv_mov_b32 v2, src_vccz"),
    ("X-08", "gfx1030", "", "s_mov_b32 vcc_lo, s0\ns_cbranch_vccz 0"),
    ("X-09", "gfx803", "", "s_load_dword s0, s[4:5], 0x0\nv_cmp_eq_u32 vcc, v0, v1\ns_nop 4\ns_cbranch_vccz 0"),
    ("X-10", "gfx1200", "", "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s0\ns_nop 0"),
]


@pytest.mark.parametrize(("row", "target", "mattr", "text"), ELSEWHERE)
def test_a_target_without_the_row(row: str, target: str, mattr: str, text: str) -> None:
    assert row not in rows(text, target, mattr)

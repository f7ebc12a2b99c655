"""Writes of a kernel to registers that only the trap handler can write."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "privileged-write"
KERNEL = ".rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 16\n{}.end_amdhsa_kernel\n.text\n"


def text(target: str, code: str) -> str:
    more = ".amdhsa_accum_offset 4\n" if target in ("gfx90a", "gfx942") else ""
    return f"//- k.s target:{target}\n{KERNEL.format(more)}k:\n{code}\ns_endpgm\n"


@pytest.mark.parametrize(
    ("target", "code", "said"),
    [
        ("gfx900", "s_mov_b32 ttmp4, 0", "only the trap handler can write `ttmp4`"),
        ("gfx942", "s_mov_b64 ttmp[4:5], 0", "`ttmp[4:5]`"),
        ("gfx1200", "s_load_b32 ttmp4, s[0:1], 0x0", "`ttmp4`"),
        ("gfx1150", "s_trap 2\ns_mov_b32 ttmp2, m0", "`ttmp2`"),
        ("gfx1100", "s_trap 2\nback:\ns_mov_b32 ttmp2, m0\ns_cbranch_scc0 back", "`ttmp2`"),
        ("gfx1200", "s_cbranch_scc0 far\ns_nop 0\nfar:\ns_mov_b32 ttmp9, 0", "`ttmp9`"),
        ("gfx1200", "s_setreg_b32 hwreg(HW_REG_STATE_PRIV), s0", "write STATE_PRIV: in a kernel"),
        ("gfx1100", "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s0", "write FLAT_SCR_LO: in a kernel"),
        ("gfx908", "s_setreg_imm32_b32 hwreg(HW_REG_STATUS, 1, 2), 1", "write STATUS"),
        ("gfx1250", "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_TRAP_CTRL, 0, 1), 1", "write TRAP_CTRL"),
    ],
)
def test_ignored(target: str, code: str, said: str) -> None:
    (found,) = (each for each in findings(text(target, code)) if each.rule == RULE)
    assert said in found.message


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("gfx1200", "s_mov_b32 s0, ttmp9"),
        ("gfx1200", "s_setreg_b32 hwreg(HW_REG_MODE), s0"),
        ("gfx1200", "s_getreg_b32 s0, hwreg(HW_REG_STATE_PRIV)"),
        ("gfx1030", "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s0"),
        ("gfx908", "s_setreg_b32 hwreg(4), s0"),
        ("gfx908", "s_setreg_b32 hwreg(HW_REG_STATUS), s0"),  # reported where it is assembled
        ("gfx908", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 1"),
        ("gfx900", "s_endpgm\nhandler:\ns_mov_b32 ttmp4, 0"),
        ("gfx1100", "s_trap 2\ns_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)\ns_mov_b32 ttmp2, m0"),
    ],
)
def test_silent(target: str, code: str) -> None:
    check_no_finding(text(target, code), RULE)


def test_a_trap_handler_without_a_kernel() -> None:
    check_no_finding("//- k.s target:gfx900\nhandler:\ns_mov_b32 ttmp4, 0\ns_rfe_b64 ttmp[0:1]\n", RULE)


def test_in_a_macro_and_after_an_include() -> None:
    check_diagnostics(
        f"""
        //- k.s target:gfx900
        .include "descriptor.inc"
        .macro clear
        s_mov_b32 ttmp4, 0
        //<^^^^^^^^^^^^^^^ warning[privileged-write]: only the trap handler can write `ttmp4`
        .endm
        k:
        clear
        s_endpgm
        //- descriptor.inc
        {KERNEL.format("").strip().replace(chr(10), chr(10) + "        ")}
        """
    )

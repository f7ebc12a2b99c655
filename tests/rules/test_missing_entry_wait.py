"""Functions that use registers which their caller may still be loading."""

import pytest

from tests.support.check import check_fix, check_no_finding, findings

RULE = "missing-entry-wait"
HEAD = ".globl f\n.type f,@function\nf:\n"
USE = "v_add_f32 v0, v0, v0\ns_setpc_b64 s[30:31]\n"
CALL = (
    "k:\n{}s_getpc_b64 s[4:5]\ns_add_u32 s4, s4, f@rel32@lo+4\ns_addc_u32 s5, s5, f@rel32@hi+12\n"
    "s_swappc_b64 s[30:31], s[4:5]\ns_endpgm\n.type f,@function\nf:\n" + USE
    + ".rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.end_amdhsa_kernel\n"
)  # fmt: skip


@pytest.mark.parametrize(
    ("target", "text", "counters"),
    [
        ("gfx900", f"{HEAD}{USE}", "vmcnt(0) and lgkmcnt(0)"),
        ("gfx900", f"{HEAD}s_waitcnt vmcnt(0)\n{USE}", "lgkmcnt(0)"),
        ("gfx900", f"{HEAD}s_waitcnt vmcnt(1) lgkmcnt(0)\n{USE}", "vmcnt(0)"),
        ("gfx1030", f"{HEAD}s_waitcnt lgkmcnt(0)\ns_cbranch_scc0 l\ns_waitcnt vmcnt(0)\nl:\n{USE}", "vmcnt(0)"),
        ("gfx1200", f"{HEAD}s_wait_loadcnt_dscnt 0x0\n{USE}", "samplecnt(0) and bvhcnt(0) and kmcnt(0)"),
        ("gfx900", CALL.format("global_load_dword v0, v[0:1], off\n"), "vmcnt(0) and lgkmcnt(0)"),
    ],
)
def test_found(target: str, text: str, counters: str) -> None:
    (found,) = (each for each in findings(f"//- k.s target:{target}\n{text}") if each.rule == RULE)
    assert found.message.endswith(f"wait for {counters} at its entry")


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx900", f"{HEAD}s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n{USE}"),
        ("gfx900", f"{HEAD}s_waitcnt vmcnt(0)\ns_nop 0\ns_waitcnt lgkmcnt(0)\n{USE}"),
        ("gfx1250", f"{HEAD}s_wait_loadcnt_dscnt 0x0\ns_wait_kmcnt 0x0\n{USE.replace('s_setpc_b64', 's_set_pc_i64')}"),
        ("gfx900", f"f:\n{USE}"),
        ("gfx900", f"{HEAD}v_add_f32 v0, v0, v0\ns_endpgm\n"),
        ("gfx900", f"{HEAD}{USE}.rodata\n.amdhsa_kernel f\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n"
                   ".end_amdhsa_kernel\n"),
        # A part of a shader, at whose end its epilog goes on, before a function.
        ("gfx1200", ".globl ps\n.type ps,@function\nps:\nv_add_f32 v0, v0, v0\n.Lend:\n.size ps, .Lend-ps\n.p2align 8\n"
                    f"{HEAD}s_wait_loadcnt_dscnt 0\ns_wait_samplecnt 0\ns_wait_bvhcnt 0\ns_wait_kmcnt 0\n{USE}"),
        ("gfx900", CALL.format("")),  # nothing is in flight at the only call
    ],
)  # fmt: skip
def test_silent(target: str, text: str) -> None:
    check_no_finding(f"//- k.s target:{target}\n{text}", RULE)


def test_the_fix_waits_at_the_entry() -> None:
    check_fix(
        f"//- k.s target:gfx900\n{HEAD}  s_nop 0\n  {USE.replace(chr(10), '$0' + chr(10), 1)}",
        f"{HEAD}  s_waitcnt vmcnt(0) lgkmcnt(0)\n  s_nop 0\n  {USE}",
        rule=RULE,
    )

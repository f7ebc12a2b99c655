"""Functions that return with operations in flight."""

import pytest

from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "unfinished-return"
START = ".type f,@function\nf:\ns_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n"
START_12 = (
    ".type f,@function\nf:\ns_wait_loadcnt_dscnt 0x0\ns_wait_samplecnt 0x0\ns_wait_bvhcnt 0x0\ns_wait_kmcnt 0x0\n"
)
RETURN = "s_setpc_b64 s[30:31]\n"
PART = ".type p,@function\np:\n{}.Lend:\n.size p, .Lend-p\n"


def test_a_result_that_is_still_loaded() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        .type f,@function
        f:
        s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
        global_load_dword v0, v[0:1], off
        s_setpc_b64 s[30:31]
        //<^^^^^^^^^^^^^^^^^ warning[unfinished-return]: `f` returns while `global_load_dword` on line 4
        """
    )


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx900", f"{START}ds_write_b32 v0, v1\n{RETURN}"),
        ("gfx900", f"{START}global_store_dword v[0:1], v2, off\n{RETURN}"),  # counted as loads are
        ("gfx1030", f"{START}s_load_dword s4, s[4:5], 0x0\n{RETURN}"),
        ("gfx1200", f"{START_12}global_load_b32 v0, v[0:1], off\n{RETURN}"),
        ("gfx900", f"{START}s_cbranch_scc0 l\nglobal_load_dword v0, v[0:1], off\nl:\n{RETURN}"),
        ("gfx1200", PART.format("global_load_b32 v0, v[0:1], off\n")),
        ("gfx1200", PART.format("global_load_b32 v0, v[0:1], off\n") + ".p2align 8\n.type q,@function\nq:\ns_endpgm\n"),
        ("gfx1200", PART.format("global_load_b32 v0, v[0:1], off\ns_cbranch_scc0 .Lend\ns_wait_loadcnt 0x0\n")),
    ],
)
def test_found(target: str, text: str) -> None:
    assert [each.rule for each in findings(f"//- k.s target:{target}\n{text}") if each.rule == RULE] == [RULE]


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx900", f"{START}global_load_dword v0, v[0:1], off\ns_waitcnt vmcnt(0)\n{RETURN}"),
        ("gfx1030", f"{START}global_store_dword v[0:1], v2, off\n{RETURN}"),
        ("gfx1200", f"{START_12}global_store_b32 v[0:1], v2, off\n{RETURN}"),
        ("gfx1200", f"{START_12}global_inv scope:SCOPE_DEV\n{RETURN}"),  # loads after it keep behind it
        ("gfx900", f"f:\nglobal_load_dword v0, v[0:1], off\n{RETURN}"),  # not declared: a subroutine of its own kind
        ("gfx900", f"{START}global_load_dword v0, v[0:1], off\ns_setpc_b64 s[28:29]\n"),
        ("gfx1200", PART.format("global_load_b32 v0, v[0:1], off\ns_wait_loadcnt 0x0\n")),
        ("gfx1200", PART.format("global_store_b32 v[0:1], v2, off\n")),
        ("gfx900", PART.format("global_store_dword v[0:1], v2, off\n")),  # before code that is never reached
        ("gfx1030", PART.format("ds_write_b32 v0, v1\n")),
        ("gfx942", f"{START}global_load_lds_dword v[0:1], off\ns_waitcnt vmcnt(0)\n{RETURN}"),
        ("gfx1200", PART.format("global_load_b32 v0, v[0:1], off\ns_endpgm\n")),
        ("gfx1200", PART.format("global_load_b32 v0, v[0:1], off\ns_trap 2\n")),  # `noreturn`, as clang ends it
        ("gfx1200", "p:\nglobal_load_b32 v0, v[0:1], off\n.Lend:\n"),
    ],
)
def test_silent(target: str, text: str) -> None:
    check_no_finding(f"//- k.s target:{target}\n{text}", RULE)


def test_the_fix_waits_before_the_return() -> None:
    text = f"{START}global_load_dword v0, v[0:1], off\n{{}}  s_setpc_b64 s[30:31]{{}}\n"
    check_fix(f"//- k.s target:gfx900\n{text.format('', '$0')}", text.format("  s_waitcnt vmcnt(0)\n", ""), rule=RULE)


def test_the_fix_waits_at_the_end_of_a_part() -> None:
    text = PART.format("  global_load_b32 v0, v[0:1], off\n  v_mov_b32 v2, v1{}\n")
    check_fix(f"//- k.s target:gfx1200\n{text.format('$0')}", text.format("\n  s_wait_loadcnt 0x0"), rule=RULE)

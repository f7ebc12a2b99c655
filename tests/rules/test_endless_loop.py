"""Loops whose condition never changes."""

import pytest

from gcn_lsp.rules import endless_loop
from tests.support import fixture
from tests.support.check import build, check_diagnostics, check_silent


def found(code: str, target: str = "gfx900") -> list[int]:
    """The lines of the findings, counted from 1."""
    return [each.where.line + 1 for each in endless_loop.check(build(fixture.parse(f"k:\n {code}\n"), target))]


def test_a_counter_that_nothing_counts() -> None:
    check_diagnostics(
        """
        next:
          s_sub_u32 s5, s5, 1
          s_cmp_lg_u32 s4, 0
          s_cbranch_scc1 next
        //^^^^^^^^^^^^^^^^^^^ warning[endless-loop]: nothing in it writes `s4`, which the comparison on line 3 tests
          s_endpgm
        """
    )


def test_a_value_that_each_round_computes_again() -> None:
    check_diagnostics(
        """
        next:
          s_lshr_b32 s13, s12, 1
          s_cmp_lg_u32 s13, 0
          s_cbranch_scc1 next
        //^^^^^^^^^^^^^^^^^^^ warning[endless-loop]: the comparison on line 3 tests the same value of `s13`
          s_endpgm
        """
    )


def test_a_counter_that_each_round_sets_again() -> None:
    check_diagnostics(
        """
        next:
          s_mov_b32 s4, 0
          s_add_u32 s4, s4, 1
          s_cmp_lt_u32 s4, s10
          s_cbranch_scc1 next
        //^^^^^^^^^^^^^^^^^^^ warning[endless-loop]: `s_mov_b32` on line 2 sets `s4` again in each round
          s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("l:\n v_cmp_gt_u32 vcc, s4, v0\n s_cbranch_vccnz l\n s_endpgm", [4]),
        ("l:\n v_mov_b32 v0, 0\n s_cbranch_scc1 l\n s_endpgm", [4]),
        ("l:\n v_mov_b32 v0, 0\n s_cbranch_execnz l\n s_endpgm", [4]),
        ("l:\n s_cmp_lg_u32 1, 0\n s_cbranch_scc1 l\n s_endpgm", [4]),
        # A comparison of the counter with itself.
        ("l:\n s_add_u32 s4, s4, 1\n s_cmp_lt_u32 s4, s4\n s_cbranch_scc1 l\n s_endpgm", [5]),
        # With a branch inside, and in a macro.
        ("l:\n s_cbranch_vccz m\n v_mov_b32 v0, 0\nm:\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm", [7]),
        (".macro back\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n.endm\nl:\n s_nop 0\n back\n s_endpgm", [4]),
        ("l:\n v_add_f32 v0, v0, v1\n s_branch l\n s_endpgm", [4]),
        ("l:\n s_cbranch_scc0 m\n v_mov_b32 v0, 0\nm:\n s_nop 0\n s_branch l\n s_endpgm", [7]),
        # Both ways out.
        ("l:\n s_bitcmp1_b32 s3, 0\n s_cbranch_scc1 e\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\ne:\n s_endpgm", [6]),
        # No unsigned number is below 0 or above the greatest one, no signed one below the least.
        ("l:\n s_sub_u32 s4, s4, 1\n s_cmp_ge_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm", [5]),
        ("l:\n s_sub_u32 s4, s4, 1\n s_cmpk_ge_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm", [5]),
        ("l:\n s_sub_u32 s4, s4, 1\n s_cmp_lt_u32 s4, 0\n s_cbranch_scc0 l\n s_endpgm", [5]),
        ("l:\n s_sub_u32 s4, s4, 1\n s_cmp_le_u32 s4, -1\n s_cbranch_scc1 l\n s_endpgm", [5]),
        ("l:\n s_sub_u32 s4, s4, 1\n s_cmp_gt_u32 0, s4\n s_cbranch_scc0 l\n s_endpgm", [5]),
        ("l:\n s_sub_u32 s4, s4, 1\n s_cmp_ge_i32 s4, 0x80000000\n s_cbranch_scc1 l\n s_endpgm", [5]),
        # The same value is computed in each round, in one step or in two, or from a constant.
        ("l:\n s_lshr_b32 s13, s12, 1\n s_cmp_lg_u32 s13, 0\n s_cbranch_scc1 l\n s_endpgm", [5]),
        ("l:\n s_mov_b32 s5, s3\n s_sub_u32 s5, s5, 1\n s_cmp_lg_u32 s5, s2\n s_cbranch_scc1 l\n s_endpgm", [6]),
        ("l:\n s_mov_b32 s4, 8\n v_cmp_gt_u32 vcc, s4, v0\n s_cbranch_vccnz l\n s_endpgm", [5]),
        # A wave that sleeps does not wait for EXEC in a comparison of VGPRs; a wave that does not sleep never waits.
        ("l:\n s_sleep 1\n v_cmp_gt_u32 vcc, s4, v0\n s_cbranch_vccnz l\n s_endpgm", [5]),
        ("l:\n s_sleep 1\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm", [5]),
        ("s_sendmsg sendmsg(MSG_SAVEWAVE)\nl:\n s_nop 0\n s_cbranch_execz l\n s_endpgm", [5]),
    ],
)
def test_told(code: str, lines: list[int]) -> None:
    assert found(code) == lines


@pytest.mark.parametrize(
    "code",
    [
        "l:\n s_sub_u32 s4, s4, 1\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        # The subtraction itself sets SCC; the counter is written on one way; a load writes it; a flag is polled.
        "l:\n s_sub_u32 s4, s4, 1\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_cbranch_vccz m\n s_sub_u32 s4, s4, 1\nm:\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_load_dword s4, s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_getreg_b32 s4, hwreg(HW_REG_TRAPSTS)\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        # Another way out, whose condition changes; a call; a mask that logic makes.
        "l:\n s_sub_u32 s3, s3, 1\n s_cbranch_scc1 e\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\ne:\n s_endpgm",
        "l:\n s_swappc_b64 s[30:31], s[8:9]\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_and_b64 vcc, exec, s[2:3]\n s_cbranch_vccnz l\n s_endpgm",
        # One bit of many in each round.
        "l:\n s_add_u32 s4, s4, 1\n s_bitcmp1_b32 s4, s4\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n v_add_u32 v0, v0, v1\n v_cmp_eq_f32 vcc, v0, v0\n s_cbranch_vccnz l\n s_endpgm",  # not if it is NaN
        # The hardware writes EXEC when the context may be saved.
        "s_mov_b64 exec, 0\n s_sendmsg sendmsg(MSG_SAVEWAVE)\nl:\n s_sleep 2\n s_cbranch_execz l\n s_endpgm",
        "l:\n s_sendmsg sendmsg(MSG_SAVEWAVE)\n s_cbranch_execz l\n s_endpgm",
        "l:\n s_sleep 2\n s_cmp_eq_u32 exec_lo, 0\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_sleep 2\n s_mov_b32 s4, exec_lo\n s_cmp_eq_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        # Comparisons with 0 and -1 that have two results.
        "l:\n s_sub_u32 s4, s4, 1\n s_cmp_gt_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_sub_u32 s4, s4, 1\n s_cmp_ge_i32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_sub_u32 s4, s4, 1\n s_cmp_ge_u32 0, s4\n s_cbranch_scc0 l\n s_endpgm",
        "l:\n s_sub_u32 s4, s4, 1\n s_cmpk_le_u32 s4, 0xffff\n s_cbranch_scc0 l\n s_endpgm",
        # Computed from what changes: a counter, the value of the round before, a load, a hardware register, a clock.
        "l:\n s_lshr_b32 s12, s12, 1\n s_and_b32 s13, s12, 7\n s_cmp_lg_u32 s13, 0\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_cmp_lg_u32 s13, 0\n s_mov_b32 s13, s12\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_mov_b32 s13, s12\n s_lshr_b32 s12, s12, 1\n s_cmp_lg_u32 s13, 0\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_load_dword s4, s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n s_and_b32 s5, s4, 1\n s_cmp_lg_u32 s5, 0\n"
        " s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_getreg_b32 s4, hwreg(HW_REG_TRAPSTS)\n s_and_b32 s4, s4, 1\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l",
        "l:\n s_memtime s[4:5]\n s_waitcnt lgkmcnt(0)\n s_lshr_b32 s4, s4, 9\n s_cmp_lg_u32 s4, s6\n s_cbranch_scc1 l",
        "l:\n s_mov_b32 s4, src_pops_exiting_wave_id\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        # Written only if SCC is set, or through M0; in another branch of the loop.
        "l:\n v_cmp_lt_u32 vcc, v0, v1\n s_add_u32 s3, s3, 1\n s_cmov_b32 s4, s5\n s_cmp_lg_u32 s4, 0\n"
        " s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_add_u32 m0, m0, 1\n s_movrels_b32 s4, s8\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        "l:\n s_cbranch_vccz m\n s_mov_b32 s4, 0\nm:\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n s_endpgm",
        # LDS is polled.
        "l:\n v_cmp_eq_u32 vcc, src_lds_direct, s4\n s_cbranch_vccz l\n s_endpgm",
        # Lanes leave one after another.
        "l:\n v_cmp_gt_u32 vcc, s4, v0\n s_andn2_b64 exec, exec, vcc\n s_cbranch_execnz l\n s_endpgm",
        # Forward branches, and a loop without a condition.
        "s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 e\n s_nop 0\ne:\n s_endpgm",
        "l:\n s_branch l",
    ],
)
def test_not_told(code: str) -> None:
    assert found(code) == []


def test_on_gfx11_the_mask_is_half() -> None:
    assert found("l:\n v_cmp_gt_u32 vcc_lo, s4, v0\n s_cbranch_vccnz l\n s_endpgm", "gfx1100") == [4]
    assert found("l:\n v_cmp_gt_u32 vcc_lo, s4, v0\n v_add_nc_u32 v0, v0, 1\n s_cbranch_vccnz l", "gfx1100") == []


def test_silent_on_nested_loops_and_after_an_include() -> None:
    check_silent(
        """
        //- main.s target:gfx900
        outer:
        s_mov_b32 s4, 8
        inner:
        .include "body.inc"
        s_cbranch_scc1 inner
        s_sub_u32 s5, s5, 1
        s_cmp_lg_u32 s5, 0
        s_cbranch_scc1 outer
        s_endpgm
        //- body.inc
        s_sub_u32 s4, s4, 1
        s_cmp_lg_u32 s4, 0
        """
    )


@pytest.mark.parametrize(
    "code",
    [
        "l:\n v_mov_b32 v0, 0\n s_cbranch_scc0 e\n s_branch l\ne:\n s_endpgm",
        "l:\n s_sleep 1\n s_branch l",  # meant to hang
        "l:\n v_mov_b32 v0, 0\n s_trap 2\n s_branch l",
        "l:\n v_mov_b32 v0, 0\n s_setpc_b64 s[0:1]\nm:\n s_branch l",
        "l:\n v_mov_b32 v0, 0\n s_swappc_b64 s[0:1], s[2:3]\n s_branch l",
        "l:\n v_mov_b32 v0, 0\n s_branch elsewhere",
    ],
)
def test_loops_that_are_left_or_only_wait(code: str) -> None:
    assert found(code) == []


def test_a_loop_that_is_left_in_its_middle() -> None:
    check_diagnostics(
        """
        next:
          v_add_u32 v1, v1, v0
          s_cmp_eq_u32 s6, 0
          s_cbranch_scc1 out
        //^^^^^^^^^^^^^^^^^^ warning[endless-loop]: nothing in it writes `s6`, which the comparison on line 3 tests
          v_add_u32 v2, v2, v0
          s_branch next
        out:
          s_endpgm
        """
    )


_WHILE = (
    "s_mov_b32 s7, 0\nl:\n v_mov_b32 v0, 0\n {step}\n {compare}\n s_cbranch_scc1 o\n {rest}\n s_branch l\no:\n s_endpgm"
)
_ZERO = "s_cmp_eq_u32 s6, 0"


@pytest.mark.parametrize(
    ("step", "compare", "rest", "lines"),
    [
        ("s_sub_u32 s5, s5, 1", _ZERO, "v_mov_b32 v1, 0", [7]),
        ("s_cbranch_vccz m\n v_mov_b32 v2, 0\nm:", _ZERO, "s_cbranch_scc0 l", [9]),  # more ways back
        ("s_sub_u32 s6, s6, 1", _ZERO, "v_mov_b32 v1, 0", []),
        ("s_nop 0", _ZERO, "s_cbranch_vccz l\n s_sub_u32 s6, s6, 1", []),
        ("s_nop 0", _ZERO, "v_readfirstlane_b32 s6, v1", []),
        # Another way out, and an end.
        ("s_cbranch_vccz o", _ZERO, "v_mov_b32 v1, 0", []),
        ("s_nop 0", _ZERO, "s_cbranch_vccnz e\n s_branch l\ne:\n s_endpgm", []),
        # A call, a trap, a wait for the hardware; what another instruction computes.
        ("s_swappc_b64 s[30:31], s[8:9]", _ZERO, "v_mov_b32 v1, 0", []),
        ("s_trap 2", _ZERO, "v_mov_b32 v1, 0", []),
        ("s_sleep 1", _ZERO, "v_mov_b32 v1, 0", []),
        ("s_nop 0", "s_and_b32 s7, s6, 1", "v_mov_b32 v1, 0", []),
        # Meant so: the result is known.
        ("s_nop 0", "s_cmp_eq_u32 0, 1", "v_mov_b32 v1, 0", []),
    ],
)
def test_loops_that_an_unconditional_branch_closes(step: str, compare: str, rest: str, lines: list[int]) -> None:
    assert found(_WHILE.format(step=step, compare=compare, rest=rest)) == lines


def test_a_loop_that_only_waits_for_a_register() -> None:
    """A debugger may write it."""
    assert found("l:\n s_nop 7\n s_cmp_eq_u32 s6, 0\n s_cbranch_scc1 o\n s_branch l\no:\n s_endpgm") == []


_KERNARG = """
.amdhsa_kernel k
 .amdhsa_next_free_vgpr 8
 .amdhsa_next_free_sgpr 16
 .amdhsa_user_sgpr_kernarg_segment_ptr 1
 .amdhsa_system_vgpr_workitem_id 0
.end_amdhsa_kernel
"""
_COUNT = " s_add_u32 s12, s12, 16\n s_cmp_lt_u32 s12, s10\n s_cbranch_scc1 {label}\n s_endpgm"


def test_a_branch_to_where_the_counter_begins() -> None:
    """A wrong label: each round sets the counter and loads its limit again."""
    start = " s_load_dword {to}, s[0:1], 0x18\n s_waitcnt lgkmcnt(0)\n s_mov_b32 s12, 0\nl:\n v_mov_b32 v0, 0\n"
    assert found(start.format(to="s10") + _COUNT.format(label="k") + _KERNARG) == [9]
    assert found(start.format(to="s10") + _COUNT.format(label="l") + _KERNARG) == []
    # Nobody says that this is the pointer to the arguments, which do not change.
    assert found(start.format(to="s10") + _COUNT.format(label="k")) == []


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        # Through an inner loop that begins at the same label.
        (
            "l:\n v_mov_b32 v0, 0\n s_cbranch_vccz m\n s_branch l\nm:\n s_movk_i32 s12, 0x80\n s_cbranch_vccnz n\n"
            " v_mov_b32 v1, 0\nn:\n s_lshr_b32 s12, s12, 1\n s_cmp_lg_u32 s12, 0\n s_cbranch_scc1 l\n s_endpgm",
            [13],
        ),
        # One of two values, a value of the round before, what a load or the hardware gives.
        (
            "l:\n s_movk_i32 s12, 8\n s_cbranch_vccz n\n s_movk_i32 s12, 16\nn:\n s_lshr_b32 s12, s12, 1\n"
            " s_cmp_lg_u32 s12, 4\n s_cbranch_scc1 l\n s_endpgm",
            [],
        ),
        (
            "l:\n s_mov_b32 s13, s12\n s_cbranch_vccz n\n v_mov_b32 v0, 0\nn:\n s_add_u32 s12, s13, 1\n"
            " s_cmp_lg_u32 s12, 4\n s_cbranch_scc1 l\n s_endpgm",
            [],
        ),
        (
            "l:\n s_load_dword s12, s[4:5], 0x0\n s_cbranch_vccz n\n s_sleep 1\nn:\n s_waitcnt lgkmcnt(0)\n"
            " s_cmp_lg_u32 s12, 4\n s_cbranch_scc1 l\n s_endpgm",
            [],
        ),
        (
            "l:\n s_getreg_b32 s12, hwreg(HW_REG_TRAPSTS)\n s_cbranch_vccz n\n s_sleep 1\nn:\n"
            " s_cmp_lg_u32 s12, 4\n s_cbranch_scc1 l\n s_endpgm",
            [],
        ),
    ],
)
def test_values_that_a_round_computes_across_branches(code: str, lines: list[int]) -> None:
    assert found(code) == lines

"""Loops that end at once because their branch asks for the opposite."""

import pytest

from gcn_lsp.rules import inverted_loop_branch
from tests.support import fixture
from tests.support.check import build, check_diagnostics


def found(code: str, target: str = "gfx900") -> list[int]:
    """The lines of the findings, counted from 1."""
    built = build(fixture.parse(f"k:\n {code}\n"), target)
    return [each.where.line + 1 for each in inverted_loop_branch.check(built)]


def test_a_loop_that_goes_on_while_its_counter_is_zero() -> None:
    check_diagnostics(
        """
        s_movk_i32 s12, 0x80
        next:
          v_add_f32 v1, v1, v2
          s_lshr_b32 s12, s12, 1
          s_cmp_lg_u32 s12, 0
          s_cbranch_scc0 next
        //^^^^^^^^^^^^^^^^^^^ warning[inverted-loop-branch]: `s_lshr_b32` on line 4 counts it down
          s_endpgm
        """
    )


def test_a_counter_that_leaves_its_limit_behind() -> None:
    check_diagnostics(
        """
        s_mov_b32 s12, 0
        next:
          v_add_f32 v1, v1, v2
          s_add_u32 s12, s12, 16
          s_cmp_ge_u32 s12, s10
          s_cbranch_scc1 next
        //^^^^^^^^^^^^^^^^^^^ warning[inverted-loop-branch]: while `s12` is at least `s10`
          s_endpgm
        """
    )


def test_the_fix_turns_the_branch_round() -> None:
    code = "k:\n s_mov_b32 s4, 0\nl:\n s_addk_i32 s4, 1\n s_cmp_eq_u32 s4, s5\n s_cbranch_scc1 l\n s_endpgm\n"
    (finding,) = inverted_loop_branch.check(build(fixture.parse(code), "gfx900"))
    (fix,) = finding.fixes
    assert not fix.is_certain
    assert [(edit.where.line, edit.new_text) for edit in fix.edits] == [(5, "s_cbranch_scc0 l")]


_LOOP = "s_mov_b32 s4, {start}\nl:\n v_mov_b32 v0, 0\n {step}\n {compare}\n {branch} l\n s_endpgm"


def loop(step: str, compare: str, branch: str, start: str = "0") -> str:
    """A loop with a counter in s4, whose branch is on line 7."""
    return _LOOP.format(start=start, step=step, compare=compare, branch=branch)


_UP, _DOWN = "s_add_u32 s4, s4, 1", "s_sub_u32 s4, s4, 1"


@pytest.mark.parametrize(
    "code",
    [
        loop(_DOWN, "s_cmp_eq_u32 s4, 0", "s_cbranch_scc1", "16"),
        loop(_DOWN, "s_cmp_lg_u32 0, s4", "s_cbranch_scc0", "s9"),
        loop("s_add_i32 s4, s4, -1", "s_cmpk_eq_i32 s4, 0", "s_cbranch_scc1", "16"),
        loop("s_lshr_b32 s4, s4, 1", "s_nop 0", "s_cbranch_scc0", "16"),  # the shift says whether anything is left
        loop(_UP, "s_cmp_gt_u32 s4, s9", "s_cbranch_scc1"),
        loop(_UP, "s_cmp_lt_u32 s4, s9", "s_cbranch_scc0"),
        loop(_UP, "s_cmp_lt_u32 s9, s4", "s_cbranch_scc1"),
        loop("s_addk_i32 s4, 64", "s_cmp_ge_i32 s4, 1024", "s_cbranch_scc1"),
        # Signed counters, wherever they start.
        loop(_UP, "s_cmp_ge_i32 s4, s9", "s_cbranch_scc1", "s8"),
        loop("s_add_i32 s4, s4, -1", "s_cmp_lt_i32 s4, s9", "s_cbranch_scc1", "s8"),
        loop(_DOWN, "s_cmp_gt_i32 s4, 0", "s_cbranch_scc0", "s8"),
    ],
)
def test_told(code: str) -> None:
    assert found(code) == [7]


def test_a_loop_that_is_left_at_its_head() -> None:
    code = "s_mov_b32 s4, 0\nl:\n s_cmp_lt_u32 s4, s9\n {} e\n v_mov_b32 v0, 0\n s_add_u32 s4, s4, 1\n s_branch l\ne:\n"
    assert found(code.format("s_cbranch_scc1")) == [5]
    assert found(code.format("s_cbranch_scc0")) == []


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"])
def test_on_each_target(target: str) -> None:
    add = "s_add_co_i32 s4, s4, 1" if target == "gfx1201" else _UP
    assert found(loop(add, "s_cmp_ge_u32 s4, s9", "s_cbranch_scc1"), target) == [7]
    assert found(loop(add, "s_cmp_lt_u32 s4, s9", "s_cbranch_scc1"), target) == []


@pytest.mark.parametrize(
    "code",
    [
        loop(_DOWN, "s_cmp_lg_u32 s4, 0", "s_cbranch_scc1", "16"),
        loop(_DOWN, "s_cmp_eq_u32 s4, 0", "s_cbranch_scc0", "s9"),
        loop("s_lshr_b32 s4, s4, 1", "s_nop 0", "s_cbranch_scc1", "16"),
        loop(_UP, "s_cmp_lt_u32 s4, s9", "s_cbranch_scc1"),
        loop("s_addk_i32 s4, 64", "s_cmp_ge_i32 s4, 1024", "s_cbranch_scc0"),
        loop(_DOWN, "s_cmp_gt_i32 s4, 0", "s_cbranch_scc1", "s8"),
        # Once, as a constant of the build says.
        loop(_DOWN, "s_cmp_lg_u32 s4, 0", "s_cbranch_scc1", "1"),
        # Down below 0, and up from the negative of a number to 0: the counter runs over.
        loop(_DOWN, "s_cmp_lt_u32 s4, s9", "s_cbranch_scc1", "s8"),
        loop(_UP, "s_cmp_ge_u32 s4, s9", "s_cbranch_scc1", "-16"),
        loop(_UP, "s_cmp_ge_u32 s4, s9", "s_cbranch_scc1", "s8"),
        # The limit moves; two instructions count; one counts in some rounds only; the step is no constant.
        loop(f"{_UP}\n s_add_u32 s9, s9, s10", "s_cmp_ge_u32 s4, s9", "s_cbranch_scc1"),
        loop(f"{_UP}\n s_mul_i32 s4, s4, s5", "s_cmp_eq_u32 s4, 0", "s_cbranch_scc1"),
        loop(f"s_cbranch_vccz m\n {_UP}\nm:", "s_cmp_eq_u32 s4, 0", "s_cbranch_scc1"),
        loop("s_add_u32 s4, s4, s5", "s_cmp_eq_u32 s4, 0", "s_cbranch_scc1"),
        # A value that is waited for, and a step of another loop inside.
        loop("s_load_dword s4, s[0:1], 0x0\n s_waitcnt lgkmcnt(0)", "s_cmp_eq_u32 s4, 0", "s_cbranch_scc1"),
        loop(f"i:\n {_UP}\n s_cmp_lt_u32 s4, s5\n s_cbranch_scc1 i", "s_cmp_eq_u32 s4, s9", "s_cbranch_scc1"),
        # A round that skips the rest, and another way back.
        "l:\n s_add_u32 s4, s4, 1\n s_cmp_eq_u32 s4, 3\n s_cbranch_scc1 l\n v_mov_b32 v0, 0\n s_cmp_lt_u32 s4, s9\n"
        " s_cbranch_scc1 l\n s_endpgm",
        # The same where the loop is left, with the lanes of a mask, between its label and the counter.
        "s_branch h\nl:\n s_andn2_b64 exec, exec, s[6:7]\n s_cbranch_execz e\nh:\n s_add_i32 s4, s4, -1\n"
        " s_cmp_eq_u32 s4, 0\n s_cbranch_scc1 l\n v_mov_b32 v0, 0\n s_branch l\ne:\n s_endpgm",
        "s_branch h\nm:\n v_mov_b32 v1, 0\nl:\n s_andn2_b64 exec, exec, s[6:7]\n s_cbranch_execz e\nh:\n"
        " s_add_i32 s4, s4, -1\n s_cmp_eq_u32 s4, 0\n s_cbranch_scc1 l\n v_mov_b32 v0, 0\n s_branch m\n"
        "e:\n s_endpgm",
        "s_branch h\nm:\n v_mov_b32 v1, 0\nl:\n v_mov_b32 v2, 0\nh:\n s_add_i32 s4, s4, 1\n s_cmp_ge_i32 s4, 9\n"
        " s_cbranch_scc1 l\n v_mov_b32 v0, 0\n s_branch m",
        # Not a loop.
        "s_mov_b32 s4, 0\n s_cmp_eq_u32 s4, 1\n s_cbranch_scc1 e\n v_mov_b32 v0, 0\ne:\n s_endpgm",
        loop("s_swappc_b64 s[30:31], s[8:9]\n s_add_u32 s4, s4, 1", "s_cmp_eq_u32 s4, 0", "s_cbranch_scc1"),
    ],
)
def test_not_told(code: str) -> None:
    assert found(code) == []


def test_an_inner_loop_whose_counter_begins_again() -> None:
    code = "o:\n s_mov_b32 s4, 0\nl:\n s_add_u32 s4, s4, 1\n s_cmp_eq_u32 s4, s9\n {} l\n s_branch o"
    assert found(code.format("s_cbranch_scc1")) == [7]
    assert found(code.format("s_cbranch_scc0")) == []


def test_a_loop_that_begins_in_its_middle() -> None:
    """As compilers write it: the counter and the way out are before the head, to which two branches lead back."""
    code = (
        "s_branch h\nt:\n s_or_b64 exec, exec, s[6:7]\n s_add_i32 s4, s4, -1\n s_cmp_lg_u32 s4, 0\n {} e\nh:\n"
        " v_cmp_gt_u32 vcc, s5, v0\n s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_execz t\n v_mov_b32 v0, 0\n"
        " s_branch t\ne:\n s_endpgm"
    )
    assert found(code.format("s_cbranch_scc1")) == [7]
    assert found(code.format("s_cbranch_scc0")) == []

"""Scalar comparisons whose result nothing reads."""

import pytest

from gcn_lsp.rules import dead_write, unread_comparison
from tests.support import fixture
from tests.support.check import build, check_diagnostics

_STORE = " global_store_dword v[0:1], v2, off\n s_endpgm"


def found(code: str, target: str = "gfx900") -> list[int]:
    """The lines of the findings, counted from 1 after the kernel's label."""
    return [each.where.line for each in unread_comparison.check(build(fixture.parse(f"k:\n{code}\n"), target))]


def test_a_loop_whose_branch_back_is_gone() -> None:
    check_diagnostics(
        """
        s_mov_b32 s4, 16
        next:
        global_store_dword v[0:1], v2, off
        s_sub_u32 s4, s4, 1
        s_cmp_lg_u32 s4, 0
        //<^^^^^^^^^^^^^^^ warning[unread-comparison]: nothing reads the result of this comparison
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (f" s_bitcmp1_b32 s0, 3\n s_add_u32 s1, s1, 4\n{_STORE}", [1]),
        (f" s_cmp_eq_u32 s0, 3\n s_cbranch_vccz l\n s_nop 0\nl:\n{_STORE}", [1]),
        (f".macro m\n s_cmpk_eq_i32 s0, 3\n.endm\n m\n{_STORE}", [2]),
        # A reader behind a label, on one way, and in one call of a macro.
        (f" s_cmp_eq_u32 s0, 3\nl:\n s_cselect_b32 s1, s2, s3\n v_mov_b32 v2, s1\n{_STORE}", []),
        (f" s_cmp_eq_u32 s0, 3\n s_cbranch_vccz l\n s_cbranch_scc1 l\n s_nop 0\nl:\n{_STORE}", []),
        (f".macro m\n s_cmp_eq_u32 s0, 3\n.endm\n m\n s_cbranch_scc1 l\n m\nl:\n{_STORE}", []),
        # An excerpt, and a comparison of lanes.
        (" s_cmp_eq_u32 s0, 3\n s_endpgm", []),
        (f" v_cmp_eq_u32 vcc, s0, v3\n{_STORE}", []),
        # What follows a call may read it.
        (f" s_cmp_eq_u32 s0, 3\n s_swappc_b64 s[30:31], s[4:5]\n{_STORE}", []),
    ],
)
def test_told(code: str, lines: list[int]) -> None:
    assert found(code) == lines


def test_it_is_no_hint_as_well() -> None:
    built = build(fixture.parse(f"k:\n s_cmp_eq_u32 s0, 3\n{_STORE}\n"), "gfx900")
    assert not list(dead_write.check(built))

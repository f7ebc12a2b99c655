"""Waits that are too weak for the instruction after them: the finding, its place, and the fix."""

import pytest

from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "insufficient-wait"
LOADS = "  global_load_dword v1, v0, s[2:3]\n  global_load_dword v2, v0, s[4:5]\n"
USE = "  v_add_f32 v3, v1, v2\n"
END = "  s_endpgm\n"


def test_the_youngest_of_what_is_read_decides() -> None:
    check_diagnostics(
        """\
k:
  global_load_dword v1, v0, s[2:3]
  global_load_dword v2, v0, s[4:5]
  s_waitcnt vmcnt(1)
  v_add_f32 v3, v1, v2
//                  ^^ error[insufficient-wait]: this reads `v2`, which `global_load_dword` on line 3 may not have written yet; vmcnt(1) is too weak here, vmcnt(0) is needed
  s_endpgm
"""  # noqa: E501
    )


def test_the_finding_leads_to_the_wait_and_to_the_load() -> None:
    (found,) = findings(f"k:\n{LOADS}  s_waitcnt vmcnt(1)\n{USE}{END}")
    assert [(related.where.line, related.message) for related in found.related] == [
        (3, "this wait is too weak"),
        (2, "in flight for `v2`; done at vmcnt(0)"),
    ]


def test_what_comes_back_in_order_is_there_when_the_count_is_low_enough() -> None:
    check_no_finding(f"k:\n{LOADS}  s_waitcnt vmcnt(1)\n  v_add_f32 v3, v1, v1\n{END}", RULE)


def test_the_wait_is_made_stronger() -> None:
    before = f"k:\n{LOADS}  s_waitcnt vmcnt(1)\n{USE}{END}"
    check_fix(before, before.replace("vmcnt(1)", "vmcnt(0)"))


def test_a_wait_for_another_counter_is_none() -> None:
    text = f"k:\n{LOADS}  s_waitcnt lgkmcnt(0)\n{USE}{END}"
    assert [found.rule for found in findings(text)] == ["missing-wait"]


def test_what_is_issued_behind_the_wait_is_not_its_fault() -> None:
    text = f"k:\n{LOADS}  s_waitcnt vmcnt(0)\n  global_load_dword v1, v0, s[2:3]\n{USE}{END}"
    assert [found.rule for found in findings(text)] == ["missing-wait"]


SCALAR = "  s_load_dword s0, s[4:5], 0x0\n  s_load_dword s1, s[4:5], 0x4\n"


def test_out_of_order_only_zero_is_enough() -> None:
    (found,) = findings(f"k:\n{SCALAR}  s_waitcnt lgkmcnt(1)\n  s_mov_b32 s2, s0\n{END}")
    assert found.rule == RULE
    assert "lgkmcnt(0) is needed" in found.message
    check_no_finding(f"k:\n{SCALAR}  s_waitcnt lgkmcnt(0)\n  s_mov_b32 s2, s0\n{END}", RULE)


def test_in_a_macro_that_is_wrong_at_every_call() -> None:
    body = f".macro sum\n  s_waitcnt vmcnt({{}})\n{USE}.endm\nk:\n{LOADS}sum\n{LOADS}sum\n{END}"
    check_fix(body.format(1), body.format(0))


def test_in_a_macro_that_is_right_at_another_call_the_wait_goes_before_the_wrong_one() -> None:
    text = f".macro sum\n  s_waitcnt vmcnt(1)\n{USE}.endm\nk:\n{LOADS}sum\n  s_waitcnt vmcnt(0)\nsum\n{END}"
    (found,) = (each for each in findings(text) if each.rule == RULE)
    (fix,) = found.fixes
    assert (found.where.line, fix.title) == (2, "Wait for vmcnt(0) before this call")
    assert [(edit.where.line, edit.new_text) for edit in fix.edits] == [(7, "s_waitcnt vmcnt(0)\n")]
    assert ("expanded from a call of `sum`", 7) in [(each.message, each.where.line) for each in found.related]


def test_of_loads_that_an_include_makes() -> None:
    check_diagnostics(
        """\
//- k.s target:gfx900
k:
.include "loads.inc"
  s_waitcnt vmcnt(1)
  v_add_f32 v3, v1, v2
//                  ^^ error[insufficient-wait]: this reads `v2`, which `global_load_dword` on line 2
  s_endpgm
//- loads.inc
  global_load_dword v1, v0, s[2:3]
  global_load_dword v2, v0, s[4:5]
"""
    )


def test_from_gfx10_a_store_is_not_counted_with_the_loads() -> None:
    """On gfx9 it is, so that it may be outstanding when the load before it is back."""
    text = f"k:\n{LOADS}  global_store_dword v0, v4, s[2:3]\n  s_waitcnt vmcnt(1)\n{USE}{END}"
    check_no_finding(text, RULE, "gfx900")
    (found,) = (each for each in findings(text, "gfx1030") if each.rule == RULE)
    assert "vmcnt(0) is needed" in found.message
    check_no_finding(text.replace("vmcnt(1)", "vmcnt(0)"), RULE, "gfx1030")


def test_the_counters_of_gfx12() -> None:
    text = "k:\n  global_load_b32 v1, v0, s[2:3]\n  global_load_b32 v2, v0, s[4:5]\n  s_wait_loadcnt 0x1\n" + USE + END
    check_fix(text, text.replace("0x1", "0x0"), "gfx1200")


@pytest.mark.parametrize(("one", "other"), [("s_waitcnt vmcnt(1)", "s_nop 0"), ("s_nop 0", "s_waitcnt vmcnt(1)")])
def test_a_wait_on_one_of_two_paths_is_not_at_fault(one: str, other: str) -> None:
    text = (
        f"k:\nglobal_load_dword v1, v0, s[2:3]\ns_cbranch_scc1 b\n{one}\ns_branch done\nb:\n{other}\ndone:\n"
        "v_add_f32 v1, v1, v1\ns_endpgm\n"
    )
    assert [each.rule for each in findings(text) if "wait" in each.rule] == ["missing-wait"]

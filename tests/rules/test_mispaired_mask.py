"""Masks of other regions that are given back to EXEC, and those that nothing has saved."""

import pytest

from gcn_lsp.rules import inactive_lanes, mispaired_mask
from tests.support import fixture
from tests.support.check import build, check_diagnostics, check_silent

_NESTED = """
 v_cmp_gt_u32 vcc, s2, v0
 s_and_saveexec_b64 s[4:5], vcc
 s_cbranch_execz done
 v_cmp_gt_u32 vcc, s3, v0
 s_and_saveexec_b64 {saved}, vcc
 s_cbranch_execz next
 v_add_u32 v2, v2, v3
next:
 s_or_b64 exec, exec, {inner}
 global_store_dword v[4:5], v2, off
done:
 s_or_b64 exec, exec, {outer}
 global_store_dword v[6:7], v2, off
 s_endpgm
"""
_RIGHT = {"saved": "s[6:7]", "inner": "s[6:7]", "outer": "s[4:5]"}


def nested(**changed: str) -> str:
    return _NESTED.format(**{**_RIGHT, **changed})


def found(code: str, target: str = "gfx900") -> list[int]:
    """The lines of the findings, counted from 1 after the kernel's label."""
    return [each.where.line for each in mispaired_mask.check(build(fixture.parse(f"k:\n{code.strip()}\n"), target))]


def test_the_mask_of_the_region_around() -> None:
    check_diagnostics(
        """
        v_cmp_gt_u32 vcc, s2, v0
        s_and_saveexec_b64 s[4:5], vcc
        s_cbranch_execz done
        v_cmp_gt_u32 vcc, s3, v0
        s_and_saveexec_b64 s[6:7], vcc
        s_cbranch_execz next
        v_add_u32 v2, v2, v3
        next:
        s_or_b64 exec, exec, s[4:5]
        //<^^^^^^^^^^^^^^^^^^^^^^^^ warning[mispaired-mask]: nothing gives back `s[6:7]`, in which
        global_store_dword v[4:5], v2, off
        done:
        s_or_b64 exec, exec, s[4:5]
        global_store_dword v[6:7], v2, off
        s_endpgm
        """
    )


def test_the_fix_names_the_mask_that_was_saved() -> None:
    (finding,) = mispaired_mask.check(build(fixture.parse(f"k:\n{nested(inner='s[4:5]').strip()}\n"), "gfx900"))
    (fix,) = finding.fixes
    assert not fix.is_certain
    assert [edit.new_text for edit in fix.edits] == ["s[6:7]"]


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"inner": "s[4:5]"}, 9),
        ({"saved": "s[8:9]", "inner": "s[4:5]"}, 9),
        ({"outer": "s[6:7]"}, 12),  # only the way through the first region has saved it
    ],
)
def test_wrong_pairs(changed: dict[str, str], line: int) -> None:
    assert found(nested(**changed)) == [line]


def test_in_a_wave_of_32() -> None:
    code = nested(inner="s[4:5]").replace("b64", "b32").replace("s[4:5]", "s4").replace("s[6:7]", "s6")
    narrow = (
        code.replace("vcc", "vcc_lo").replace("exec, exec,", "exec_lo, exec_lo,").replace("v_add_u32", "v_add_nc_u32")
    )
    assert found(narrow, "gfx1030") == [9]


def test_a_saved_mask_over_that_of_the_region_around() -> None:
    code = nested(saved="s[4:5]", inner="s[4:5]")
    found_there = inactive_lanes.check(build(fixture.parse(f"k:\n{code.strip()}\n"), "gfx900"))
    assert [each.where.line for each in found_there] == [5]


_TWO_WAYS = """
 s_load_dwordx2 s[6:7], s[0:1], 0x0
 s_waitcnt lgkmcnt(0)
 s_cmp_eq_u32 s6, 0
 s_cbranch_scc1 {target}
 v_cmp_gt_u32 vcc, s7, v0
 s_and_saveexec_b64 s[6:7], vcc
 s_cbranch_execz next
 v_add_u32 v2, v2, v3
next:
 s_or_b64 exec, exec, s[6:7]
after:
 global_store_dword v[4:5], v2, off
 s_endpgm
"""


_COUNTED = """
 s_mov_b32 s9, {begin}
round:
 v_cmp_le_u32 vcc_lo, s9, v0
 s_and_saveexec_b32 s10, vcc_lo
 s_cbranch_execz skip
 ds_read_b32 v4, v5
skip:
 s_or_b32 exec_lo, exec_lo, {given}
 ds_write_b32 v1, v3
 {count}
 s_cmp_lt_u32 s9, 64
 s_cbranch_scc1 round
 s_endpgm
"""


@pytest.mark.parametrize("count", ["s_lshl_b32 s9, s9, 1", "s_add_u32 s9, s9, 2"])
def test_a_counter_in_place_of_the_mask(count: str) -> None:
    assert found(_COUNTED.format(begin="1", given="s9", count=count), "gfx1030") == [8]


@pytest.mark.parametrize(
    ("begin", "given", "count"),
    [
        ("1", "s10", "s_lshl_b32 s9, s9, 1"),
        ("0xffff", "s9", "s_nop 0"),  # a constant may be a mask
        ("-1", "s9", "s_lshl_b32 s9, s9, 1"),  # all lanes, then fewer
        ("1", "s9", "s_not_b32 s9, s9"),
    ],
)
def test_what_may_be_a_mask(begin: str, given: str, count: str) -> None:
    assert found(_COUNTED.format(begin=begin, given=given, count=count), "gfx1030") == []


def test_a_branch_to_where_nothing_has_saved_a_mask() -> None:
    (finding,) = mispaired_mask.check(
        build(fixture.parse(f"k:\n{_TWO_WAYS.format(target='next').strip()}\n"), "gfx900")
    )
    assert finding.where.line == 10
    assert finding.message == (
        "`s_and_saveexec_b64` on line 7 does not save `s[6:7]` on the way here after `s_cbranch_scc1` on line 5: "
        "`s_load_dwordx2` on line 2 wrote it"
    )
    assert not found(_TWO_WAYS.format(target="after"))


def test_a_branch_before_which_nothing_takes_lanes_away() -> None:
    assert found(nested().replace("s_and_saveexec_b64 s[6:7], vcc", "s_nop 0")) == [6]
    copy = "s_mov_b64 s[6:7], exec"
    assert found(nested().replace("s_and_saveexec_b64 s[6:7], vcc", copy)) == [6]
    assert not found(nested().replace("s_and_saveexec_b64 s[6:7], vcc", f"{copy}\n s_and_b64 exec, exec, vcc"))


def test_functions() -> None:
    function = """
     .type f,@function
    f:
     s_waitcnt vmcnt(0) lgkmcnt(0)
     v_cmp_gt_u32 vcc, s2, v0
     s_and_saveexec_b64 s[4:5], vcc
     s_cbranch_execz done
     v_add_u32 v2, v2, v3
    done:
     s_or_b64 exec, exec, s[4:5]
     s_setpc_b64 s[30:31]
    """
    check_silent(function)
    built = build(
        fixture.parse(function.replace("s_or_b64 exec, exec, s[4:5]", "s_or_b64 exec, exec, s[6:7]")), "gfx900"
    )
    assert [each.where.line for each in mispaired_mask.check(built)] == [8]
    built = build(fixture.parse(function.replace("s_or_b64 exec, exec, s[4:5]", "s_nop 0")), "gfx900")
    (finding,) = inactive_lanes.check(built)
    assert finding.message.endswith("stay off at the return on line 10")


@pytest.mark.parametrize(
    "code",
    [
        nested(),
        # The region around ends where the inner one does.
        nested(inner="s[4:5]").replace(
            " global_store_dword v[4:5], v2, off\ndone:\n s_or_b64 exec, exec, s[4:5]\n", "done:\n"
        ),
        # A copy of EXEC that gives all lanes back at each place.
        " s_mov_b64 s[8:9], exec\n"
        + nested(inner="s[8:9]", outer="s[8:9]").replace("s_or_b64 exec, exec,", "s_mov_b64 exec,"),
        # Both cases of a condition.
        nested().replace(
            "next:\n s_or_b64 exec, exec, s[6:7]",
            "next:\n s_andn2_saveexec_b64 s[6:7], s[6:7]\n s_or_b64 exec, exec, s[6:7]",
        ),
        # A macro.
        f".macro both\n{nested().strip()}\n.endm\n both",
    ],
)
def test_silent(code: str) -> None:
    assert not found(code)

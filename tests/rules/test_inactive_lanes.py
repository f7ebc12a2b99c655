"""Accesses that no lane makes, and masks of lanes that nothing restores."""

import pytest

from gcn_lsp.rules import inactive_lanes
from tests.support import fixture
from tests.support.check import build, check_diagnostics, check_silent

_REGION = "v_cmp_gt_u32 vcc, s2, v0\n s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_execz done\n v_mov_b32 v2, v3\ndone:\n"
_STORE = " global_store_dword v[4:5], v2, off\n s_endpgm"


def found(code: str, target: str = "gfx900") -> list[int]:
    """The lines of the findings, counted from 1."""
    return [each.where.line + 1 for each in inactive_lanes.check(build(fixture.parse(f"k:\n {code}\n"), target))]


def test_a_region_without_its_restore() -> None:
    check_diagnostics(
        """
        v_cmp_gt_u32 vcc, s2, v0
        s_and_saveexec_b64 s[6:7], vcc
        s_cbranch_execz done
        v_mov_b32 v2, v3
        done:
        v_add_u32 v2, v2, v3
        global_store_dword v[4:5], v2, off
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[inactive-lanes]: comes from line 3: EXEC is 0
        s_endpgm
        """
    )


def test_the_fix_restores_the_saved_mask_where_the_ways_meet() -> None:
    built = build(fixture.parse(f"k:\n {_REGION}{_STORE}\n"), "gfx900")
    (finding,) = inactive_lanes.check(built)
    (fix,) = finding.fixes
    assert not fix.is_certain
    assert [(edit.where.line, edit.new_text.strip()) for edit in fix.edits] == [(6, "s_or_b64 exec, exec, s[6:7]")]


def test_a_branch_around_a_region_that_is_inverted() -> None:
    check_diagnostics(
        """
        v_cmp_gt_u32 vcc, s2, v0
        s_and_saveexec_b64 s[6:7], vcc
        s_cbranch_execnz done
        //<^^^^^^^^^^^^^^^^^^ warning[inactive-lanes]: waves with active lanes leave out the code up to the label
        global_store_dword v[4:5], v2, off
        done:
        s_endpgm
        """
    )


def test_the_fix_of_an_inverted_branch_is_the_opposite() -> None:
    code = f"{_REGION}{_STORE}\n".replace("execz", "execnz").replace("v_mov_b32 v2, v3", "ds_write_b32 v0, v1")
    (finding,) = inactive_lanes.check(build(fixture.parse(f"k:\n {code}"), "gfx900"))
    assert [(edit.where.line, edit.new_text) for fix in finding.fixes for edit in fix.edits] == [
        (3, "s_cbranch_execz done")
    ]


def test_a_branch_to_the_other_case_is_not_inverted() -> None:
    code = _REGION.replace("execz", "execnz").replace("done:", " s_endpgm\ndone:")
    code = code.replace("v_mov_b32 v2, v3", "ds_write_b32 v0, v1")
    (finding,) = inactive_lanes.check(build(fixture.parse(f"k:\n {code}{_STORE}\n"), "gfx900"))
    assert "EXEC is 0" in finding.message


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("s_mov_b64 exec, 0\n v_mov_b32 v1, 0\n ds_write_b32 v0, v1\n s_endpgm", 4),
        # The branch out of a loop.
        ("l:\n s_andn2_b64 exec, exec, vcc\n s_cbranch_execnz l\n ds_read_b32 v0, v1\n s_endpgm", 5),
        # In a macro, and past another branch.
        (f".macro put\n{_STORE}\n.endm\n {_REGION} put", 3),
        (f"{_REGION} s_cbranch_scc1 more\n s_nop 0\nmore:\n{_STORE}", 10),
        ("s_and_b64 exec, exec, vcc\n s_cbranch_execz e\n s_nop 0\ne:\n s_cbranch_execz f\n s_nop 0\nf:\n" + _STORE, 9),
    ],
)
def test_told(code: str, line: int) -> None:
    assert found(code) == [line]


@pytest.mark.parametrize(
    "code",
    [
        f"{_REGION} s_or_b64 exec, exec, s[6:7]\n{_STORE}",
        f"{_REGION} s_mov_b64 exec, s[6:7]\n{_STORE}",
        # The end of the program, scalar code, arithmetic and scratch need no lane.
        f"{_REGION} s_endpgm",
        f"{_REGION} s_load_dword s0, s[4:5], 0x0\n v_mov_b32 v0, 0\n s_endpgm",
        f"{_REGION} buffer_wbinvl1\n s_endpgm",
        # A loop whose last round leaves, and restores.
        "l:\n s_andn2_b64 exec, exec, vcc\n s_cbranch_execnz l\n s_mov_b64 exec, -1\n ds_read_b32 v0, v1\n s_endpgm",
        # Where the branch is not taken some lane is active.
        "s_and_b64 exec, exec, vcc\n s_cbranch_execz e\n ds_read_b32 v0, v1\ne:\n s_endpgm",
        # A call may restore it.
        f"{_REGION} s_swappc_b64 s[30:31], s[8:9]\n{_STORE}",
        # A branch that is never taken, as LLVM writes one.
        f"s_cbranch_execz done\n s_nop 0\ndone:\n{_STORE}",
        f"s_or_b64 exec, exec, s[6:7]\n s_cbranch_execz done\n s_nop 0\ndone:\n{_STORE}",
        # Half of EXEC in a wave of 64.
        "s_mov_b32 exec_lo, 0\n ds_read_b32 v0, v1\n s_endpgm",
    ],
)
def test_not_told(code: str) -> None:
    assert found(code) == []


def test_half_of_exec_is_all_of_it_in_a_wave_of_32() -> None:
    assert found("s_mov_b32 exec_lo, 0\n ds_load_b32 v0, v1\n s_endpgm", "gfx1100") == [3]


_SAVE = "s_and_saveexec_b64 s[6:7], vcc\n ds_write_b32 v0, v1\n"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (f"{_SAVE} s_barrier\n ds_read_b32 v0, v1\n s_endpgm", [2]),
        (f"{_SAVE} s_or_b64 exec, exec, s[6:7]\n s_barrier\n s_endpgm", []),
        (f"{_SAVE} s_mov_b64 exec, -1\n s_barrier\n s_endpgm", []),
        # Lanes that end early; no barrier; the mask is used later.
        ("s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_execz e\n s_barrier\ne:\n s_endpgm", []),
        (f"{_SAVE} s_endpgm", []),
        (f"{_SAVE} s_barrier\n s_or_b64 exec, exec, s[6:7]\n s_endpgm", []),
    ],
)
def test_masks_that_nothing_restores(code: str, lines: list[int]) -> None:
    assert found(code) == lines


_AROUND = "s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_execz join\n v_mov_b32 v1, 1.0\njoin:\n"
_GUARDED = " s_and_b64 exec, exec, s[8:9]\n s_cbranch_execz e\n ds_write_b32 v0, v1\ne:\n s_endpgm"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (f"{_AROUND} v_add_f32 v1, v1, v1\n{_GUARDED}", [2]),
        (f"{_AROUND} s_or_b64 exec, exec, s[6:7]\n{_GUARDED}", []),
        # Another copy, or an outer region's, which ends here too.
        (f"{_AROUND} s_mov_b64 exec, -1\n{_GUARDED}", []),
        (f"{_AROUND} s_or_b64 exec, exec, s[10:11]\n{_GUARDED}", []),
        (f"{_AROUND} v_add_f32 v1, v1, v1\n s_or_b64 exec, exec, s[6:7]\n{_GUARDED}", []),
        # Lanes end early: nothing is done for those that are off.
        ("s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_execz e\n ds_write_b32 v0, v1\ne:\n s_endpgm", []),
        # The mask is saved again in each round, or goes elsewhere.
        ("l:\n s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_execz l\n ds_write_b32 v0, v1\n s_endpgm", []),
        (f"{_AROUND} s_setpc_b64 s[30:31]", []),
    ],
)
def test_masks_that_nothing_restores_at_a_join(code: str, lines: list[int]) -> None:
    assert found(code) == lines


def test_on_gfx12_the_signal_is_the_barrier() -> None:
    code = "s_and_saveexec_b32 s6, vcc_lo\n s_barrier_signal -1\n s_barrier_wait -1\n s_endpgm"
    assert found(code, "gfx1200") == [2]


def test_after_an_include() -> None:
    check_diagnostics(
        """
        //- main.s target:gfx900
        s_and_b64 exec, exec, vcc
        s_cbranch_execz done
        s_nop 0
        done:
        .include "body.inc"
        s_endpgm
        //- body.inc
        ds_write_b32 v0, v1
        //<^^^^^^^^^^^^^^^^ warning[inactive-lanes]
        """
    )


def test_silent_on_a_whole_if_else() -> None:
    check_silent(
        """
        s_and_saveexec_b64 s[0:1], vcc
        s_xor_b64 s[0:1], exec, s[0:1]
        s_cbranch_execz else
        v_mov_b32 v2, 1
        else:
        s_andn2_saveexec_b64 s[0:1], s[0:1]
        s_cbranch_execz end
        v_mov_b32 v2, 2
        end:
        s_or_b64 exec, exec, s[0:1]
        ds_write_b32 v0, v2
        s_endpgm
        """
    )


def test_silent_on_the_lanes_of_the_other_case_in_other_registers() -> None:
    """As compilers write an if inside another, whose code saves a mask in the same registers."""
    check_silent(
        """
        s_and_saveexec_b64 s[6:7], vcc
        s_xor_b64 s[0:1], exec, s[6:7]
        s_cbranch_execz else
        s_mov_b64 s[6:7], s[36:37]
        v_mov_b32 v2, 1
        else:
        s_andn2_saveexec_b64 s[6:7], s[0:1]
        s_cbranch_execz end
        ds_write_b32 v0, v2
        end:
        s_or_b64 exec, exec, s[6:7]
        ds_write_b32 v0, v2
        s_endpgm
        """
    )


_NESTED = """
        v_cmp_gt_u32 vcc, s2, v0
        s_and_saveexec_b64 s[6:7], vcc
        s_cbranch_execz outer
        v_mov_b32 v2, v3
        {}
        outer:
        s_or_b64 exec, exec, s[6:7]
        global_store_dword v[4:5], v2, off
        s_endpgm
"""


def test_a_mask_that_an_inner_region_saves_in_the_same_registers() -> None:
    check_diagnostics(
        """
        v_cmp_gt_u32 vcc, s2, v0
        s_and_saveexec_b64 s[6:7], vcc
        s_cbranch_execz outer
        v_cmp_gt_u32 vcc, s3, v0
        s_and_saveexec_b64 s[6:7], vcc
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[inactive-lanes]: this overwrites `s[6:7]`, in which `s_and_saveexec_b64`
        s_cbranch_execz inner
        v_mov_b32 v2, v3
        inner:
        s_or_b64 exec, exec, s[6:7]
        outer:
        s_or_b64 exec, exec, s[6:7]
        global_store_dword v[4:5], v2, off
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    "code", ["s_mov_b64 s[6:7], 0", "s_mov_b32 s7, 0x400", "v_cmp_lt_u32 s[6:7], v2, v3", "s_add_u32 s6, s8, s9"]
)
def test_a_mask_that_is_overwritten(code: str) -> None:
    assert found(_NESTED.format(code)) == [7]


@pytest.mark.parametrize(
    "code",
    [
        "s_nop 0",
        # Put aside and brought back, by a copy that may be any.
        "s_mov_b64 s[8:9], s[6:7]\n s_mov_b64 s[6:7], 0\n s_mov_b64 s[6:7], s[8:9]",
        "s_mov_b64 s[6:7], s[8:9]",
        "v_readlane_b32 s6, v9, 0\n v_readlane_b32 s7, v9, 1",
        "s_load_dwordx2 s[6:7], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)",
        # Restored within, so that its registers are free.
        "s_or_b64 exec, exec, s[6:7]\n s_mov_b64 s[6:7], 0",
        "s_mov_b64 exec, -1\n s_mov_b64 s[6:7], 0",
        # All lanes; a mask that goes on from the one before; a function.
        "s_mov_b64 s[6:7], -1",
        "s_or_b64 s[6:7], s[6:7], vcc",
        "s_swappc_b64 s[30:31], s[28:29]\n s_mov_b64 s[6:7], 0",
        # The wave ends there.
        "s_mov_b64 s[6:7], 0\n s_endpgm",
        "s_mov_b32 s8, 0",
    ],
)
def test_a_mask_that_is_kept(code: str) -> None:
    assert found(_NESTED.format(code)) == []


_IF_ELSE = """
        s_and_saveexec_b64 s[0:1], vcc
        v_mov_b32 v2, 1
        {}
        v_mov_b32 v2, 2
        s_mov_b64 exec, s[0:1]
        ds_write_b32 v0, v2
        s_endpgm
"""


def test_lanes_of_the_other_case_taken_the_wrong_way_round() -> None:
    assert found(_IF_ELSE.format("s_andn2_b64 exec, exec, s[0:1]")) == [6]
    assert found(_IF_ELSE.format("s_andn2_b32 exec_lo, exec_lo, s0")) == []  # half of the lanes
    narrow = (
        _IF_ELSE.replace("b64", "b32").replace("exec,", "exec_lo,").replace("s[0:1]", "s0").replace("vcc", "vcc_lo")
    )
    assert found(narrow.format("s_and_not1_b32 exec_lo, exec_lo, s0"), "gfx1100") == [6]


@pytest.mark.parametrize(
    "code",
    [
        "s_andn2_b64 exec, s[0:1], exec",
        "s_xor_b64 exec, exec, s[0:1]",
        "s_andn2_b64 exec, exec, s[2:3]",
        "s_mov_b64 exec, -1\n s_andn2_b64 exec, exec, s[0:1]",
        "s_mov_b64 s[0:1], vcc\n s_andn2_b64 exec, exec, s[0:1]\n s_mov_b64 s[0:1], -1",
        "s_andn2_b64 exec, exec, s[0:1]\n s_mov_b64 exec, -1",
    ],
)
def test_lanes_of_the_other_case(code: str) -> None:
    assert found(_IF_ELSE.format(code)) == []


def test_a_mask_that_nothing_reads_again() -> None:
    check_diagnostics(
        """
        v_mov_b32 v2, 0
        v_cmp_gt_u32 vcc, s2, v0
        s_and_saveexec_b64 s[6:7], vcc
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^ information[inactive-lanes]: nothing reads `s[6:7]` again
        v_mov_b32 v2, v3
        v_cmp_gt_u32 vcc, s3, v0
        s_and_saveexec_b64 s[8:9], vcc
        v_mov_b32 v2, v4
        s_mov_b64 exec, s[8:9]
        global_store_dword v[4:5], v2, off
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    "code",
    [
        "s_mov_b64 exec, s[6:7]",
        "s_or_b64 exec, exec, s[6:7]",
        "v_mov_b32 v4, 0\n v_mov_b32 v5, 0\n s_endpgm",
        "s_mov_b64 exec, -1",
        "s_mov_b64 exec, s[10:11]",
        "s_mov_b64 s[8:9], s[6:7]",
        "s_swappc_b64 s[30:31], s[28:29]",
        "v_readlane_b32 s8, v1, 0\n s_branch elsewhere\n",
    ],
)
def test_a_mask_that_is_read_again(code: str) -> None:
    region = "v_mov_b32 v2, 0\n v_cmp_gt_u32 vcc, s2, v0\n s_and_saveexec_b64 s[6:7], vcc\n v_mov_b32 v2, v3\n"
    assert found(f"{region} {code}\n{_STORE}") == []
    assert found(f"{region} s_nop 0\n{_STORE}") == [4]


def test_a_bound_until_the_end() -> None:
    bound = "v_cmp_gt_u32 vcc, s2, v0\n s_and_saveexec_b64 s[6:7], vcc\n v_mov_b32 v2, v3\n"
    assert found(f"{bound}{_STORE}") == []
    assert found(f"v_cmp_gt_u32 vcc, s2, v0\n s_and_b64 exec, exec, vcc\n{_STORE}") == []


def test_a_mask_that_is_overwritten_behind_the_barrier() -> None:
    first = "v_cmp_eq_u32 vcc, 63, v5\n s_and_saveexec_b64 s[6:7], vcc\n ds_write_b32 v0, v1\n s_waitcnt lgkmcnt(0)\n"
    second = "s_barrier\n v_cmp_eq_u32 vcc, 0, v0\n s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_execz done\n"
    end = " ds_read_b32 v2, v0\n s_waitcnt lgkmcnt(0)\n global_store_dword v[4:5], v2, off\ndone:\n s_endpgm"
    assert found(f"{first} {second}{end}") == [3]
    assert found(f"{first} s_mov_b64 exec, s[6:7]\n {second}{end}") == []


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("s_and_b64 exec, exec, vcc\n s_cbranch_scc1 e\n ds_read_b32 v0, v1\ne:\n s_endpgm", [4]),
        (
            "s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_scc0 e\n v_mov_b32 v0, 0\ne:\n ds_read_b32 v0, v1\n s_endpgm",
            [6],
        ),
        ("s_and_b64 exec, exec, vcc\n s_cbranch_scc0 e\n ds_read_b32 v0, v1\ne:\n s_endpgm", []),
        # Another SCC, a half of EXEC, and EXEC written since.
        ("s_and_b64 exec, exec, vcc\n s_cmp_eq_u32 s4, 0\n s_cbranch_scc1 e\n ds_read_b32 v0, v1\ne:\n s_endpgm", []),
        ("s_and_b32 exec_lo, exec_lo, s4\n s_cbranch_scc1 e\n ds_read_b32 v0, v1\ne:\n s_endpgm", []),
        ("s_and_b64 s[4:5], exec, vcc\n s_cbranch_scc1 e\n ds_read_b32 v0, v1\ne:\n s_endpgm", []),
        ("s_and_b64 exec, exec, vcc\n s_mov_b64 exec, -1\n s_cbranch_scc1 e\n ds_read_b32 v0, v1\ne:\n s_endpgm", []),
    ],
)
def test_branches_on_the_scc_of_exec(code: str, lines: list[int]) -> None:
    assert found(code) == lines


# -- loops that take lanes away in each round ----------------------------------------------------------------------

_ROUNDS = " s_lshr_b32 s12, s12, 1\n s_cmp_lg_u32 s12, 0\n s_cbranch_scc1 l\n"
_REDUCTION = (
    "s_movk_i32 s12, 0x80\nl:\n s_barrier\n v_cmp_gt_u32 vcc, s12, v0\n s_and_saveexec_b64 s[6:7], vcc\n"
    " s_cbranch_execz m\n ds_read_b32 v1, v5\n ds_write_b32 v5, v1\nm:\n{restore}" + _ROUNDS + "{after}"
    " ds_read_b32 v1, v5\n s_waitcnt lgkmcnt(0)\n global_store_dword v[2:3], v1, off\ne:\n s_endpgm"
)


def _only(lane: str) -> str:
    return f" v_cmp_eq_u32 vcc, {lane}, v0\n s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_execz e\n"


def test_a_reduction_that_does_not_give_its_lanes_back() -> None:
    check_diagnostics(
        """
        s_movk_i32 s12, 0x80
        l:
        s_barrier
        v_cmp_gt_u32 vcc, s12, v0
        s_and_saveexec_b64 s[6:7], vcc
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[inactive-lanes]: stay off after the loop, at the access on line 15
        s_cbranch_execz m
        ds_write_b32 v5, v1
        m:
        s_lshr_b32 s12, s12, 1
        s_cmp_lg_u32 s12, 0
        s_cbranch_scc1 l
        v_cmp_eq_u32 vcc, 255, v0
        s_and_saveexec_b64 s[6:7], vcc
        global_store_dword v[2:3], v1, off
        s_endpgm
        """
    )


def test_the_lanes_that_a_reduction_needs_afterwards() -> None:
    assert found(_REDUCTION.format(restore="", after=_only("255"))) == [6]
    assert found(_REDUCTION.format(restore="", after="")) == [14]
    # The first lane is there until the end, and what is given back is not missing.
    assert found(_REDUCTION.format(restore="", after=_only("0"))) == []
    assert found(_REDUCTION.format(restore=" s_or_b64 exec, exec, s[6:7]\n", after=_only("255"))) == []
    assert found(_REDUCTION.format(restore=" s_mov_b64 exec, s[6:7]\n", after="")) == []
    assert found(_REDUCTION.format(restore="", after=" s_mov_b64 exec, -1\n" + _only("255"))) == []
    fixed = _REDUCTION.replace("s12, v0", "32, v0")  # the same lanes in each round
    assert found(fixed.format(restore="", after=_only("31"))) == []
    assert found(fixed.format(restore="", after=_only("40"))) == [6]


_TILE = (
    "s_mov_b32 s12, 0\nl:\n global_load_dword v4, v[2:3], off\n{}\n ds_read_b32 v6, v7\n s_waitcnt lgkmcnt(0)\n{}"
    " s_add_u32 s12, s12, 16\n s_cmp_lt_u32 s12, s10\n s_cbranch_scc1 l\n s_endpgm"
)
_SOME = " v_cmp_gt_u32 vcc, 32, v0\n s_and_saveexec_b64 s[6:7], vcc"


def test_an_access_that_all_lanes_make_in_the_first_round_only() -> None:
    assert found(_TILE.format(_SOME, "")) == [6]
    assert found(_TILE.format(_SOME, " s_or_b64 exec, exec, s[6:7]\n")) == []
    assert found(_TILE.format(_SOME, " s_mov_b64 exec, -1\n")) == []
    # A copy is meant to be used, and without a mask that is kept the lanes may be meant to go.
    assert found(_TILE.format(_SOME, " s_mov_b64 s[8:9], s[6:7]\n")) == []
    assert found(_TILE.format(" v_cmp_gt_u32 vcc, 32, v0\n s_and_b64 exec, exec, vcc", "")) == []
    kept = " s_mov_b64 s[6:7], exec\n v_cmp_gt_u32 vcc, 32, v0\n s_and_b64 exec, exec, vcc"
    assert found(_TILE.format(kept, "")) == [7]
    assert found(_TILE.format(kept, " s_mov_b64 exec, s[6:7]\n")) == []


def test_a_region_beside_one_that_is_restored() -> None:
    other = "\n s_or_b64 exec, exec, s[6:7]\n v_cmp_gt_u32 vcc, 8, v1\n s_and_saveexec_b64 s[8:9], vcc"
    assert found(_TILE.format(_SOME + other, "")) == [9]
    assert found(_TILE.format(_SOME + other, " s_or_b64 exec, exec, s[8:9]\n")) == []
    # Around it: the outer mask has the lanes that the inner one took away.
    inner = "\n v_cmp_gt_u32 vcc, 8, v1\n s_and_saveexec_b64 s[8:9], vcc"
    assert found(_TILE.format(_SOME + inner, " s_or_b64 exec, exec, s[6:7]\n")) == []


@pytest.mark.parametrize(
    "way_out",
    [
        # Lanes leave the loop, which ends when none is left.
        " s_cbranch_execnz l\n",
        " s_cbranch_execz e\n s_branch l\n",
        " s_cmp_lg_u64 exec, 0\n s_cbranch_scc1 l\n",
        " v_cmp_gt_u32 vcc, 9, v4\n s_cbranch_vccnz l\n",
        " s_bcnt1_i32_b64 s4, exec\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l\n",
    ],
)
def test_lanes_that_leave_a_loop(way_out: str) -> None:
    body = f"l:\n global_load_dword v4, v[2:3], off\n{_SOME}\n v_add_u32 v0, v0, v1\n{way_out}"
    assert found(f"{body} s_mov_b64 exec, -1\n ds_write_b32 v0, v4\ne:\n s_endpgm") == []


@pytest.mark.parametrize("target", ["gfx1030", "gfx1100", "gfx1201"])
def test_loops_of_waves_of_32(target: str) -> None:
    add = "s_add_co_i32" if target == "gfx1201" else "s_add_i32"
    code = (
        "s_mov_b32 s12, 0\nl:\n global_{} v4, v[2:3], off\n{}\n ds_{} v6, v4\n{}"
        f" {add} s12, s12, 16\n s_cmp_lt_u32 s12, s10\n s_cbranch_scc1 l\n s_endpgm"
    )
    load, store = ("load_dword", "write_b32") if target == "gfx1030" else ("load_b32", "store_b32")
    some = " v_cmp_gt_u32 vcc_lo, 32, v0\n s_and_saveexec_b32 s6, vcc_lo"
    assert found(code.format(load, some, store, ""), target) == [6]
    assert found(code.format(load, some, store, " s_or_b32 exec_lo, exec_lo, s6\n"), target) == []
    compared = " s_mov_b32 s6, exec_lo\n v_cmpx_gt_u32 32, v0"
    assert found(code.format(load, compared, store, ""), target) == [6]
    assert found(code.format(load, compared, store, " s_mov_b32 exec_lo, s6\n"), target) == []


@pytest.mark.parametrize(
    ("code", "target"),
    [
        ("s_mov_b32 s6, exec_lo\n v_cmpx_gt_u32 32, v0\n ds_store_b32 v0, v1\n {}\n s_barrier\n s_endpgm", "gfx1100"),
        (
            "s_mov_b32 s6, exec_lo\n v_cmpx_gt_u32 32, v0\n s_cbranch_execz m\n ds_store_b32 v0, v1\nm:\n {}\n"
            " s_and_saveexec_b32 s7, s8\n ds_load_b32 v0, v1\n s_endpgm",
            "gfx1201",
        ),
        (
            "s_mov_b64 s[6:7], exec\n s_and_b64 exec, exec, vcc\n ds_write_b32 v0, v1\n {}\n s_barrier\n s_endpgm",
            "gfx90a",
        ),
    ],
)
def test_a_copy_of_exec_that_nothing_gives_back(code: str, target: str) -> None:
    assert found(code.format("s_nop 0"), target) == [3]
    restore = "s_mov_b64 exec, s[6:7]" if target == "gfx90a" else "s_or_b32 exec_lo, exec_lo, s6"
    assert found(code.format(restore), target) == []


_CASES = (
    "v_cmp_gt_u32 vcc, s2, v0\n s_and_saveexec_b64 s[0:1], vcc\n s_xor_b64 s[0:1], exec, s[0:1]\n v_mov_b32 v2, 1\n"
    " s_andn2_saveexec_b64 s[0:1], s[0:1]\n v_mov_b32 v2, 2\n {}\n s_barrier\n ds_write_b32 v0, v2\n s_endpgm"
)


def test_the_lanes_of_the_first_case_after_the_second() -> None:
    assert found(_CASES.format("s_nop 0")) == [6]
    assert found(_CASES.format("s_or_b64 exec, exec, s[0:1]")) == []
    assert found(_CASES.format("s_mov_b64 exec, -1")) == []
    join = _CASES.replace(" v_mov_b32 v2, 2", " s_cbranch_execz m\n v_mov_b32 v2, 2\nm:").replace(" s_barrier\n", "")
    assert found(join.format("s_nop 0")) == [11]  # which no lane makes if all took the first case
    assert found(join.format("s_or_b64 exec, exec, s[0:1]")) == []


# A loop that lanes leave, as compilers write it: entered in the middle, with its end before its head.
_LEFT = (
    "s_mov_b64 s[4:5], 0\n s_branch h\nt:\n {}\n s_and_b64 s[8:9], exec, s[8:9]\n s_or_b64 s[4:5], s[8:9], s[4:5]\n"
    " s_andn2_b64 exec, exec, s[4:5]\n s_cbranch_execz e\nh:\n global_load_dword v6, v[2:3], off\n"
    " s_waitcnt vmcnt(0)\n v_cmp_gt_f32 vcc, 0, v6\n s_mov_b64 s[8:9], -1\n s_and_saveexec_b64 s[10:11], vcc\n"
    " s_cbranch_execz t\n v_add_u32 v4, 1, v4\n v_cmp_le_i32 vcc, s7, v4\n s_orn2_b64 s[8:9], vcc, exec\n s_branch t\n"
    "e:\n s_or_b64 exec, exec, s[4:5]\n s_endpgm"
)


def test_lanes_of_a_region_in_a_loop_that_others_leave() -> None:
    assert found(_LEFT.format("s_nop 0")) == [15]
    assert found(_LEFT.format("s_or_b64 exec, exec, s[10:11]")) == []
    # Those that leave are meant to, wherever the branch for it is.
    assert found(_LEFT.replace("s_cbranch_execz t\n", "s_cbranch_execz e\n").format("s_nop 0")) == []


def test_one_of_several_regions_of_a_round() -> None:
    region = (
        " global_load_dword v5, v[2:3], off\n s_waitcnt vmcnt(0)\n v_cmp_gt_f32 vcc, 0, v5\n"
        " s_and_saveexec_b64 s[6:7], vcc\n s_xor_b64 s[6:7], exec, s[6:7]\n v_mov_b32 v7, 0\n"
        " s_andn2_saveexec_b64 s[6:7], s[6:7]\n v_mov_b32 v7, 1\n {}\n"
    )
    end = " s_add_u32 s4, s4, 1\n s_cmp_lg_u32 s4, s5\n s_cbranch_scc1 l\n s_endpgm"
    restore = "s_or_b64 exec, exec, s[6:7]"
    code = f"s_mov_b32 s4, 0\nl:\n{region}{region}{end}"
    assert found(code.format(restore, restore)) == []
    assert found(code.format(restore, "s_nop 0")) == [19]
    assert found(code.format("s_nop 0", restore)) == [10]


# -- registers that hold no mask -----------------------------------------------------------------------------------


def test_a_mask_of_which_a_register_is_overwritten() -> None:
    check_diagnostics(
        """
        s_mov_b64 s[10:11], exec
        l:
        v_cmp_gt_u32 vcc, s8, v2
        s_and_b64 exec, exec, vcc
        s_cbranch_execz done
        s_mov_b32 s10, 5
        //<^^^^^^^^^^^^^ warning[inactive-lanes]: this overwrites `s[10:11]`, in which `s_mov_b64` on line 1
        v_add_u32 v2, 64, v2
        s_branch l
        done:
        s_mov_b64 exec, s[10:11]
        global_store_dword v[4:5], v2, off
        s_endpgm
        """
    )


_KEPT = (
    "v_cmp_gt_u32 vcc, s8, v2\n s_and_saveexec_b64 s[10:11], vcc\n v_mov_b32 v2, 0\n {}\n"
    " s_mov_b64 exec, s[10:11]\n global_store_dword v[4:5], v2, off\n s_endpgm"
)


@pytest.mark.parametrize(
    "code",
    [
        "s_mov_b32 s11, 0x400",
        "s_add_u32 s10, s10, 1",
        "s_load_dword s10, s[0:1], 0x0\n s_waitcnt lgkmcnt(0)",
        "s_mul_i32 s11, s2, s3",
        # On one of two ways.
        "s_cbranch_scc1 m\n s_lshl_b32 s10, s2, 3\nm:",
    ],
)
def test_a_number_in_a_half_of_a_mask(code: str) -> None:
    assert len(found(_KEPT.format(code))) == 1


@pytest.mark.parametrize(
    "code",
    [
        # Half of the lanes on purpose, logic on the mask, a copy put back, and both halves.
        "s_mov_b32 s11, 0",
        "s_mov_b32 s11, -1",
        "s_and_b32 s10, s10, 0xff",
        "s_mov_b32 s12, s10\n s_mov_b32 s10, 5\n s_mov_b32 s10, s12",
        "s_mov_b32 s10, 5\n s_mov_b32 s11, 0",
        "v_readlane_b32 s10, v9, 0",
        "s_mov_b32 s12, 5",
        "s_cbranch_scc1 m\n s_lshl_b32 s10, s2, 3\n s_endpgm\nm:",
    ],
)
def test_halves_of_masks(code: str) -> None:
    assert found(_KEPT.format(code)) == []


def test_a_mask_that_is_overwritten_on_one_way_in_a_wave_of_32() -> None:
    code = (
        "v_cmp_gt_u32 vcc_lo, s8, v2\n s_and_saveexec_b32 s10, vcc_lo\n s_cbranch_scc1 m\n {}\nm:\n"
        " s_or_b32 exec_lo, exec_lo, s10\n global_store_b32 v[4:5], v2, off\n s_endpgm"
    )
    assert found(code.format("s_mov_b32 s10, 5"), "gfx1100") == [5]
    assert found(code.format("s_mov_b32 s9, 5"), "gfx1100") == []
    assert found(code.replace(" s_cbranch_scc1 m\n", "").format("s_mov_b32 s10, 5"), "gfx1100") == []  # on purpose


def test_a_half_of_the_lanes_of_the_other_case() -> None:
    code = (
        "v_cmp_gt_u32 vcc, s8, v2\n s_and_saveexec_b64 s[10:11], vcc\n s_xor_b64 s[10:11], exec, s[10:11]\n {}\n"
        " v_mov_b32 v2, 0\n s_andn2_saveexec_b64 s[10:11], s[10:11]\n v_mov_b32 v2, 1\n"
        " s_or_b64 exec, exec, s[10:11]\n global_store_dword v[4:5], v2, off\n s_endpgm"
    )
    assert found(code.format("s_mov_b32 s10, 64")) == [5]
    assert found(code.format("s_mov_b32 s12, 64")) == []
    assert found(code.format("s_mov_b64 s[10:11], s[12:13]")) == []


_WRONG = (
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\n s_load_dword s8, s[0:1], 0x10\n s_waitcnt lgkmcnt(0)\n"
    " s_mul_i32 s9, s2, s8\n s_lshl_b32 s12, s9, 2\n s_lshl_b32 s9, s9, 2\n s_mul_i32 s13, s2, s3\n"
    " s_add_u32 s14, s4, s9\n s_addc_u32 s15, s5, 0\n v_cmp_gt_u32 vcc, s8, v0\n s_and_saveexec_b64 s[10:11], vcc\n"
    " global_load_dword v2, v0, s[4:5]\n global_load_dword v3, v0, s[14:15]\n s_waitcnt vmcnt(0)\n"
    " s_mov_b64 exec, s[{}]\n s_or_b64 exec, exec, s[10:11]\n global_store_dword v0, v2, s[6:7]\n s_endpgm"
)


def test_registers_that_hold_no_mask() -> None:
    for wrong in ("8:9", "12:13", "4:5", "6:7", "14:15"):
        (finding,) = inactive_lanes.check(build(fixture.parse(f"k:\n {_WRONG.format(wrong)}\n"), "gfx900"))
        assert finding.where.line == 15
        said = "holds an address here" if wrong in ("4:5", "6:7", "14:15") else "holds numbers here"
        assert f"`s[{wrong}]` {said}" in str(finding.message)
        (fix,) = finding.fixes
        assert [edit.new_text for edit in fix.edits] == ["s[10:11]"]
    assert found(_WRONG.format("10:11")) == []
    assert found(_WRONG.format("20:21")) == []  # another rule's: nothing wrote them


def test_a_register_that_holds_no_mask_in_a_wave_of_32() -> None:
    check_diagnostics(
        """
        v_cmp_gt_u32 vcc_lo, s8, v0
        s_mul_i32 s13, s2, s3
        s_and_saveexec_b32 s10, vcc_lo
        v_add_nc_u32 v1, 2, v1
        s_mov_b32 exec_lo, s13
      //^^^^^^^^^^^^^^^^^^^^^^ warning[inactive-lanes]: `s13` holds numbers here, and no mask of lanes: `s_mul_i32`
        global_store_b32 v2, v1, s[4:5]
        s_endpgm
        """,
        "gfx1100",
    )


@pytest.mark.parametrize("made", ["s_mul_i32 s13, s2, 0x1010101", "s_lshl_b32 s13, 1, s2", "s_load_b32 s13, s[0:1], 0"])
def test_a_mask_that_is_computed_in_a_wave_of_32(made: str) -> None:
    code = "{}\n s_waitcnt lgkmcnt(0)\n s_mov_b32 exec_lo, s13\n global_store_b32 v2, v1, s[4:5]\n s_endpgm"
    assert found(code.format(made), "gfx1100") == []
    assert found(code.format("s_mul_i32 s13, s2, s3"), "gfx1100") == [4]


def test_masks_from_elsewhere() -> None:
    code = "{}\n s_waitcnt lgkmcnt(0)\n s_mov_b64 exec, s[8:9]\n ds_write_b32 v0, v1\n s_endpgm"
    for made in (
        "s_load_dwordx2 s[8:9], s[0:1], 0x0",
        "s_load_dword s8, s[0:1], 0x0\n s_load_dword s9, s[0:1], 0x4",
        "s_lshl_b64 s[8:9], s[8:9], s4",
        "s_sub_u32 s8, s8, 1\n s_subb_u32 s9, s9, 0",
        "s_bfm_b64 s[8:9], s4, 0",
        "v_readfirstlane_b32 s8, v2\n v_readfirstlane_b32 s9, v3",
        "s_load_dword s8, s[0:1], 0x0\n s_mov_b32 s9, 0",
        "s_lshl_b32 s8, 1, s4\n s_mov_b32 s9, 0",
    ):
        assert found(code.format(made)) == []


# -- code that no wave runs with lanes -----------------------------------------------------------------------------


def test_vector_instructions_behind_a_loop_without_lanes() -> None:
    check_diagnostics(
        """
        s_mov_b64 s[10:11], exec
        next:
        v_cmp_gt_u32 vcc, s8, v0
        s_and_b64 exec, exec, vcc
        s_cbranch_execz out
        v_add_u32 v0, 64, v0
        v_add_f32 v5, 1.0, v5
        s_branch next
        out:
        v_add_f32 v5, 2.0, v5
        //<^^^^^^^^^^^^^^^^^^ warning[inactive-lanes]: no lane is active here: control only comes from line 5
        s_mov_b64 exec, s[10:11]
        global_store_dword v[2:3], v5, off
        s_endpgm
        """
    )


_OUT = (
    "s_mov_b64 s[10:11], exec\nn:\n v_cmp_gt_u32 vcc, s8, v0\n s_and_b64 exec, exec, vcc\n {branch}\n"
    " v_add_u32 v0, 64, v0\n {before}\n s_branch n\no:\n {behind}\n s_mov_b64 exec, s[10:11]\n"
    " global_store_dword v[2:3], v5, off\n s_endpgm"
)


@pytest.mark.parametrize(
    ("behind", "branch", "before", "lines"),
    [
        ("ds_bpermute_b32 v5, v1, v5", "s_cbranch_execz o", "", [11]),
        ("s_nop 0\n v_cmp_eq_u32 vcc, 0, v1", "s_cbranch_execz o", "", [12]),
        ("s_and_saveexec_b64 s[12:13], vcc\n v_mov_b32 v5, 0", "s_cbranch_execz o", "", [12]),
        ("s_and_b64 exec, exec, vcc\n s_cbranch_execz p\n s_nop 0\np:\n v_mov_b32 v5, 0", "s_cbranch_execz o", "", []),
        ("s_nop 0", "s_cbranch_execz o", "", []),
        # What other code reads whatever the lanes are: one lane, spilled scalars, scratch.
        ("v_readfirstlane_b32 s4, v5\n v_readlane_b32 s5, v5, 3", "s_cbranch_execz o", "", []),
        ("v_writelane_b32 v5, s4, 3", "s_cbranch_execz o", "", []),
        ("v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]", "s_cbranch_execz o", "", []),
        ("scratch_load_dword v5, off, s33", "s_cbranch_execz o", "", []),
        # Waves with lanes come here, too; the branch does not say that there are none.
        ("v_mov_b32 v5, 0", "s_cbranch_execz o", "s_cbranch_vccz o", []),
        ("v_mov_b32 v5, 0", "s_cbranch_vccz o", "", []),
        ("s_or_b64 exec, exec, s[10:11]\n v_mov_b32 v5, 0", "s_cbranch_execz o", "", []),
    ],
)
def test_what_does_nothing_without_lanes(behind: str, branch: str, before: str, lines: list[int]) -> None:
    assert found(_OUT.format(behind=behind, branch=branch, before=before), "gfx90a") == lines


def test_a_branch_turned_round_before_further_ones() -> None:
    code = (
        "s_and_b64 exec, exec, vcc\n {} e\n v_mov_b32 v1, 0\n v_cmp_gt_u32 vcc, 7, v0\n s_and_b64 exec, exec, vcc\n"
        " s_cbranch_execz e\n global_store_dword v[2:3], v1, off\ne:\n s_endpgm"
    )
    assert found(code.format("s_cbranch_execnz")) == [4]
    assert found(code.format("s_cbranch_execz")) == []


# -- branches that leave a restore out -----------------------------------------------------------------------------

_SKIP = (
    "v_cmp_gt_u32 vcc, s8, v0\n s_and_saveexec_b64 s[6:7], vcc\n s_cbranch_execz {to}\n ds_read_b32 v1, v0\nm:\n"
    " s_mov_b64 exec, s[6:7]\nn:\n {after}\n s_and_saveexec_b64 s[6:7], vcc\n ds_write_b32 v0, v1\n s_endpgm"
)
_OTHER = "v_cmp_gt_u32 vcc, s9, v3"


def test_a_branch_that_leaves_the_restore_out() -> None:
    check_diagnostics(
        """
        v_cmp_gt_u32 vcc, s8, v0
        s_and_saveexec_b64 s[6:7], vcc
        s_cbranch_execz next
        //<^^^^^^^^^^^^^^^^^ warning[inactive-lanes]: after `s_mov_b64` on line 6, which gives its lanes back
        v_mov_b32 v1, v0
        s_mov_b64 exec, s[6:7]
        next:
        v_cmp_gt_u32 vcc, s9, v3
        s_and_saveexec_b64 s[6:7], vcc
        ds_write_b32 v0, v1
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (_SKIP.format(to="n", after=_OTHER), [4]),
        (_SKIP.format(to="n", after="v_cmp_eq_u32 vcc, 63, v0"), [4]),
        (_SKIP.format(to="m", after=_OTHER), []),
        # Fewer of the same lanes, the first one, or nobody knows which: a wave without lanes has none of them.
        (_SKIP.format(to="n", after="v_cmp_gt_u32 vcc, s9, v0"), []),
        (_SKIP.format(to="n", after="v_cmp_eq_u32 vcc, 0, v0"), []),
        (_SKIP.format(to="n", after="s_mov_b64 vcc, s[10:11]"), []),
        # Given back there by another copy; the end.
        (_SKIP.format(to="n", after=f"s_mov_b64 exec, -1\n {_OTHER}"), []),
        (_SKIP.format(to="n", after=f"s_or_b64 exec, exec, s[6:7]\n {_OTHER}"), []),
        (_SKIP.format(to="n", after="s_endpgm"), []),
    ],
)
def test_branches_around_a_restore(code: str, lines: list[int]) -> None:
    assert found(code) == lines

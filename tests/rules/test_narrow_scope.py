"""Flags that a wave reads where it does not see what other work-groups store."""

import pytest

from tests.rules import protocols
from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "narrow-scope"
LOOP = "l:\n{load}\n{wait}\nv_readfirstlane_b32 s8, v1\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc1 l\n"
BLOCKS = (
    "l:\n{load}\n{wait}\nv_readfirstlane_b32 s8, v1\ns_cmp_eq_u32 s8, 1\ns_cbranch_scc1 go\n"
    "s_sleep 2\ns_branch l\ngo:\n"
)
LANES = (
    "l:\n{load}\n{wait}\nv_cmp_ne_u32 vcc_lo, 0, v1\ns_or_b32 s4, vcc_lo, s4\n"
    "s_andn2_b32 exec_lo, exec_lo, s4\ns_cbranch_execnz l\ns_or_b32 exec_lo, exec_lo, s4\n"
)
ROWS = [
    ("gfx900", "global_load_dword v1, v[2:3], off", " glc", "buffer_wbinvl1_vol"),
    ("gfx90a", "global_load_dword v1, v0, s[0:1]", " glc", "buffer_wbinvl1_vol"),
    ("gfx942", "global_load_dword v1, v0, s[0:1]", " sc1", "buffer_inv sc1"),
    ("gfx950", "global_load_dword v1, v0, s[0:1] sc0", " sc1", "s_nop 0\nbuffer_inv sc1"),
    ("gfx1030", "global_load_dword v1, v0, s[0:1]", " glc dlc", "buffer_gl1_inv\nbuffer_gl0_inv"),
    ("gfx1030", "global_load_dword v1, v0, s[0:1] glc", " dlc", "buffer_gl1_inv\nbuffer_gl0_inv"),
    ("gfx1100", "buffer_load_b32 v1, off, s[0:3], 0", " glc", "buffer_gl1_inv\nbuffer_gl0_inv"),
    ("gfx1201", "global_load_b32 v1, v0, s[0:1]", " scope:SCOPE_DEV", "global_inv scope:SCOPE_DEV"),
    ("gfx1250", "flat_load_b32 v1, v[2:3]", " scope:SCOPE_DEV", "global_inv scope:SCOPE_SYS"),
]


def _kernel(target: str, shape: str, load: str, after: str) -> str:
    wait = "s_wait_loadcnt_dscnt 0x0" if target.startswith("gfx12") else "s_waitcnt vmcnt(0) lgkmcnt(0)"
    return f"//- k.s target:{target}\nk:\n{shape.format(load=load, wait=wait)}{after}\ns_endpgm\n"


def test_the_load_and_what_it_lacks() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx942
        l:
          global_load_dword v1, v0, s[0:1]
        //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[narrow-scope]: without `sc1` the load need not see what other
          s_waitcnt vmcnt(0)
          v_readfirstlane_b32 s4, v1
          s_cmp_eq_u32 s4, 0
          s_cbranch_scc1 l
          buffer_inv sc1
          s_endpgm
        """
    )


@pytest.mark.parametrize("shape", [LOOP, BLOCKS])
@pytest.mark.parametrize(("target", "load", "added", "after"), ROWS)
def test_each_target(target: str, load: str, added: str, after: str, shape: str) -> None:
    found = [each for each in findings(_kernel(target, shape, load, after)) if each.rule == RULE]
    assert [f"`{added.strip()}`" in each.message for each in found] == [True]
    check_no_finding(_kernel(target, shape, load + added, after), RULE)


def test_a_loop_that_lanes_leave_one_by_one() -> None:
    load, after = "global_load_dword v1, v[2:3], off", "buffer_gl1_inv\nbuffer_gl0_inv"
    assert RULE in [each.rule for each in findings(_kernel("gfx1030", LANES, load, after))]
    check_no_finding(_kernel("gfx1030", LANES, f"{load} glc dlc", after), RULE)


@pytest.mark.parametrize(
    ("target", "load", "after"),
    [
        ("gfx942", "global_load_dword v1, v0, s[0:1]", ""),  # for a wave of the same work-group
        ("gfx942", "global_load_dword v1, v0, s[0:1]", "buffer_inv sc0"),
        ("gfx1030", "global_load_dword v1, v0, s[0:1] glc", "buffer_gl0_inv"),
        ("gfx1201", "global_load_b32 v1, v0, s[0:1]", "global_inv scope:SCOPE_SE"),
        ("gfx942", "global_load_dword v1, v0, s[0:1]", "s_barrier\nbuffer_inv sc1"),  # of the barrier
        ("gfx942", "global_load_dword v1, v0, s[0:1]\nbuffer_inv sc1", "buffer_inv sc1"),
        ("gfx942", "global_load_dword v1, v0, s[0:1]\nv_add_u32 v0, 4, v0", "buffer_inv sc1"),  # a search
        ("gfx942", "global_atomic_or v1, v0, v5, s[0:1] sc0", "buffer_inv sc1"),
        ("gfx942", "global_load_dword v1, v0, s[0:1]\nglobal_load_dword v6, v0, s[2:3]", "buffer_inv sc1"),
    ],
)
def test_silent(target: str, load: str, after: str) -> None:
    for shape in (LOOP, BLOCKS):
        check_no_finding(_kernel(target, shape, load, after), RULE)


def test_a_loop_that_counts_its_rounds() -> None:
    rounds = "l:\nglobal_load_dword v1, v0, s[0:1]\ns_waitcnt vmcnt(0)\ns_sub_u32 s8, s8, 1\ns_cmp_eq_u32 s8, 0\n"
    check_no_finding(f"//- k.s target:gfx942\n{rounds}s_cbranch_scc0 l\nbuffer_inv sc1\ns_endpgm\n", RULE)


@pytest.mark.parametrize(("target", "load", "added", "after"), [ROWS[3], ROWS[4], ROWS[7]])
def test_the_fix_adds_what_is_missing(target: str, load: str, added: str, after: str) -> None:
    before, wanted = (_kernel(target, LOOP, text, after) for text in (f"{load}$0", f"{load}{added}"))
    check_fix(before, wanted.split("\n", 1)[1], rule=RULE)


@pytest.mark.parametrize(
    ("kernel", "old", "new", "lacking"),
    [
        (protocols.LAST_GFX1201, "RETURN scope:SCOPE_DEV", "RETURN", "`scope:SCOPE_DEV`"),
        (protocols.LAST_GFX1201, "RETURN scope:SCOPE_DEV", "RETURN scope:SCOPE_SE", "`scope:SCOPE_DEV`"),
        (protocols.FLAG_GFX1201, "v4, s[6:7] scope:SCOPE_DEV", "v4, s[6:7]", "`scope:SCOPE_DEV`"),
        (protocols.FLAG_GFX942, "v4, s[6:7] sc1", "v4, s[6:7]", "`sc1`"),
    ],
)
def test_flags_and_counts_that_others_need_not_see(kernel: str, old: str, new: str, lacking: str) -> None:
    (finding,) = [each for each in findings(protocols.fixture(kernel, old, new)) if each.rule == RULE]
    assert lacking in str(finding.message)
    assert bool(finding.fixes) == ("SE" not in new)


def test_a_count_without_a_release() -> None:
    text = protocols.fixture(protocols.LAST_GFX1201, "RETURN scope:SCOPE_DEV", "RETURN")
    check_no_finding(text.replace("global_inv scope:SCOPE_DEV", "global_inv scope:SCOPE_SE"), RULE)

"""Data that may come from a cache that is older than the flag."""

import pytest

from tests.rules import protocols
from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "incomplete-acquire"
USE = "global_load_dword v2, v0, s[2:3]\ns_waitcnt vmcnt(0)\nglobal_store_dword v0, v2, s[2:3]\ns_endpgm\n"
POLL = (
    "l:\nglobal_load_dword v1, v0, s[0:1] {}\ns_waitcnt vmcnt(0)\n{}"
    "v_readfirstlane_b32 s8, v1\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc1 l\n"
)
BLOCKS = (
    "l:\nglobal_load_dword v1, v0, s[0:1] {}\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v1\ns_cmp_eq_u32 s8, 1\n"
    "s_cbranch_scc1 go\ns_sleep 2\n{}s_branch l\ngo:\n"
)


def test_an_invalidation_before_the_flag_has_arrived() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx942
        global_load_dword v1, v0, s[0:1] sc1
        buffer_inv sc1
        //<^^^^^^^^^^^ warning[incomplete-acquire]: `global_load_dword` on line 1 may return after this
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx900", "global_load_dword v1, v0, s[0:1] glc\nbuffer_wbinvl1_vol\ns_endpgm\n"),
        ("gfx1030", "global_load_dword v1, v0, s[0:1] glc dlc\nbuffer_gl1_inv\nbuffer_gl0_inv\ns_endpgm\n"),
        ("gfx1200", "global_load_b32 v1, v0, s[0:1] scope:SCOPE_DEV\nglobal_inv scope:SCOPE_DEV\ns_endpgm\n"),
        ("gfx1030", "global_atomic_or v0, v1, s[0:1]\nbuffer_gl1_inv\nbuffer_gl0_inv\ns_endpgm\n"),
        ("gfx90a", f"{POLL.format('glc', '')}{USE}"),
        ("gfx942", f"{POLL.format('sc1', 's_sleep 1' + chr(10))}s_barrier\n{USE}"),
        ("gfx942", f"{BLOCKS.format('sc1', '')}{USE}"),
        ("gfx1030", f"{BLOCKS.format('glc dlc', '')}{USE}"),
        # The far cache alone is not enough.
        ("gfx1030", f"{POLL.format('glc dlc', 'buffer_gl1_inv' + chr(10))}{USE}"),
    ],
)
def test_found(target: str, text: str) -> None:
    assert [each.rule for each in findings(f"//- k.s target:{target}\nk:\n{text}") if each.rule == RULE] == [RULE]


@pytest.mark.parametrize("lines", [0, 58, 59, 60, 61, 62, 63])
def test_a_loop_across_chunks(lines: int) -> None:
    text = (
        f"//- k.s target:gfx942\nk:\n{'; ' + chr(10) if lines else ''}" + "s_nop 0\n" * lines + POLL.format("sc1", "")
    )
    assert RULE in [each.rule for each in findings(text + USE)]


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx900", "global_load_dword v1, v0, s[0:1] glc\ns_waitcnt vmcnt(0)\nbuffer_wbinvl1_vol\ns_endpgm\n"),
        ("gfx900", "global_load_dword v1, v0, s[0:1]\nbuffer_wbinvl1_vol\ns_endpgm\n"),  # not a flag
        ("gfx900", "global_load_dword v1, v0, s[0:1] slc\nbuffer_wbinvl1_vol\ns_endpgm\n"),  # nor this
        ("gfx942", f"{POLL.format('sc1', 'buffer_inv sc1' + chr(10))}{USE}"),
        ("gfx942", f"{POLL.format('sc1', '')}buffer_inv sc1\n{USE}"),
        ("gfx942", f"{BLOCKS.format('sc1', '')}buffer_inv sc1\n{USE}"),
        ("gfx942", f"{BLOCKS.format('sc1', 'buffer_inv sc1' + chr(10))}{USE}"),
        ("gfx942", f"{BLOCKS.format('sc1', 's_barrier' + chr(10))}{USE}"),
        ("gfx942", f"{POLL.format('', '')}{USE}"),
        ("gfx942", f"{POLL.format('sc0', '')}{USE}"),  # for a wave of the same work-group
        ("gfx942", f"{POLL.format('sc1', '')}{USE.replace('s[2:3]', 's[2:3] sc1', 1)}"),
        ("gfx942", f"{POLL.format('sc1', 'v_add_u32 v0, 4, v0' + chr(10))}{USE}"),  # another value each time
        ("gfx942", f"global_load_dword v1, v0, s[0:1] sc1\ns_waitcnt vmcnt(0)\n{USE}"),  # relaxed
    ],
)
def test_silent(target: str, text: str) -> None:
    check_no_finding(f"//- k.s target:{target}\nk:\n{text}", RULE)


def test_the_fix_invalidates_before_the_load() -> None:
    loop, load = POLL.format("glc", "").replace("dword", "b32"), "global_load_b32 v2, v0, s[2:3]"
    check_fix(
        f"//- k.s target:gfx1100\nk:\n{loop}{load}$0\n",
        f"k:\n{loop}buffer_gl1_inv\nbuffer_gl0_inv\n{load}\n",
        rule=RULE,
    )


@pytest.mark.parametrize(
    ("kernel", "old", "needed"),
    [
        (protocols.LAST_GFX942, "buffer_inv sc1\n", "`buffer_inv sc1` is missing"),
        (protocols.LAST_GFX1201, "global_inv scope:SCOPE_DEV\n", "`global_inv scope:SCOPE_DEV` is missing"),
    ],
)
def test_the_last_work_group(kernel: str, old: str, needed: str) -> None:
    (finding,) = [each for each in findings(protocols.fixture(kernel, old)) if each.rule == RULE]
    assert finding.severity.name == "WARNING"
    assert needed in str(finding.message)


@pytest.mark.parametrize(
    ("kernel", "old", "also"),
    [
        (protocols.LAST_GFX942, "buffer_inv sc1\n", ("buffer_wbl2 sc1\n", "")),  # relaxed
        (protocols.LAST_GFX942, "buffer_inv sc1\n", ("s_cbranch_scc1 out\n", "")),
        (protocols.LAST_GFX942, "buffer_inv sc1\n", ("v5, v6, s[4:5]", "v5, v6, s[6:7]")),
        (protocols.LAST_GFX942, "buffer_inv sc1\n", ("v5, v6, s[4:5] offset:64", "v5, v6, s[4:5] offset:64 sc1")),
    ],
)
def test_a_count_without_a_protocol(kernel: str, old: str, also: tuple[str, str]) -> None:
    check_no_finding(protocols.fixture(kernel, old).replace(*also, 1), RULE)

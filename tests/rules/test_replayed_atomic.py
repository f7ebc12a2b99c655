"""Atomic operations that a page fault of an older access repeats."""

import pytest

from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "replayed-atomic"
LOAD = "global_load_b32 v0, v1, s[0:1]\n"
ADD = "global_atomic_add_u32 v2, v3, s[2:3]\n"


def test_an_atomic_behind_a_load() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx1250
        k:
        global_load_b32 v0, v1, s[0:1]
        global_atomic_add_u32 v2, v3, s[2:3]
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information[replayed-atomic]: a page fault of `global_load_b32` on line 2
        s_wait_loadcnt 0x0
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    "text",
    [
        f"global_store_b32 v0, v1, s[0:1]\n{ADD}",
        f"{LOAD}s_wait_xcnt 0x1\n{ADD}",
        f"{LOAD}flat_atomic_add_u32 v[2:3], v3\n",
        f"l:\n{ADD}{LOAD}s_add_co_i32 s9, s9, 1\n{ADD}",
    ],
)
def test_found(text: str) -> None:
    assert RULE in [each.rule for each in findings(f"//- k.s target:gfx1250\nk:\n{text}s_endpgm\n")]


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx1250", f"{LOAD}s_wait_xcnt 0x0\n{ADD}"),
        ("gfx1250", f"{LOAD}s_wait_loadcnt 0x0\n{ADD}"),
        ("gfx1250", f"global_store_b32 v0, v1, s[0:1]\ns_wait_storecnt 0x0\n{ADD}"),
        ("gfx1250", f"s_load_b64 s[2:3], s[4:5], 0x0\n{ADD}"),  # the hardware waits for translations of the other kind
        ("gfx1250", f"{ADD}{ADD}"),
        ("gfx1250", f"{LOAD}s_wait_xcnt 0x0\n{ADD}{ADD}"),
        ("gfx1250", f"{LOAD}ds_add_u32 v2, v3\n"),
        ("gfx1200", f"{LOAD}{ADD}"),
        ("gfx1310", f"{LOAD}{ADD}"),
    ],
)
def test_silent(target: str, text: str) -> None:
    check_no_finding(f"//- k.s target:{target}\nk:\n{text}s_endpgm\n", RULE)


def test_the_fix_waits_for_translations() -> None:
    text = f"k:\n  {LOAD}{{}}  global_atomic_add_u32 v2, v3, s[2:3]{{}}\n  s_wait_loadcnt 0x0\n  s_endpgm\n"
    check_fix(f"//- k.s target:gfx1250\n{text.format('', '$0')}", text.format("  s_wait_xcnt 0x0\n", ""), rule=RULE)

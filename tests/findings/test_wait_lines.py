"""Waits are written as the file writes its first one."""

import pytest

from gcn_lsp.findings.wait_lines import wait_lines
from tests.support.check import build, check_fix
from tests.support.fixture import parse


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("s_wait_kmcnt 0", "s_wait_loadcnt 11"),
        ("k: s_wait_kmcnt 0 ; 0x0", "s_wait_loadcnt 11"),
        ("s_wait_kmcnt 0x0", "s_wait_loadcnt 0xb"),
        ("; s_wait_kmcnt 0", "s_wait_loadcnt 0xb"),
        ("s_nop 0", "s_wait_loadcnt 0xb"),
    ],
)
def test_a_bare_count(first: str, expected: str) -> None:
    program = build(parse(f"{first}\ns_wait_dscnt 0x1\n" if "s_wait" in first else first), "gfx1200")
    assert wait_lines(program, {"loadcnt": 11}) == (expected,)


def test_with_null_before_it() -> None:
    program = build(parse("s_waitcnt vmcnt(0)\ns_waitcnt_vscnt null, 0\n"), "gfx1030")
    assert wait_lines(program, {"vscnt": 0, "vmcnt": 1}) == ("s_waitcnt vmcnt(1)", "s_waitcnt_vscnt null, 0")


def test_the_fix_of_a_missing_wait() -> None:
    before = "k:\n  s_load_b32 s4, s[0:1], 0x0\n  s_wait_kmcnt 0\n  v_mov_b32 v1, s4\n  ds_load_b32 v2, v1\n"
    after = "  v_mov_b32 v3, v2\n  s_endpgm\n"
    check_fix(f"{before}{after}", f"{before}  s_wait_dscnt 0\n{after}", "gfx1200")

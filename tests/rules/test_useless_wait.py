"""Waits all of whose counts are the most there can be."""

import pytest

from tests.support.check import findings


@pytest.mark.parametrize(
    ("target", "line", "is_told"),
    [
        ("gfx900", "s_waitcnt vmcnt(63)", True),
        ("gfx900", "s_waitcnt vmcnt(62)", False),
        ("gfx1100", "v_interp_p2_f32 v5, v0, v4, v3 wait_exp:7", False),  # no wait, but one as a modifier
    ],
)
def test_waits_for_nothing(target: str, line: str, is_told: bool) -> None:
    found = findings(f"k:\n {line}\n s_endpgm\n", target)
    assert ("useless-wait" in [finding.rule for finding in found]) is is_told

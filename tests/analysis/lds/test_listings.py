"""Mistakes planted in compiled kernels that copy to LDS."""

import pytest

from tests.analysis import compiled
from tests.analysis.lds import listings

BUILDS = list(compiled.builds(["lds_ring"], levels=("-O2",)))


@compiled.needs_clang
@pytest.mark.parametrize("build", BUILDS, ids=str)
def test_each_mistake_in_the_loop_is_noticed(build: compiled.Build) -> None:
    text = compiled.text(build)
    lines = text.split("\n")
    assert not listings.noticed(build.target, lines)
    first, last = (
        next(number for number, line in enumerate(lines) if mark in line)
        for mark in (".LBB0_2:", "_cbranch_scc1 .LBB0_2")
    )
    inside = [each for each in listings.mistakes(lines) if first < each.line < last]
    missed = [each for each in inside if not listings.is_noticed(build.target, lines, each)]
    assert {each.kind for each in inside} >= {"no barrier", "no wait", "count one too high"}
    # The reads of a round are waited for in it, so the wait at its start has none left.
    assert [each for each in missed if "vmcnt(0) lgkmcnt(1)" not in each.text] == []


def test_the_mistakes_of_a_listing() -> None:
    lines = [
        "s_waitcnt vmcnt(3) lgkmcnt(0) // x",
        "s_barrier",
        "s_add_u32 m0, 0x100, s4",
        "s_add_u32 m0, 0x200, s4",
        "s_wait_asynccnt 0x2",
    ]
    assert [(each.kind, each.text) for each in listings.mistakes(lines)] == [
        ("no wait", ""),
        ("count one too high", "s_waitcnt vmcnt(4) lgkmcnt(0) // x"),
        ("count one too high", "s_waitcnt vmcnt(3) lgkmcnt(1) // x"),
        ("no barrier", ""),
        ("other buffer", "s_add_u32 m0, 0x200, s4"),
        ("other buffer", "s_add_u32 m0, 0x100, s4"),
        ("no wait", ""),
        ("count one too high", "s_wait_asynccnt 3"),
    ]

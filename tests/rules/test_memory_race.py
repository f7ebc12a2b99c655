"""Races in memory between the waves of a run."""

from pathlib import Path

import numpy as np
import pytest

from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome

NEXT = "v_and_b32 v2, 0xff, v1"  # the address of the lane in the first wave
WAITS = "s_waitcnt vmcnt(0) lgkmcnt(0)"


def run(folder: Path, *code: str, grid: int = 128, block: int = 128) -> Outcome:
    path = folder / "k.s"
    start = ("k:", "s_lshl_b32 s3, s2, 6", "v_add_u32 v3, s3, v0", "v_lshlrev_b32 v1, 2, v3", "v_mov_b32 v5, v3", NEXT)
    path.write_text("\n  ".join((*start, *code, "s_endpgm")) + "\n")
    registers = {"s[0:1]": "x", "v0": "item_x", "s2": "group_x"}
    x = np.zeros(256, np.float32)
    return api.run(
        path, kernel="k", target="gfx900", grid=grid, block=block, registers=registers, x=x, check=False, limit=10_000
    )


def rules(outcome: Outcome) -> list[str]:
    return [each.rule for each in outcome.findings]


STORE, LOAD = "global_store_dword v1, v5, s[0:1]", "global_load_dword v4, v2, s[0:1]"


def test_a_read_of_what_another_wave_writes(tmp_path: Path) -> None:
    outcome = run(tmp_path, STORE, WAITS, LOAD, WAITS)
    (finding,) = outcome.findings
    assert finding.rule == "memory-race"
    assert "lane 0 reads x at byte 0, which wave 0 writes; nothing orders the two" in finding.message
    assert finding.where.line == 8
    assert finding.related[0].where.line == 6


def test_a_barrier_orders_the_waves_of_a_group(tmp_path: Path) -> None:
    assert rules(run(tmp_path, STORE, WAITS, "s_barrier", LOAD, WAITS)) == []


def test_no_barrier_orders_groups(tmp_path: Path) -> None:
    outcome = run(tmp_path, STORE, WAITS, "s_barrier", LOAD, WAITS, block=64)
    (finding,) = outcome.findings
    assert "which wave 0 of work-group number 0 writes" in finding.message


def test_atomics_and_equal_values_are_no_race(tmp_path: Path) -> None:
    assert rules(run(tmp_path, "global_atomic_add v6, v5, s[0:1]", WAITS)) == ["uninitialised-register"]
    same = ("v_mov_b32 v6, 0", "v_mov_b32 v7, 7", "global_store_dword v6, v7, s[0:1]", WAITS)
    assert rules(run(tmp_path, *same)) == []
    assert rules(run(tmp_path, "v_mov_b32 v6, 0", "global_store_dword v6, v5, s[0:1]", WAITS)) == ["memory-race"]


@pytest.mark.parametrize("flags", ["", " glc"])
def test_an_atomic_passes_on_what_was_before(flags: str, tmp_path: Path) -> None:
    order = ("v_mov_b32 v6, 0", f"global_atomic_add {'v9, ' if flags else ''}v6, v6, s[0:1] offset:1016{flags}", WAITS)
    assert rules(run(tmp_path, STORE, WAITS, *order, LOAD, WAITS)) == []

"""Accesses of waves to one place in LDS that nothing orders."""

from pathlib import Path

import numpy as np

from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome


def run(folder: Path, code: str, block: int = 64, *, orders: bool = False) -> Outcome:
    path = folder / "k.s"
    path.write_text(f"k:\n{code}\n  s_endpgm\n")
    x = np.zeros(64, np.float32)
    registers = {"s[0:1]": "x", "v0": "item_x", "s2": "64"}
    return api.run(
        path,
        kernel="k",
        target="gfx900",
        grid=block,
        block=block,
        registers=registers,
        x=x,
        dynamic_lds=1024,
        check=False,
        orders=orders,
        limit=10_000,
    )


def rules(outcome: Outcome) -> list[str]:
    return [each.rule for each in outcome.findings]


CODE = """  v_lshlrev_b32 v1, 2, v0
  ds_write_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  {}
  v_xor_b32 v1, 0x100, v1
  ds_read_b32 v2, v1
  s_waitcnt lgkmcnt(0)"""


def test_a_read_of_what_another_wave_writes(tmp_path: Path) -> None:
    found = run(tmp_path, CODE.format("s_nop 0"), 128)
    assert "lds-race" in rules(found)
    race = next(each for each in found.findings if each.rule == "lds-race")
    assert "no barrier orders the two" in race.message


def test_a_barrier_orders(tmp_path: Path) -> None:
    assert rules(run(tmp_path, CODE.format("s_barrier"), 128, orders=True)) == []

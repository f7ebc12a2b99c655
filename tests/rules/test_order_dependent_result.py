"""Results that differ between orders of completion."""

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
  v_mov_b32 v2, 1.0
  global_load_dword v2, v1, s[0:1]
  {}
  v_add_f32 v3, 1.0, v2
  global_store_dword v1, v3, s[0:1]"""


def test_a_missing_wait_changes_the_result(tmp_path: Path) -> None:
    found = run(tmp_path, CODE.format("s_nop 0"), orders=True)
    assert set(rules(found)) == {"missing-wait", "order-dependent-result"}
    changed = next(each for each in found.findings if each.rule == "order-dependent-result")
    assert "x[0] turns from 1.0 into 2.0, and 63 more elements" in changed.message


def test_with_the_wait_it_does_not(tmp_path: Path) -> None:
    assert rules(run(tmp_path, CODE.format("s_waitcnt vmcnt(0)"), orders=True)) == []

"""Reads of LDS in a run that nothing has written."""

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


def test_a_read_of_what_nothing_wrote(tmp_path: Path) -> None:
    code = "  v_lshlrev_b32 v1, 2, v0\n  ds_write_b32 v1, v0\n  ds_read_b32 v2, v1 offset:4\n  s_waitcnt lgkmcnt(0)"
    found = run(tmp_path, code)
    assert rules(found) == ["unwritten-lds-read"]
    assert "lane 63 reads 4 bytes of LDS at 256, which nothing has written" in found.findings[0].message


def test_a_read_of_what_was_written(tmp_path: Path) -> None:
    code = "  v_lshlrev_b32 v1, 2, v0\n  ds_write_b32 v1, v0\n  ds_read_b32 v2, v1\n  s_waitcnt lgkmcnt(0)"
    assert rules(run(tmp_path, code)) == []

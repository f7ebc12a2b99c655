"""Accesses of a run that are in no allocation."""

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


def test_an_access_behind_an_array(tmp_path: Path) -> None:
    code = "  v_lshlrev_b32 v1, 2, v0\n  global_load_dword v2, v1, s[0:1] offset:4"
    found = run(tmp_path, code)
    assert rules(found) == ["access-outside-memory"]
    assert "lane 63 reads 4 bytes" in found.findings[0].message
    assert "right at the end of x of 256 bytes" in found.findings[0].message


def test_an_access_inside(tmp_path: Path) -> None:
    assert rules(run(tmp_path, "  v_lshlrev_b32 v1, 2, v0\n  global_load_dword v2, v1, s[0:1]")) == []


def test_lds_beyond_the_work_group(tmp_path: Path) -> None:
    found = run(tmp_path, "  v_mov_b32 v1, 0x400\n  ds_write_b32 v1, v0")
    assert rules(found) == ["access-outside-memory"]
    assert "the work-group has 1024 bytes" in found.findings[0].message


def test_a_buffer_keeps_its_bounds(tmp_path: Path) -> None:
    code = """  s_mov_b32 s10, 128
  s_mov_b32 s11, 0x27000
  s_mov_b64 s[8:9], s[0:1]
  v_lshlrev_b32 v1, 2, v0
  buffer_store_dword v0, v1, s[8:11], 0 offen
  buffer_load_dword v2, v1, s[8:11], 0 offen offset:4
  s_waitcnt vmcnt(0)"""
    assert rules(run(tmp_path, code)) == []

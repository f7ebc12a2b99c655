"""Accesses of a run at addresses that are not multiples of what they need."""

from pathlib import Path

import numpy as np
import pytest

from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome


def run(folder: Path, code: str, block: int = 64, *, orders: bool = False, target: str = "gfx900") -> Outcome:
    path = folder / "k.s"
    path.write_text(f"k:\n{code}\n  s_endpgm\n")
    x = np.zeros(64, np.float32)
    registers = {"s[0:1]": "x", "v0": "item_x", "s2": "64"}
    return api.run(
        path,
        kernel="k",
        target=target,
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


def test_an_atomic_across_a_dword(tmp_path: Path) -> None:
    code = "  v_mov_b32 v1, 2\n  global_atomic_add v1, v0, s[0:1]"
    found = run(tmp_path, code)
    assert rules(found) == ["misaligned-access"]
    assert "an atomic of 4 bytes needs a multiple" in found.findings[0].message


def test_an_atomic_at_a_dword(tmp_path: Path) -> None:
    assert rules(run(tmp_path, "  v_mov_b32 v1, 4\n  global_atomic_add v1, v0, s[0:1]")) == []


@pytest.mark.parametrize(("target", "found"), [("gfx803", ["misaligned-access"]), ("gfx900", [])])
def test_lds_at_half_a_pair(target: str, found: list[str], tmp_path: Path) -> None:
    code = "  s_mov_b32 m0, -1\n  v_mov_b32 v1, 4\n  v_mov_b32 v3, 0\n  ds_write_b64 v1, v[2:3]\n  s_waitcnt lgkmcnt(0)"
    assert rules(run(tmp_path, code.replace("v_mov_b32 v3", "v_mov_b32 v2, 0\n  v_mov_b32 v3"), target=target)) == found


def test_an_atomic_in_lds(tmp_path: Path) -> None:
    code = (
        "  v_mov_b32 v1, 0\n  ds_write_b64 v1, v[0:1]\n  v_mov_b32 v1, 2\n  ds_add_u32 v1, v0\n  s_waitcnt lgkmcnt(0)"
    )
    assert rules(run(tmp_path, code)) == ["misaligned-access"]

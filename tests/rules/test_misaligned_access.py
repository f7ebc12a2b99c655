"""Accesses of a run at addresses that are not multiples of what they need."""

from pathlib import Path

import pytest

from tests.support.running import rules, run


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

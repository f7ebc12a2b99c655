"""Accesses of a run that are in no allocation."""

from pathlib import Path

from tests.support.running import rules, run


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

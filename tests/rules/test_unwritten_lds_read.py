"""Reads of LDS in a run that nothing has written."""

from pathlib import Path

from tests.support.running import rules, run


def test_a_read_of_what_nothing_wrote(tmp_path: Path) -> None:
    code = "  v_lshlrev_b32 v1, 2, v0\n  ds_write_b32 v1, v0\n  ds_read_b32 v2, v1 offset:4\n  s_waitcnt lgkmcnt(0)"
    found = run(tmp_path, code)
    assert rules(found) == ["unwritten-lds-read"]
    assert "lane 63 reads 4 bytes of LDS at 256, which nothing has written" in found.findings[0].message


def test_a_read_of_what_was_written(tmp_path: Path) -> None:
    code = "  v_lshlrev_b32 v1, 2, v0\n  ds_write_b32 v1, v0\n  ds_read_b32 v2, v1\n  s_waitcnt lgkmcnt(0)"
    assert rules(run(tmp_path, code)) == []

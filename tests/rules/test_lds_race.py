"""Accesses of waves to one place in LDS that nothing orders."""

from pathlib import Path

from tests.support.running import rules, run

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

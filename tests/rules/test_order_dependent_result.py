"""Results that differ between orders of completion."""

from pathlib import Path

from tests.support.running import rules, run

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

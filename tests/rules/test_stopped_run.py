"""Runs that cannot go on."""

from pathlib import Path

from tests.support.running import rules, run


def test_a_jump_away_from_the_code(tmp_path: Path) -> None:
    found = run(tmp_path, "  s_setpc_b64 s[0:1]")
    assert rules(found) == ["stopped-run"]
    assert "where there is no memory of this program" in found.findings[0].message
    assert not found.is_complete


def test_an_endless_loop(tmp_path: Path) -> None:
    found = run(tmp_path, "again:\n  s_branch again")
    assert rules(found) == ["stopped-run"]
    assert "reached its limit of 10000 instructions" in found.findings[0].message


def test_a_run_to_the_end(tmp_path: Path) -> None:
    assert run(tmp_path, "  s_nop 0").is_complete

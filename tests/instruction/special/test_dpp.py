import pytest

from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "control", "code"),
    [
        ("gfx900", "quad_perm:[0,1,2,3]", "e400"),
        ("gfx900", "row_shl:1", "0101"),
        ("gfx900", "row_ror:15", "2f01"),
        ("gfx900", "wave_shl:1", "3001"),
        ("gfx900", "row_mirror", "4001"),
        ("gfx900", "row_bcast:31", "4301"),
        ("gfx90a", "row_newbcast:3", "5301"),
        ("gfx1030", "row_share:3", "5301"),
        ("gfx1030", "row_xmask:3", "6301"),
    ],
)
def test_controls(cpu: str, control: str, code: str) -> None:
    assert code_of(f"v_mov_b32_dpp v0, v1 {control}", cpu)[10:14] == code


@pytest.mark.parametrize(
    ("cpu", "control", "rule"),
    [
        ("gfx900", "row_newbcast:1", "unsupported-on-target"),
        ("gfx900", "row_share:1", "unsupported-on-target"),
        ("gfx1030", "row_bcast:15", "unsupported-on-target"),
        ("gfx900", "row_bcast:16", "modifier-out-of-range"),
        ("gfx900", "wave_shl:2", "modifier-out-of-range"),
        ("gfx900", "quad_perm:[0,1,2,3,0]", "modifier-out-of-range"),
    ],
)
def test_wrong_controls(cpu: str, control: str, rule: str) -> None:
    assert problem_of(f"v_mov_b32_dpp v0, v1 {control}", cpu)[0] == rule

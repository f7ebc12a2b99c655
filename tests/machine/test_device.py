"""Special ways to LDS: loads from memory past the registers, and a value for all lanes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome

LANES = 64
REGISTERS = {"s[4:5]": "x", "s[2:3]": "y", "v0": "item_x"}
START = "k:\n  v_lshlrev_b32 v1, 2, v0\n  s_mov_b32 s6, 4096\n  s_mov_b32 s7, 0x27000\n"
END = "  s_waitcnt lgkmcnt(0)\n  global_store_dword v1, v2, s[2:3]\n  s_endpgm\n"


def run(folder: Path, target: str, body: str, **options: Any) -> "tuple[Outcome, np.ndarray[Any, Any]]":
    """What a kernel makes of 1, 2, 3, ... in a wave, and its outcome."""
    path = folder / "kernel.s"
    path.write_text(START + body + END)
    x, y = np.arange(1, 1025, dtype=np.uint32), np.zeros(LANES, np.uint32)
    launch: dict[str, Any] = {
        "kernel": "k",
        "target": target,
        "grid": LANES,
        "registers": REGISTERS,
        "dynamic_lds": 2048,
    }
    return api.run(path, **launch, x=x, y=y, check=False, **options), y


@pytest.mark.parametrize(
    ("target", "load", "of_lane"),
    [
        ("gfx900", "buffer_load_dword v1, s[4:7], 0 offen lds", lambda lane: lane + 1),
        ("gfx942", "buffer_load_dword v1, s[4:7], 0 offen lds", lambda lane: lane + 1),
        ("gfx900", "buffer_load_ubyte v1, s[4:7], 0 offen lds", lambda lane: lane + 1),
        ("gfx942", "global_load_lds_dword v1, s[4:5]", lambda lane: lane + 1),
        ("gfx950", "buffer_load_dwordx4 v1, s[4:7], 0 offen lds", lambda lane: lane // 4 + lane % 4 + 1),
        ("gfx950", "global_load_lds_dwordx4 v1, s[4:5]", lambda lane: lane // 4 + lane % 4 + 1),
    ],
)
def test_a_load_to_lds_puts_the_lanes_side_by_side(target: str, load: str, of_lane: Any, tmp_path: Path) -> None:
    body = f"  s_mov_b32 m0, 64\n  s_nop 0\n  {load}\n  s_waitcnt vmcnt(0)\n  ds_read_b32 v2, v1 offset:64\n"
    outcome, y = run(tmp_path, target, body, orders=True)
    assert outcome.findings == ()
    assert (y == of_lane(np.arange(LANES))).all()


def test_a_load_to_lds_without_a_wait_is_seen(tmp_path: Path) -> None:
    body = "  s_mov_b32 m0, 0\n  s_nop 0\n  global_load_lds_dword v1, s[4:5]\n  ds_read_b32 v2, v1\n"
    outcome, _ = run(tmp_path, "gfx942", body, orders=True)
    assert any(f"y[0] turns from 1 into 0, and {LANES - 1} more" in each.message for each in outcome.findings)


@pytest.mark.parametrize(("kind", "value"), [(0, 0xC1), (1, 0xB2C1), (2, 0xA0B2C1), (4, 0xFFFF_FFC1), (5, 0xFFFF_B2C1)])
def test_lds_direct_gives_all_lanes_one_value(kind: int, value: int, tmp_path: Path) -> None:
    body = (
        "  v_mov_b32 v3, 0xa0b2c1\n  v_mov_b32 v4, 16\n  ds_write_b32 v4, v3\n  s_waitcnt lgkmcnt(0)\n"
        f"  s_mov_b32 m0, {kind << 16 | 16}\n  s_nop 0\n  v_mov_b32 v2, src_lds_direct\n"
    )
    outcome, y = run(tmp_path, "gfx900", body)
    assert outcome.findings == ()
    assert (y == value).all()


def test_a_special_source_without_a_known_value_stops_the_run(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, "gfx900", "  v_mov_b32 v2, src_pops_exiting_wave_id\n")
    assert not outcome.is_complete
    (finding,) = outcome.findings
    assert finding.message == "src_pops_exiting_wave_id is not executed: its value is not known here"


@pytest.mark.parametrize("target", ["gfx600", "gfx900"])
def test_a_write_to_lds_at_minus_one_is_left_out(target: str, tmp_path: Path) -> None:
    body = (
        "  v_mov_b32 v2, 7\n  s_mov_b32 m0, -1\n  v_cmp_gt_u32 vcc, 128, v1\n  v_cndmask_b32 v3, -1, v1, vcc\n"
        "  ds_write_b32 v1, v1\n  s_waitcnt lgkmcnt(0)\n  ds_write_b32 v3, v2\n  s_waitcnt lgkmcnt(0)\n"
        "  ds_read_b32 v2, v1\n"
    )
    end = "  s_waitcnt lgkmcnt(0)\n  s_endpgm\n"
    path = tmp_path / "kernel.s"
    path.write_text("k:\n  v_lshlrev_b32 v1, 2, v0\n" + body + end)
    launch: dict[str, Any] = {"kernel": "k", "target": target, "grid": 64, "registers": {"v0": "item_x"}}
    outcome = api.run(path, **launch, dynamic_lds=2048, check=False)
    assert outcome.is_complete
    assert outcome.findings == ()


def test_a_register_number_beyond_the_last_one_stops_the_run(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, "gfx803", "  s_movk_i32 m0, 0x3000\n  v_movrels_b32 v2, v1\n")
    assert [each.message for each in outcome.findings] == [
        "It uses register 12289 by its number, which is beyond the registers of the wave"
    ]

"""What single instructions read, write, raise and wait for."""

import pytest

from gcn_lsp.analysis.machine import registers
from tests.analysis.support import effects_of

IMAGE_ATOMIC = "image_atomic_add v0, [v1,v2], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D"
SAMPLE = "image_sample v[0:3], [v4, v5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D"

READS_AND_WRITES = [
    ("gfx900", "v_add_f32 v1, v1, v2", "v[1:2], exec, mode", "v1"),
    ("gfx900", "v_mac_f32 v0, v1, v2", "v[0:2], exec, mode", "v0"),
    ("gfx900", "v_swap_b32 v0, v1", "v[0:1], exec", "v[0:1]"),
    ("gfx900", "v_cmp_eq_u32 vcc, v0, v1", "v[0:1], exec", "vcc"),
    ("gfx900", "v_cmpx_eq_u32_e64 s[2:3], v0, v1", "v[0:1], exec", "s[2:3], exec"),
    ("gfx900", "v_addc_co_u32 v0, vcc, v1, v2, vcc", "v[1:2], vcc, exec", "v0, vcc"),
    ("gfx1030", "v_cndmask_b32 v0, v1, v2, vcc_lo", "v[1:2], vcc_lo, exec_lo", "v0"),
    ("gfx900", "v_readlane_b32 s2, v0, s3", "v0, s3", "s2"),
    ("gfx900", "v_writelane_b32 v0, s2, 3", "v0, s2", "v0"),
    ("gfx900", "s_addk_i32 s0, 5", "s0", "s0, scc"),
    ("gfx900", "s_and_saveexec_b64 s[2:3], vcc", "vcc, exec", "s[2:3], exec, scc"),
    ("gfx908", "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]", "v[0:1], a[0:31], exec, mode", "a[0:31]"),
    ("gfx900", "global_store_dwordx2 v0, v[4:5], s[2:3]", "v0, v[4:5], s[2:3], exec", ""),
    ("gfx900", "flat_load_short_d16_hi v1, v[2:3]", "v[2:3], exec, flat_scratch", "v1"),
    ("gfx1100", IMAGE_ATOMIC, "v[0:2], s[0:7], exec_lo", ""),
    ("gfx1100", f"{IMAGE_ATOMIC} glc", "v[0:2], s[0:7], exec_lo", "v0"),
]  # fmt: skip


@pytest.mark.parametrize(("target", "text", "reads", "writes"), READS_AND_WRITES)
def test_registers(target: str, text: str, reads: str, writes: str) -> None:
    found = effects_of(target, text)
    assert (registers.describe(found.reads, 9), registers.describe(found.writes, 9)) == (reads, writes)


EVENTS = [
    ("gfx900", "global_load_dword v1, v0, s[2:3]", [("vmcnt", "load", "v1", "")]),
    ("gfx900", "global_atomic_add v0, v2, s[2:3]", [("vmcnt", "store", "", "")]),
    ("gfx900", "global_atomic_add v1, v0, v2, s[2:3] glc", [("vmcnt", "load", "v1", "")]),
    ("gfx803", "flat_load_dword v1, v[2:3]", [("vmcnt", "load", "v1", ""), ("lgkmcnt", "possible", "", "")]),
    ("gfx900", "flat_load_dword v1, v[2:3]", [("vmcnt", "flat", "v1", ""), ("lgkmcnt", "flat", "v1", "")]),
    ("gfx1030", "flat_load_dword v1, v[2:3]", [("vmcnt", "load", "v1", ""), ("lgkmcnt", "lds", "v1", "")]),
    ("gfx1030", "flat_store_short v[2:3], v1", [("vscnt", "scratch", "", ""), ("lgkmcnt", "lds", "", "")]),
    ("gfx900", "buffer_load_dword off, s[4:7], s8 lds", [("vmcnt", "lds_dma", "", "")]),
    ("gfx942", "global_load_lds_dword v1, s[2:3]", [("vmcnt", "lds_dma", "", ""), ("lgkmcnt", "lds", "", "")]),
    (
        "gfx600", "buffer_store_dword v1, off, s[4:7], 0",
        [("vmcnt", "store", "", ""), ("expcnt", "store_lock", "", "v1")],
    ),
    ("gfx900", "ds_add_rtn_u32 v1, v2, v3 gds", [("lgkmcnt", "gds", "v1", ""), ("expcnt", "gds", "", "v[2:3], exec")]),
    ("gfx900", "ds_write_b32 v1, v2", [("lgkmcnt", "lds", "", "")]),
    ("gfx900", "s_load_dwordx2 s[4:5], s[2:3], 0x0", [("lgkmcnt", "scalar", "s[4:5]", "")]),
    ("gfx1100", "exp pos0 v0, v1, v2, off done", [("expcnt", "position", "", "v[0:2], exec_lo")]),
    ("gfx1100", "s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)", [("lgkmcnt", "message", "s0", "")]),
    ("gfx1200", SAMPLE, [("samplecnt", "sample", "v[0:3]", "")]),
    ("gfx1200", "global_inv scope:SCOPE_SE", [("loadcnt", "load", "", "")]),
    ("gfx900", "buffer_wbinvl1", []),
    ("gfx1250", "s_load_b32 s0, s[2:3], 0x0", [("kmcnt", "scalar", "s0", ""), ("xcnt", "scalar", "", "s[2:3]")]),
    ("gfx900", "v_mov_b32 v0, v1", []),
]  # fmt: skip


@pytest.mark.parametrize(("target", "text", "expected"), EVENTS)
def test_events(target: str, text: str, expected: list[tuple[str, str, str, str]]) -> None:
    found = effects_of(target, text).events
    assert [
        (event.counter, event.kind, registers.describe(event.writes), registers.describe(event.reads))
        for event in found
    ] == expected


WAITS = [
    ("gfx900", "s_waitcnt vmcnt(3) lgkmcnt(0)", {"vmcnt": 3, "lgkmcnt": 0}),
    ("gfx803", "s_waitcnt 0", {"vmcnt": 0, "expcnt": 0, "lgkmcnt": 0}),
    ("gfx900", "s_waitcnt 0xcf7f", {}),
    ("gfx1100", "s_waitcnt_vscnt null, 0x2", {"vscnt": 2}),
    ("gfx1100", "v_interp_p10_f32 v0, v1, v2, v3 wait_exp:2", {"expcnt": 2}),
    ("gfx1200", "s_wait_loadcnt_dscnt 0x103", {"loadcnt": 1, "dscnt": 3}),
    ("gfx1200", "s_waitcnt lgkmcnt(0)", {"dscnt": 0, "kmcnt": 0}),
]


@pytest.mark.parametrize(("target", "text", "expected"), WAITS)
def test_waits(target: str, text: str, expected: dict[str, int]) -> None:
    assert dict(effects_of(target, text).waits) == expected


FLOWS = [
    ("s_endpgm", "end"),
    ("s_branch 1", "branch"),
    ("s_cbranch_scc1 1", "conditional"),
    ("s_cbranch_i_fork s[0:1], 1", "conditional"),
    ("s_setpc_b64 s[0:1]", "jump"),
    ("s_swappc_b64 s[0:1], s[2:3]", "call"),
    ("s_call_b64 s[0:1], 1", "call"),
    ("s_nop 0", "next"),
]


@pytest.mark.parametrize(("text", "expected"), FLOWS)
def test_flow(text: str, expected: str) -> None:
    assert effects_of("gfx900", text).flow == expected


def test_wait_states_of_no_operations() -> None:
    assert effects_of("gfx900", "s_nop 3").wait_states == 4


def test_halves_of_a_vector_register_are_apart() -> None:
    found = effects_of("gfx1100", "v_add_f16 v0.h, -|v1.l|, v2.h")
    assert not found.writes & registers.of_tuple("v", 0, 1, "l")
    assert found.reads & registers.of_tuple("v", 1, 1, "l")
    assert not found.reads & registers.of_tuple("v", 1, 1, "h")
    assert registers.whole(found.writes) == registers.of_tuple("v", 0, 1)

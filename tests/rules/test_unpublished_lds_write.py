"""Barriers that a wave reaches with its own write to LDS in flight."""

import pytest

from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "unpublished-lds-write"
READ = "ds_read_b32 v2, v3\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v2\ns_endpgm\n"
READ_12 = "ds_load_b32 v2, v3\ns_wait_dscnt 0x0\nv_mov_b32 v4, v2\ns_endpgm\n"


def test_a_write_without_a_wait() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        ds_write_b32 v0, v1
        s_barrier
        //<^^^^^^ warning[unpublished-lds-write]: `ds_write_b32` on line 1 may not have written to LDS yet, which
        ds_read_b32 v2, v3
        s_waitcnt lgkmcnt(0)
        v_mov_b32 v4, v2
        s_endpgm
        """
    )


WRITES = "ds_write_b32 v0, v1\nds_write_b32 v0, v1 offset:4\nds_write_b32 v0, v1 offset:8\n"
PART = (
    "v_readfirstlane_b32 s4, v9\ns_mul_i32 s5, {}, 0x100\ns_lshl_b32 s5, s5, 2\n"
    "v_add_u32 v8, v0, s5\nv_add_u32 v8, 64, v8\nds_write_b32 v8, v1\n"
)
READ_PART = f"v_add_u32 v3, v7, s5\n{READ}"


@pytest.mark.parametrize(
    ("target", "text"),
    [
        # Something else needs what the wait leaves in flight, or one is left, or the offset is not the wave's.
        ("gfx900", f"ds_read_b32 v6, v7\n{WRITES}s_waitcnt lgkmcnt(3)\nv_mov_b32 v7, v6\ns_barrier\n{READ}"),
        ("gfx900", f"{WRITES}s_waitcnt lgkmcnt(1)\ns_barrier\n{READ}"),
        ("gfx900", f"{PART.format('s6')}s_barrier\n{READ_PART}"),
        ("gfx900", f"{PART.format('s4')}s_barrier\n{READ}"),
        ("gfx600", f"ds_write_b32 v0, v1\ns_barrier\n{READ}"),
        ("gfx90a", f"ds_add_u32 v0, v1\ns_barrier\n{READ}"),
        ("gfx1030", f"ds_write_b64 v0, v[4:5]\ns_waitcnt lgkmcnt(1)\ns_barrier\n{READ}"),
        ("gfx1100", f"ds_store_b32 v0, v1\ns_waitcnt vmcnt(0)\ns_barrier\n{READ.replace('read', 'load')}"),
        ("gfx1200", f"ds_store_b32 v0, v1\ns_barrier_signal -1\ns_barrier_wait -1\n{READ_12}"),
        ("gfx1250", f"ds_store_b32 v0, v1\ns_barrier_signal -1\ns_wait_dscnt 0x0\ns_barrier_wait -1\n{READ_12}"),
        (
            "gfx1250",
            "ds_store_b32 v0, v1\ns_barrier_signal -1\ns_barrier_wait -1\n"
            "global_store_async_from_lds_b32 v2, v3, s[0:1]\ns_wait_asynccnt 0x0\ns_endpgm\n",
        ),
        # The wait after the barrier is for the wave's own accesses; the other waves have not waited for this write.
        ("gfx900", f"ds_write_b32 v0, v1\ns_barrier\ns_waitcnt lgkmcnt(0)\n{READ}"),
        # The read of the next round.
        ("gfx900", f"loop:\n{READ[:-9]}ds_write_b32 v0, v1\ns_barrier\ns_cbranch_scc0 loop\ns_endpgm\n"),
        ("gfx900", f"s_cbranch_scc0 far\nds_write_b32 v0, v1\nfar:\ns_barrier\n{READ}"),
        # The read is in a function.
        (
            "gfx900",
            "ds_write_b32 v0, v1\ns_getpc_b64 s[4:5]\ns_add_u32 s4, s4, f@rel32@lo+4\n"
            "s_addc_u32 s5, s5, f@rel32@hi+12\ns_barrier\ns_swappc_b64 s[30:31], s[4:5]\ns_endpgm\n"
            f"f:\ns_waitcnt vmcnt(0)\n{READ}",
        ),
    ],
)  # fmt: skip
def test_found(target: str, text: str) -> None:
    assert [each.rule for each in findings(f"//- k.s target:{target}\nk:\n{text}") if each.rule == RULE] == [RULE]


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx900", f"ds_write_b32 v0, v1\ns_waitcnt lgkmcnt(0)\ns_barrier\n{READ}"),
        ("gfx1200", f"ds_store_b32 v0, v1\ns_wait_dscnt 0x0\ns_barrier_signal -1\ns_barrier_wait -1\n{READ_12}"),
        ("gfx1200", f"ds_store_b32 v0, v1\ns_wait_idle\ns_barrier_signal -1\ns_barrier_wait -1\n{READ_12}"),
        # One of several buffers is written while another one is read.
        ("gfx900", f"ds_write_b32 v0, v1 offset:8256\ns_barrier\n{READ.replace('v3', 'v3 offset:41792', 1)}"),
        # The youngest writes are left to a later barrier, on purpose.
        ("gfx900", f"{WRITES}s_waitcnt lgkmcnt(2)\ns_barrier\n{READ}"),
        (
            "gfx900",
            f"{WRITES}s_waitcnt lgkmcnt(2)\ns_cbranch_scc0 end\ns_addk_i32 s0, 1\ns_barrier\n{READ}end:\ns_endpgm\n",
        ),
        # Each wave writes and reads a part of its own.
        ("gfx900", f"{PART.format('s4')}s_barrier\n{READ_PART}"),
        # Nothing reads LDS after the barrier, or only after the next one.
        ("gfx900", "ds_write_b32 v0, v1\ns_barrier\ns_endpgm\n"),
        ("gfx900", f"ds_write_b32 v0, v1\ns_barrier\ns_waitcnt lgkmcnt(0)\ns_barrier\n{READ}"),
        # Between signal and wait a wave still reads what was there before.
        (
            "gfx1200",
            "ds_store_b32 v0, v1\ns_barrier_signal -1\nds_load_b32 v2, v3\ns_wait_dscnt 0x0\ns_barrier_wait -1\n"
            "v_mov_b32 v4, v2\ns_endpgm\n",
        ),
        # Reads in flight, exchanges between lanes, and accesses that may go to memory.
        ("gfx900", f"ds_read_b32 v7, v8\ns_barrier\n{READ}"),
        ("gfx900", f"ds_bpermute_b32 v7, v8, v9\ns_barrier\n{READ}"),
        ("gfx900", "ds_write_b32 v0, v1\ns_barrier\nds_swizzle_b32 v7, v8 offset:0x8001\ns_endpgm\n"),
        ("gfx900", f"flat_store_dword v[0:1], v5\ns_barrier\n{READ}"),
        ("gfx900", f"ds_write_b32 v0, v1\n{READ}"),
    ],
)  # fmt: skip
def test_silent(target: str, text: str) -> None:
    check_no_finding(f"//- k.s target:{target}\nk:\n{text}", RULE)


METADATA = """
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: {}
.end_amdgpu_metadata
"""


@pytest.mark.parametrize(("size", "rules"), [(64, []), (65, [RULE]), (256, [RULE])])
def test_a_work_group_of_one_wave_needs_no_wait(size: int, rules: list[str]) -> None:
    text = f"//- k.s target:gfx900\nk:\nds_write_b32 v0, v1\ns_barrier\n{READ}{METADATA.format(size)}"
    assert [each.rule for each in findings(text) if each.rule == RULE] == rules


def test_in_a_macro_once_and_after_an_include() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        .include "store.inc"
        .macro sync
        s_barrier
        //<^^^^^^ warning[unpublished-lds-write]: wait for lgkmcnt(0) first
        .endm
        k:
        store
        sync
        ds_read_b32 v2, v3
        s_waitcnt lgkmcnt(0)
        s_barrier
        store
        sync
        ds_read_b32 v2, v3
        s_waitcnt lgkmcnt(0)
        v_mov_b32 v4, v2
        s_endpgm
        //- store.inc
        .macro store
        ds_write_b32 v0, v1
        .endm
        """
    )


def test_the_fix_inserts_the_wait() -> None:
    check_fix(
        """
        //- k.s target:gfx1200
        k:
          ds_store_b32 v0, v1
          s_barrier_signal -1$0
          s_barrier_wait -1
          ds_load_b32 v2, v3
          s_wait_dscnt 0x0
          v_mov_b32 v4, v2
          s_endpgm
        """,
        """
        k:
          ds_store_b32 v0, v1
          s_wait_dscnt 0x0
          s_barrier_signal -1
          s_barrier_wait -1
          ds_load_b32 v2, v3
          s_wait_dscnt 0x0
          v_mov_b32 v4, v2
          s_endpgm
        """,
    )

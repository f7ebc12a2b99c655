"""Copies to LDS that overwrite what other waves may still read."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding

RULE = "overwritten-lds-read"
LANES = "v_mbcnt_lo_u32_b32 v2, -1, 0\nv_mbcnt_hi_u32_b32 v2, -1, v2\nv_lshlrev_b32 v2, 2, v2\ns_mov_b32 m0, 0\n"
FILL = "buffer_load_dword v0, s[8:11], 0 offen lds\ns_waitcnt vmcnt(0)\ns_endpgm\n"


def test_reads_in_flight_at_the_barrier() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx942
        v_mbcnt_lo_u32_b32 v2, -1, 0
        v_mbcnt_hi_u32_b32 v2, -1, v2
        v_lshlrev_b32 v2, 2, v2
        s_mov_b32 m0, 0
        ds_read_b32 v1, v2
        ds_read_b32 v3, v2 offset:128
        ds_read_b32 v4, v2 offset:1024
        s_waitcnt lgkmcnt(2)
        s_barrier
        //<^^^^^^ warning[overwritten-lds-read]: a read of LDS may be in flight, the last `ds_read_b32` on line 6
        buffer_load_dword v0, s[8:11], 0 offen lds
        s_waitcnt vmcnt(0) lgkmcnt(0)
        v_add_u32 v1, v1, v3
        v_add_u32 v1, v1, v4
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{LANES}ds_read_b32 v1, v2\ns_waitcnt lgkmcnt(0)\ns_barrier\n{FILL}",
        # Another buffer.
        f"{LANES}ds_read_b32 v1, v2 offset:4096\ns_barrier\n{FILL}",
        f"{LANES}ds_read_b32 v1, v2\ns_barrier\ns_add_u32 m0, m0, 0x1000\ns_nop 0\n{FILL}",
        # All waves fill one place, and no barrier says that there are others.
        f"{LANES}ds_read_b32 v1, v2\ns_waitcnt lgkmcnt(0)\n{FILL}",
        f"{LANES}ds_read_b32 v1, v5\ns_barrier\n{FILL}",
    ],
)
def test_silence(text: str) -> None:
    check_no_finding(text, RULE, "gfx942")

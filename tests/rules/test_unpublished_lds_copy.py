"""Reads of LDS before a copy has certainly arrived for all waves."""

import pytest

from tests.support.check import check_diagnostics, check_fix, check_no_finding

RULE = "unpublished-lds-copy"
FILL = "s_mov_b32 m0, 0\ns_nop 0\nbuffer_load_dword v0, s[8:11], 0 offen lds\n"
READ = "ds_read_b32 v1, v2\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v[4:5], v1, off\ns_endpgm\n"


def test_a_wait_after_the_barrier() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx942
        s_mov_b32 m0, 0
        s_nop 0
        buffer_load_dword v0, s[8:11], 0 offen lds
        s_barrier
        //<^^^^^^ warning[unpublished-lds-copy]: `buffer_load_dword` on line 3 may not have written to LDS yet, which
        s_waitcnt vmcnt(0)
        ds_read_b32 v1, v2
        s_waitcnt lgkmcnt(0)
        global_store_dword v[4:5], v1, off
        s_endpgm
        """
    )


def test_a_count_that_is_too_high() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx1250
        global_load_async_to_lds_b32 v0, v1, s[2:3]
        global_load_async_to_lds_b32 v6, v1, s[2:3]
        s_wait_asynccnt 0x2
        ds_load_b32 v2, v0
        //<^^^^^^^^^^^^^^^ warning[unpublished-lds-copy]: may not have written yet; wait for asynccnt(1) first
        s_wait_dscnt 0x0
        global_store_b32 v4, v2, s[2:3]
        s_endpgm
        """
    )


def test_the_fix_waits_before_the_barrier() -> None:
    check_fix(
        f"{FILL}s_barrier\n{READ}",
        f"{FILL}s_waitcnt vmcnt(0)\ns_barrier\n{READ}",
        "gfx942",
        RULE,
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{FILL}s_waitcnt vmcnt(0)\ns_barrier\n{READ}",
        # LDS has other data, and the address of the read is not known.
        f"ds_write_b32 v9, v9\ns_waitcnt lgkmcnt(0)\ns_barrier\n{FILL}s_barrier\n{READ}",
        # Another place.
        f"v_mov_b32 v2, 0x4000\n{FILL}s_barrier\n{READ}",
    ],
)
def test_silence(text: str) -> None:
    check_no_finding(text, RULE, "gfx942")

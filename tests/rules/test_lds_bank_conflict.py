"""Accesses of LDS whose lanes meet in a bank; the degrees themselves are in `tests/analysis/lds/test_banks.py`."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding

RULE = "lds-bank-conflict"
LANE = "v_mbcnt_lo_u32_b32 v0, -1, 0\nv_mbcnt_hi_u32_b32 v0, -1, v0\n"
END = "s_waitcnt lgkmcnt(0)\nglobal_store_dword v[4:5], v1, off\ns_endpgm\n"


def test_rows_of_128_bytes_put_all_lanes_into_one_bank() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx942
        k:
        v_mbcnt_lo_u32_b32 v0, -1, 0
        v_mbcnt_hi_u32_b32 v0, -1, v0
        v_lshlrev_b32 v0, 7, v0
        ds_read_b32 v1, v0
        //<^^^^^^^^^^^^^^^ hint[lds-bank-conflict]: lanes meet in bank 0
        s_waitcnt lgkmcnt(0)
        global_store_dword v[4:5], v1, off
        s_endpgm
        """
    )


def test_in_a_macro_it_is_reported_once() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx942
        .macro read
        ds_read_b32 v1, v0
        //<^^^^^^^^^^^^^^^ hint[lds-bank-conflict]: lanes meet in bank 0
        s_waitcnt lgkmcnt(0)
        global_store_dword v[4:5], v1, off
        .endm
        k:
        v_mbcnt_lo_u32_b32 v0, -1, 0
        v_mbcnt_hi_u32_b32 v0, -1, v0
        v_lshlrev_b32 v0, 7, v0
        read
        read
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    "address",
    [
        "v_lshlrev_b32 v0, 2, v0",
        "v_mul_u32_u24 v0, 0x84, v0",
        "v_mov_b32 v0, 0",
        "v_mov_b32 v0, v9",
    ],
    ids=["dwords in a row", "padded rows", "one dword for all lanes", "an address that is not known"],
)
def test_nothing_is_said_where_no_lanes_meet(address: str) -> None:
    check_no_finding(f"k:\n{LANE}{address}\nds_read_b32 v1, v0\n{END}", RULE, "gfx942")


def test_nothing_is_said_where_no_phases_are_published() -> None:
    check_no_finding(f"k:\n{LANE}v_lshlrev_b32 v0, 7, v0\nds_read_b64 v[0:1], v0\n{END}", RULE, "gfx900")

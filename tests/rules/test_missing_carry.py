"""Sums of 64 bits whose carry is left out."""

import pytest

from tests.support.check import check_diagnostics, findings

LOAD = "s_load_dwordx4 s[4:7], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)"
STORE = "global_store_dword v[2:3], v0, off"
LOOP = "next:\n global_load_dword v2, v1, s[4:5]\n {}\n s_sub_u32 s8, s8, 1\n s_cmp_lg_u32 s8, 0\n s_cbranch_scc1 next"


def told(code: str, target: str = "gfx900") -> list[int]:
    text = f"k:\n {LOAD}\n {code}\n s_endpgm\n"
    return [each.where.line - 2 for each in findings(text, target) if each.rule == "missing-carry"]


def test_in_vectors() -> None:
    check_diagnostics(
        """
        k:
          s_load_dwordx2 s[4:5], s[0:1], 0x0
          s_waitcnt lgkmcnt(0)
          v_mov_b32 v3, s5
          v_add_u32 v2, s4, v0
        //^^^^^^^^^^^^^^^^^^^^ information[missing-carry]: not added to `s5`, the high half of the address
          global_store_dword v[2:3], v0, off
          s_endpgm
        """
    )


@pytest.mark.parametrize(
    "code",
    [
        f"v_add_co_u32 v2, vcc, s4, v0\n v_mov_b32 v3, s5\n {STORE}",
        f"v_add_u32 v2, v0, s6\n v_mov_b32 v3, s7\n {STORE}",
        LOOP.format("s_add_u32 s4, s4, 64"),
        LOOP.format("s_addk_i32 s4, 64"),
    ],
)
def test_told(code: str) -> None:
    assert len(told(code)) == 1


@pytest.mark.parametrize(
    "code",
    [
        # With the carry.
        f"v_mov_b32 v3, s5\n v_add_co_u32 v2, vcc, s4, v0\n v_addc_co_u32 v3, vcc, 0, v3, vcc\n {STORE}",
        f"v_add_co_u32 v2, vcc, s4, v0\n v_mov_b32 v3, s5\n v_addc_co_u32 v3, vcc, 0, v3, vcc\n {STORE}",
        LOOP.format("s_add_u32 s4, s4, 64\n s_addc_u32 s5, s5, 0"),
        # The high half is of something else: of an aperture, of another address.
        f"v_mov_b32 v3, 0\n v_add_u32 v2, s4, v0\n {STORE}",
        f"v_mov_b32 v3, s5\n v_add_u32 v2, s6, v0\n {STORE}",
        "s_mov_b32 s5, 0\n" + LOOP.format("s_add_u32 s4, s4, 64"),
        # Nothing that a load has brought as a pair.
        f"s_mov_b64 s[4:5], s[2:3]\n v_mov_b32 v3, s5\n v_add_u32 v2, s4, v0\n {STORE}",
        # No address, or another one.
        "v_mov_b32 v3, s5\n v_add_u32 v2, s4, v0\n global_store_dwordx2 v[4:5], v[2:3], off",
        f"v_mov_b32 v3, s5\n v_add_u32 v2, s4, v0\n v_mov_b32 v2, s4\n {STORE}",
        f"v_mov_b32 v3, s5\n v_add_u32 v2, s4, v0\nlabel:\n {STORE}\n s_cbranch_scc1 label",
        "next:\n buffer_load_dword v2, v1, s[4:7], 0 offen\n s_add_u32 s4, s4, 64\n s_cbranch_scc1 next",
        LOOP.format("s_add_u32 s4, s6, 64"),
        # The loop brings the address anew.
        LOOP.format("s_add_u32 s4, s4, 64\n s_load_dwordx2 s[4:5], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)"),
    ],
)
def test_silent(code: str) -> None:
    assert told(code) == []


def test_other_names_of_sums() -> None:
    code = "v_mov_b32 v3, s5\n v_add_nc_u32 v2, s4, v0\n global_store_b32 v[2:3], v0, off"
    text = f"k:\n s_load_b64 s[4:5], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n {code}\n s_endpgm\n"
    assert [each.where.line for each in findings(text, "gfx1100") if each.rule == "missing-carry"] == [4]

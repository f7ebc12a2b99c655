"""LDS accesses of kernels that request none."""

import pytest

from gcn_lsp.text import rendered
from tests.rules.test_lds_beyond_segment import DYNAMIC, KERNEL, METADATA
from tests.support.check import check_diagnostics, check_fix, check_no_finding, check_no_fix, findings

RULE = "unrequested-lds"


def test_the_first_access_is_reported() -> None:
    check_diagnostics(
        """
        k:
        v_mov_b32 v0, 0
        ds_write_b32 v0, v1
        //<^^^^^^^^^^^^^^^^ information[unrequested-lds]: kernel `k` requests 0 bytes of LDS
        ds_read_b32 v1, v0
        s_endpgm
        .amdhsa_kernel k
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 16
        .amdhsa_system_vgpr_workitem_id 1
        .end_amdhsa_kernel
        """
    )


def test_the_fix_requests_what_the_known_addresses_need() -> None:
    code = "k:\nv_mov_b32 v0, 0\nds_write_b64 v0, v[2:3] offset:56\ns_endpgm\n.amdhsa_kernel k\n"
    fields = "  .amdhsa_next_free_vgpr 8\n  .amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
    size = "  .amdhsa_group_segment_fixed_size"
    check_fix(code + fields, f"{code}{size} 64\n{fields}", rule=RULE)
    check_fix(f"{code}{size} 0\n{fields}", f"{code}{size} 64\n{fields}", rule=RULE)
    told = METADATA.format(0, "")
    check_fix(f"{code}{fields}{told}", f"{code}{size} 64\n{fields}{METADATA.format(64, '')}", rule=RULE)


def test_addresses_beyond_all_lds_need_none() -> None:
    code = "k:\nv_mov_b32 v0, -1\nds_write_b32 v0, v1\n{}s_endpgm\n.amdhsa_kernel k\n"
    fields = "  .amdhsa_next_free_vgpr 8\n  .amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
    (found,) = (each for each in findings(code.format("") + fields) if each.rule == RULE)
    assert "reach to byte" not in found.message
    assert not found.fixes
    further = "v_mov_b32 v0, 8\nds_write_b32 v0, v1\n"
    (found,) = (each for each in findings(code.format(further) + fields) if each.rule == RULE)
    assert "its accesses reach to byte 12 at least" in found.message


def test_the_fix_is_for_all_work_items() -> None:
    code = "k:\nv_lshlrev_b32 v0, 2, v0\nds_write_b32 v0, v1\ns_waitcnt lgkmcnt(0)\ns_barrier\ns_endpgm\n"
    fields = ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
    (found,) = [each for each in findings(code + fields + METADATA.format(0, ""), "gfx900") if each.rule == RULE]
    assert "reach to byte 1024 at least" in rendered(found.message, "")


def test_no_fix_where_no_address_is_known() -> None:
    check_no_fix(KERNEL.format("ds_read_b32 v1, v3", 0) + METADATA.format(0, ""))


def test_in_a_macro() -> None:
    check_diagnostics(
        """
        .macro put
        ds_write_b8 v0, v0
        //<^^^^^^^^^^^^^^^ information[unrequested-lds]
        .endm
        k:
        put
        s_endpgm
        .amdhsa_kernel k
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


@pytest.mark.parametrize(
    "text",
    [
        KERNEL.format("ds_read_b32 v1, v0", 4),
        KERNEL.format("ds_read_b32 v1, v0", 0) + METADATA.format(64, ""),
        KERNEL.format("ds_read_b32 v1, v0", 0) + METADATA.format(0, DYNAMIC.format("hidden_dynamic_lds_size")),
        # Moves between lanes, and GDS.
        KERNEL.format("ds_bpermute_b32 v1, v0, v2", 0),
        KERNEL.format("ds_swizzle_b32 v1, v0 offset:swizzle(SWAP,1)", 0),
        KERNEL.format("s_mov_b32 m0, 16\nds_read_b32 v1, v0 gds", 0),
        KERNEL.format("v_mov_b32 v1, v0", 0),
    ],
)
def test_not_told(text: str) -> None:
    check_no_finding(text, RULE)

"""LDS accesses of kernels that request none."""

import pytest

from tests.rules.test_lds_beyond_segment import DYNAMIC, KERNEL, METADATA
from tests.support.check import check_diagnostics, check_no_finding

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


def test_in_a_macro() -> None:
    check_diagnostics(
        """
        .macro put
        ds_write_b32 v0, v0
        //<^^^^^^^^^^^^^^^^ information[unrequested-lds]
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

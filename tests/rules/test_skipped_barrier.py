"""Barriers that some waves of a work-group skip."""

import pytest

from tests.support.check import check_no_finding, findings

RULE = "skipped-barrier"
KERNEL = """//- k.s target:gfx900
k:
{}
s_and_saveexec_b64 s[6:7], vcc
{}
{}
after:
s_or_b64 exec, exec, s[6:7]
{}
s_endpgm
.rodata
.amdhsa_kernel k
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 32
.amdhsa_user_sgpr_kernarg_segment_ptr 1
{}
.end_amdhsa_kernel
"""
BRANCH = "s_cbranch_execz after"


def kernel(comparison: str, inside: str = "s_barrier", later: str = "s_barrier", more: str = "") -> str:
    return KERNEL.format(comparison, BRANCH, inside, later, more)


@pytest.mark.parametrize(
    "comparison",
    [
        "v_cmp_gt_u32 vcc, 64, v0",
        "v_cmp_eq_u32 vcc, 0, v0",
        "v_cmp_gt_i32 vcc, 1, v0",
        "v_cmp_lt_u32 vcc, v0, v1\nv_cmp_ge_u32 vcc, 63, v0",
        "v_and_b32 v3, 0x3ff, v0\nv_cmp_eq_u32 vcc, 0, v3",
        "v_cmp_lt_u32 vcc, 63, v0",
    ],
)
def test_found(comparison: str) -> None:
    assert [each.rule for each in findings(kernel(comparison)) if each.rule == RULE] == [RULE]


@pytest.mark.parametrize(
    "text",
    [
        kernel("v_cmp_gt_u32 vcc, 64, v0", later="s_nop 0"),  # waves that end do not count
        kernel("v_cmp_gt_u32 vcc, 64, v0", inside="s_nop 0"),
        kernel("v_cmp_ne_u32 vcc, 0, v0"),  # every wave has such a lane
        kernel("v_cmp_lt_u32 vcc, 31, v0"),
        kernel("v_cmp_gt_u32 vcc, s8, v0"),  # how many are meant is not known
        kernel("v_cmp_gt_u32 vcc, 0x100, v0"),  # that may be all
        kernel("v_mov_b32 v0, 1\nv_cmp_gt_u32 vcc, 64, v0"),
        kernel("v_cmp_gt_u32 vcc, 64, v0", more=".amdhsa_system_vgpr_workitem_id 1"),  # rows of a plane
        kernel("v_cmp_gt_u32 vcc, 64, v0").replace(BRANCH, "s_nop 0"),
    ],
)
def test_silent(text: str) -> None:
    check_no_finding(text, RULE)

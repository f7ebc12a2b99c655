"""Barriers that some waves of a work-group skip."""

import pytest

from gcn_lsp.findings.model import Severity
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


HALVING = """//- k.s target:gfx90a
k:
v_lshlrev_b32 v1, 2, v0
s_movk_i32 s12, {}
round:
v_cmp_gt_u32 vcc, s12, v0
s_and_saveexec_b64 s[6:7], vcc
s_cbranch_execz after
ds_read_b32 v3, v1
{}
after:
s_mov_b64 exec, s[6:7]
{}
s_lshr_b32 s12, s12, 1
s_cmp_lg_u32 s12, 0
s_cbranch_scc1 round
s_endpgm
.rodata
.amdhsa_kernel k
.amdhsa_group_segment_fixed_size 1024
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 32
.amdhsa_accum_offset 8
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .reqd_workgroup_size: [256, 1, 1]
    {}
.end_amdgpu_metadata
"""
COMPILED = ".uses_dynamic_stack: false"


def of_halving(bound: str, inside: str = "s_barrier", later: str = "s_barrier", more: str = "") -> list[str]:
    found = findings(HALVING.format(bound, inside, later, more))
    return [each.message for each in found if each.rule == RULE]


def test_a_bound_that_a_loop_halves() -> None:
    assert of_halving("0x80") == [
        "some waves of a work-group skip this barrier by the branch on line 7 and arrive at another one"
    ]
    assert of_halving("0x80", later="") == of_halving("0x80")  # the barrier itself comes again
    assert of_halving("0x80", inside="") == []
    assert of_halving("0x80", more=COMPILED) == []


OF_BOUNDS = """//- k.s target:gfx90a
k:
s_load_dword s8, s[0:1], 0x10
v_lshl_add_u32 v4, s2, 8, v0
v_lshlrev_b32 v1, 2, v0
ds_write_b32 v1, v1
s_waitcnt lgkmcnt(0)
v_cmp_gt_i32 vcc, s8, v4
s_and_saveexec_b64 s[6:7], vcc
s_cbranch_execz after
s_barrier
ds_read_b32 v3, v1
after:
s_or_b64 exec, exec, s[6:7]
s_barrier
s_endpgm
.rodata
.amdhsa_kernel k
.amdhsa_group_segment_fixed_size 1024
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 32
.amdhsa_accum_offset 8
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .reqd_workgroup_size: [256, 1, 1]
.end_amdgpu_metadata
"""
SIZE = ".reqd_workgroup_size: [256, 1, 1]"


@pytest.mark.parametrize(
    ("old", "new", "is_found"),
    [
        ("", "", True),
        (SIZE, f"{SIZE}\n    {COMPILED}", True),
        (SIZE, f".max_flat_workgroup_size: 256\n    {COMPILED}", False),  # it may be launched with one wave
        (SIZE, ".reqd_workgroup_size: [64, 1, 1]", False),
        ("v_lshl_add_u32 v4, s2, 8, v0", "v_mov_b32 v4, s2", False),  # all waves of a work-group agree
        ("v_lshl_add_u32 v4, s2, 8, v0", "v_mov_b32 v4, v0", False),  # the argument may be the size of the work-group
        ("vcc, s8, v4", "vcc, s8, v5", False),
        ("execz after\ns_barrier", "execz after", False),
        ("s[6:7]\ns_barrier", "s[6:7]", False),
    ],
)
def test_waves_beyond_the_bounds_of_the_grid(old: str, new: str, is_found: bool) -> None:
    found = [each for each in findings(OF_BOUNDS.replace(old, new, 1)) if each.rule == RULE]
    assert [(each.severity, each.where.line) for each in found] == [(Severity.INFORMATION, 9)] * is_found
    said = "waves whose work-items are all beyond the bounds skip this barrier by the branch on line 9 and arrive at"
    assert all(said in str(each.message) for each in found)

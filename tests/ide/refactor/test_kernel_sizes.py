"""Sizes of a kernel that are corrected together: as its code needs them, in the descriptor and in the metadata."""

import pytest

from tests.ide.refactor.test_kernel_metadata import WRITE, offered
from tests.rules.test_missing_metadata import KERNEL
from tests.support import check

CORRECT = "Correct the sizes of `saxpy`"

LDS = """; gcn-lsp: target=gfx90a
reduce:
  s_load_dwordx2 s[4:5], s[0:1], 0x8
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v40, 0
  v_mov_b32 v1, s4
  ds_write_b32 v40, v1 offset:508
  s_endpgm
.rodata
.amdhsa_kernel reduce
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size 256
  .amdhsa_kernarg_size 8
  .amdhsa_accum_offset 8
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 4
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .group_segment_fixed_size: 256
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 64
    .name: other
    .private_segment_fixed_size: 0
    .sgpr_count: 4
    .symbol: other.kd
    .vgpr_count: 8
    .wavefront_size: 64
  - .group_segment_fixed_size: 256
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 64
    .name: reduce
    .private_segment_fixed_size: 0
    .sgpr_count: 5
    .symbol: reduce.kd
    .vgpr_count: 8
    .wavefront_size: 64
.end_amdgpu_metadata
"""


@pytest.mark.parametrize("at", [".amdhsa_kernel", ".vgpr_count"])
def test_metadata_that_differ_are_corrected_together(at: str) -> None:
    written = offered(KERNEL, ".amdhsa_kernel")[WRITE]
    changed = written.replace("next_free_vgpr 8", "next_free_vgpr 40").replace("kernarg_size 24", "kernarg_size 32")
    changed = changed.replace(".amdhsa_kernarg", ".amdhsa_group_segment_fixed_size 512\n  .amdhsa_kernarg")
    corrected = offered(changed, at)[CORRECT]
    for part in (".vgpr_count: 40", ".kernarg_segment_size: 32", ".group_segment_fixed_size: 512"):
        assert part in corrected
    assert offered(corrected, at) == {}


@pytest.mark.parametrize("at", ["reduce:", ".amdhsa_next_free_vgpr", ".name: reduce", ".sgpr_count: 5"])
def test_what_the_code_needs_reaches_the_descriptor_and_the_metadata(at: str) -> None:
    corrected = offered(LDS, at)["Correct the sizes of `reduce`"]
    before, after = corrected.split("  - .group", 2)[0], corrected.split("  - .group", 2)[2]
    for part in (
        ".amdhsa_group_segment_fixed_size 512",
        ".amdhsa_kernarg_size 16",
        ".amdhsa_accum_offset 44",
        ".amdhsa_next_free_vgpr 41",
        ".amdhsa_next_free_sgpr 6",
    ):
        assert part in before
    for part in ("_segment_fixed_size: 512", ".kernarg_segment_size: 16", ".sgpr_count: 12", ".vgpr_count: 41"):
        assert part in after
    assert corrected.split("  - .group", 2)[1] == LDS.split("  - .group", 2)[1]  # the other kernel's
    assert offered(corrected, "reduce:") == {}


def test_lds_that_nothing_requests_is_requested() -> None:
    text = LDS.replace("  .amdhsa_group_segment_fixed_size 256\n", "").replace("fixed_size: 256", "fixed_size: 0")
    corrected = offered(text, "reduce:")["Correct the sizes of `reduce`"]
    assert "\n  .amdhsa_group_segment_fixed_size 512\n" in corrected
    assert corrected.count("group_segment_fixed_size: 512") == 1
    check.check_silent(corrected, "gfx90a")


def test_not_where_sizes_are_right_or_not_numbers() -> None:
    assert offered(offered(KERNEL, ".amdhsa_kernel")[WRITE], ".amdhsa_kernel") == {}
    assert offered(LDS, ".name: other") == {}
    assert offered(LDS.replace("reduce:", "reduce_too:"), ".amdhsa_kernel") == {}

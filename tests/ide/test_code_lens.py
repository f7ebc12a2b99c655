"""What each kernel takes of the machine."""

import pytest

from gcn_lsp.ide import code_lens
from tests.support import check, fixture

DESCRIPTOR = """
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr {vgprs}
  .amdhsa_next_free_sgpr 16
  .amdhsa_group_segment_fixed_size {lds}
{fields}
.end_amdhsa_kernel
"""
METADATA = """
.amdgpu_metadata
amdhsa.version: [1, 0]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .group_segment_fixed_size: {lds}
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 4
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: {size}
.end_amdgpu_metadata
"""


def lenses(text: str, target: str = "gfx900") -> list[tuple[int, str]]:
    """The lines, from 1, and the texts of the lenses."""
    built = check.build(fixture.parse(text), target)
    return [(found.where.line + 1, found.text) for found in code_lens.code_lenses(built)]


def resources(vgprs: str, target: str = "gfx900", lds: int = 0, size: int = 0, fields: str = "") -> str:
    """The first lens of a kernel with these fields."""
    text = "k:\n v_mov_b32 v3, v0\n s_mov_b32 s5, s4\n s_endpgm\n"
    text += DESCRIPTOR.format(vgprs=vgprs, lds=lds, fields=fields) + (
        METADATA.format(lds=lds, size=size) if size else ""
    )
    return lenses(text, target)[0][1]


def test_what_a_kernel_takes() -> None:
    assert resources("24") == "VGPRs 4 of 24 | SGPRs 6 of 16 | LDS 0 B | scratch 0 B | 10 waves per SIMD, 40 per CU"


@pytest.mark.parametrize(
    ("vgprs", "target", "fields", "said"),
    [
        ("25", "gfx900", "", "9 waves per SIMD, 36 per CU, limited by VGPRs"),
        ("128", "gfx90a", ".amdhsa_accum_offset 64", "4 waves per SIMD, 16 per CU, limited by VGPRs"),
        ("128", "gfx1030", "", "8 waves per SIMD, 16 per CU, limited by VGPRs"),
        ("128", "gfx1030", ".amdhsa_wavefront_size32 0", "4 waves per SIMD, 8 per CU, limited by VGPRs"),
        ("97", "gfx1100", "", "12 waves per SIMD, 24 per CU, limited by VGPRs"),
        ("8", "gfx1200", "", "16 waves per SIMD, 32 per CU"),
    ],
)
def test_occupancy(vgprs: str, target: str, fields: str, said: str) -> None:
    assert resources(vgprs, target, fields=fields).split(" | ")[-1] == said


def test_lds_limits_once_the_size_of_work_groups_is_known() -> None:
    assert resources("8", lds=32768, size=256).split(" | ")[-1] == "2 waves per SIMD, 8 per CU, limited by LDS"
    assert resources("8", lds=32768).split(" | ")[-1] == "at most 10 waves per SIMD, 40 per CU"


def test_accumulators() -> None:
    assert resources("32", "gfx90a", fields=".amdhsa_accum_offset 16").startswith("VGPRs 4 of 16 | AGPRs 0 of 16 | ")


def test_a_number_that_only_the_build_knows() -> None:
    assert resources("unknown") == "VGPRs 4 of ? | SGPRs 6 of 16 | LDS 0 B | scratch 0 B"


def test_registers_in_use() -> None:
    text = "k:\n v_mov_b32 v3, v0\n v_add_u32 v1, v3, v0\n ds_write_b32 v3, v1\n s_endpgm\n"
    assert lenses(text + DESCRIPTOR.format(vgprs=8, lds=0, fields=""))[1] == (
        1,
        "most in use at once: VGPRs 2 (line 2)",
    )


def test_a_kernel_without_code_has_none() -> None:
    assert lenses(DESCRIPTOR.format(vgprs=8, lds=0, fields="")) == []

"""What each kernel takes of the machine."""

import pytest

from gcn_lsp.ide import code_lens, hover
from gcn_lsp.text import rendered
from tests.analysis.lds import pipelines
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


def lenses(text: str, target: str = "gfx900") -> list[tuple[int, str, str]]:
    """The lines, from 1, and the texts of the lenses, and what they open."""
    built = check.build(fixture.parse(text), target)
    lenses = code_lens.code_lenses(built)
    return [(found.where.line + 1, rendered(found.text, built.path), found.opens) for found in lenses]


def resources(vgprs: str, target: str = "gfx900", lds: int = 0, size: int = 0, fields: str = "") -> str:
    """The first lens of a kernel with these fields."""
    text = "k:\n v_mov_b32 v3, v0\n s_mov_b32 s5, s4\n s_endpgm\n"
    text += DESCRIPTOR.format(vgprs=vgprs, lds=lds, fields=fields) + (
        METADATA.format(lds=lds, size=size) if size else ""
    )
    return lenses(text, target)[0][1]


def test_what_a_kernel_takes() -> None:
    assert resources("24") == "24 VGPRs, 10 waves/SIMD"
    assert resources("24", lds=2048, size=64) == "24 VGPRs, 2 KiB LDS, 8 waves/SIMD (10 with 512 bytes of LDS fewer)"


@pytest.mark.parametrize(
    ("vgprs", "target", "fields", "said"),
    [
        ("25", "gfx900", "", "9 waves/SIMD (10 with 1 VGPR fewer)"),
        ("128", "gfx90a", ".amdhsa_accum_offset 64", "4 waves/SIMD (5 with 32 VGPRs fewer)"),
        ("128", "gfx1030", "", "8 waves/SIMD (9 with 16 VGPRs fewer)"),
        ("128", "gfx1030", ".amdhsa_wavefront_size32 0", "4 waves/SIMD (5 with 32 VGPRs fewer)"),
        ("97", "gfx1100", "", "12 waves/SIMD (16 with 1 VGPR fewer)"),
        ("8", "gfx1200", "", "16 waves/SIMD"),
    ],
)
def test_occupancy(vgprs: str, target: str, fields: str, said: str) -> None:
    assert resources(vgprs, target, fields=fields).split(", ")[-1] == said


def test_lds_limits_once_the_size_of_work_groups_is_known() -> None:
    assert resources("8", lds=32768, size=256) == "8 VGPRs, 32 KiB LDS, 2 waves/SIMD (3 with 11264 bytes of LDS fewer)"
    both = "115 VGPRs, 14 KiB LDS, 2 waves/SIMD (3 with 31 VGPRs and 1536 bytes of LDS fewer)"
    assert resources("115", lds=14336, size=128) == both
    assert resources("115", lds=14336 - 1536, size=128).endswith("2 waves/SIMD (3 with 31 VGPRs fewer)")
    assert resources("84", lds=14336 - 1536, size=128).startswith("84 VGPRs, 12800 B LDS, 3 waves/SIMD")
    assert resources("8", lds=32768) == "8 VGPRs, 32 KiB LDS, ≤10 waves/SIMD"


def test_accumulators() -> None:
    assert resources("32", "gfx90a", fields=".amdhsa_accum_offset 16").startswith("16 VGPRs, 16 AGPRs, ")


def test_a_number_that_only_the_build_knows() -> None:
    assert resources("unknown") == "? VGPRs"


def test_registers_in_use_and_control_flow() -> None:
    text = "k:\n v_mov_b32 v3, v0\n v_add_u32 v1, v3, v0\n ds_write_b32 v3, v1\n s_endpgm\n"
    assert lenses(text + DESCRIPTOR.format(vgprs=8, lds=0, fields=""))[1:] == [
        (1, "peak 2", "line"),
        (1, "graph", "control-flow"),
        (1, "debug", "debug"),
    ]


def test_what_is_read_fits_beside_another_editor() -> None:
    text = "k:\n v_mov_b32 v3, v0\n v_add_u32 v1, v3, v0\n ds_write_b32 v3, v1\n s_endpgm\n"
    found = lenses(text + DESCRIPTOR.format(vgprs=24, lds=2048, fields=""))
    read = [said for _, said, opens in found if opens in ("report", "line")]
    assert [said for _, said, _ in found][: len(read)] == read
    assert len(" | ".join(read)) <= 50, read  # of a smaller font than the 45 columns of code beside another editor


def test_the_hover_of_the_kernel_has_all_of_it() -> None:
    text = "k:\n v_mov_b32 v3, v0\n s_mov_b32 s5, s4\n s_endpgm\n" + DESCRIPTOR.format(vgprs=25, lds=0, fields="")
    found = hover.hover(check.build(fixture.parse(text), "gfx900"), 0, 0)
    assert found is not None
    assert "| VGPRs | 25 | 4 | 1 (line 2) |" in found.markdown
    assert "Occupancy: 9 waves on a SIMD, 36 on a compute unit, limited by VGPRs." in found.markdown


def test_a_kernel_without_code_has_none() -> None:
    assert lenses(DESCRIPTOR.format(vgprs=8, lds=0, fields="")) == []


def test_a_configuration_that_only_the_build_knows() -> None:
    assert lenses("; text\n.set a, 1\n.if FOO\ns_nop BAR\n.endif\ns_nop BAR") == [
        (2, "configuration unknown: 2 symbols", "line")
    ]
    assert lenses("s_nop BAR") == [(1, "configuration unknown: `BAR`", "line")]
    assert lenses("s_nop 0") == []


def test_a_kernel_with_a_header_in_the_code() -> None:
    header = "workitem_vgpr_count = 25\nworkgroup_group_segment_byte_size = 1024\nwavefront_sgpr_count = 16\n"
    text = f"k:\n.amd_kernel_code_t\n{header}.end_amd_kernel_code_t\nv_mov_b32 v3, v0\nv_mov_b32 v1, v3\ns_endpgm\n"
    at_most = "≤9 waves/SIMD (VGPRs)"
    assert lenses(text) == [
        (1, f"25 VGPRs, 1 KiB LDS, {at_most}", "report"),
        (1, "peak 1", "line"),
        (1, "graph", "control-flow"),
        (1, "debug", "debug"),
    ]
    # Where AGPRs share the file, VGPRs come in fours.
    assert lenses(text, "gfx90a")[0][1] == "28 VGPRs, 1 KiB LDS, ≤8 waves/SIMD"


def test_code_without_a_descriptor_has_its_control_flow() -> None:
    assert lenses("start:\n s_mov_b32 s5, s4\n s_endpgm\n") == [
        (1, "peak 1 SGPR", "line"),
        (1, "graph", "control-flow"),
    ]
    assert lenses("; nothing\n") == []


def test_a_kernel_of_a_macro_has_its_lenses_at_the_call() -> None:
    text = ".macro begin name\n\\name:\n.endm\n\nbegin k\n v_mov_b32 v3, v0\n s_endpgm\n"
    assert lenses(text + DESCRIPTOR.format(vgprs=4, lds=0, fields=""))[0] == (5, "4 VGPRs, 10 waves/SIMD", "report")


def test_barriers_say_what_they_publish_to_lds() -> None:
    kernel = next(each for each in pipelines.kernels() if each.name == "dword-straight-2-1")
    built = check.build(fixture.parse(kernel.text), kernel.target)
    said = [each for each in code_lens.code_lenses(built) if "LDS buffer" in rendered(each.text, built.path)]
    assert [built.source.lines[each.where.line] for each in said] == [b"s_barrier"] * 4
    assert {each.opens for each in said} == {code_lens.LINE}
    assert built.source.lines[said[0].line].startswith(b"buffer_load_dword")
    assert [each for each in code_lens.unresolved(built) if each.text in {lens.text for lens in said}] == said

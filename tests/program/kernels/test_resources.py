"""Resources of kernels from their descriptors: defaults, registers, inputs, occupancy."""

import pytest

from gcn_lsp.program import program
from gcn_lsp.program.kernels.resources import Resources
from gcn_lsp.text import SourceText


def build(text: str, target: str | None = "gfx900", mattr: str = "") -> program.Program:
    return program.build(SourceText.from_bytes("k.s", text.encode()), program.Options(target, mattr))


def resources(fields: str, target: str = "gfx900", mattr: str = "") -> Resources:
    lines = "\n".join(f".amdhsa_{field.strip()}" for field in fields.split(","))
    (found,) = build(f".amdhsa_kernel k\n{lines}\n.end_amdhsa_kernel\n", target, mattr).kernels
    assert found.resources is not None
    return found.resources


def test_places_and_values() -> None:
    text = ".amdhsa_kernel k\n  .amdhsa_next_free_vgpr 4+4 ; eight\n .amdhsa_next_free_sgpr n\n.end_amdhsa_kernel\n"
    (found,) = build(text + ".set n, 20\n").kernels
    assert (found.name, found.where.line) == ("k", 0)
    assert [(field.word, field.value, field.argument.start) for field in found.fields] == [
        (".amdhsa_next_free_vgpr", 8, 25),
        (".amdhsa_next_free_sgpr", 20, 24),
    ]
    field = found.field("next_free_vgpr")
    assert field is not None
    assert field.movable


def test_defaults_differ_by_target() -> None:
    old = resources("next_free_vgpr 8, next_free_sgpr 16", "gfx900").values
    new = resources("next_free_vgpr 8, next_free_sgpr 16", "gfx1100").values
    assert (old["ieee_mode"], old["reserve_xnack_mask"], old["system_sgpr_workgroup_id_x"]) == (1, 1, 1)
    assert (new["wavefront_size32"], new["memory_ordered"], new["forward_progress"]) == (1, 1, 1)
    assert "reserve_flat_scratch" not in new


@pytest.mark.parametrize(
    ("fields", "target", "allocated", "blocks", "waves"),
    [
        ("next_free_vgpr 25, next_free_sgpr 16", "gfx900", 28, 6, 9),
        ("next_free_vgpr 128, next_free_sgpr 16", "gfx906", 128, 31, 2),
        ("next_free_vgpr 129, next_free_sgpr 16, accum_offset 128", "gfx90a", 136, 16, 3),
        ("next_free_vgpr 512, next_free_sgpr 16, accum_offset 256", "gfx90a", 512, 63, 1),
        ("next_free_vgpr 65, next_free_sgpr 16", "gfx1030", 80, 8, 12),
        ("next_free_vgpr 97, next_free_sgpr 16", "gfx1100", 120, 12, 12),
    ],
)
def test_vgprs_are_allocated_in_blocks(fields: str, target: str, allocated: int, blocks: int, waves: int) -> None:
    found = resources(fields, target)
    assert (found.allocated_vgprs, found.vgpr_blocks, found.occupancy) == (allocated, blocks, waves)
    assert found.limits == ("VGPRs",)


def test_sgprs_with_the_reserved_ones() -> None:
    found = resources("next_free_vgpr 8, next_free_sgpr 90", "gfx900")
    assert (found.sgprs, found.reserved_sgprs, found.allocated_sgprs, found.sgpr_blocks) == (90, 6, 96, 11)
    assert (found.occupancy, found.limits) == (8, ("SGPRs",))
    bare = resources("next_free_vgpr 8, next_free_sgpr 90, reserve_vcc 0, reserve_flat_scratch 0", "gfx906", "-xnack")
    assert bare.reserved_sgprs == 0
    assert resources("next_free_vgpr 8, next_free_sgpr 90", "gfx1030").sgprs == 106


def test_agprs_share_the_file_on_gfx90a_only() -> None:
    shared = resources("next_free_vgpr 100, next_free_sgpr 16, accum_offset 64", "gfx90a")
    assert (shared.vgprs, shared.agprs, shared.total_vgprs) == (64, 36, 100)
    apart = resources("next_free_vgpr 100, next_free_sgpr 16", "gfx908")
    assert (apart.vgprs, apart.agprs) == (100, 100)
    assert resources("next_free_vgpr 100, next_free_sgpr 16", "gfx900").agprs == 0


def test_inputs_in_registers() -> None:
    enabled = (
        "next_free_vgpr 8, next_free_sgpr 16, user_sgpr_private_segment_buffer 1, user_sgpr_kernarg_segment_ptr 1,"
        "system_sgpr_workgroup_id_z 1, system_vgpr_workitem_id 1"
    )
    found = [(place.title, f"{place.file}{place.first}", place.count) for place in resources(enabled).inputs]
    assert found == [
        ("private segment buffer", "s0", 4),
        ("kernarg segment pointer", "s4", 2),
        ("work-group id x", "s6", 1),
        ("work-group id z", "s7", 1),
        ("work-item id x", "v0", 1),
        ("work-item id y", "v1", 1),
    ]


def test_preloaded_arguments_come_before_the_work_group_ids() -> None:
    enabled = "next_free_vgpr 8, next_free_sgpr 16, accum_offset 8, user_sgpr_kernarg_segment_ptr 1,"
    found = resources(enabled + "user_sgpr_kernarg_preload_length 3, system_vgpr_workitem_id 1", "gfx90a")
    assert [(place.title, place.first, place.bits) for place in found.inputs] == [
        ("kernarg segment pointer", 0, ""),
        ("preloaded kernel arguments", 2, ""),
        ("work-group id x", 5, ""),
        ("work-item id x", 0, "9:0"),
        ("work-item id y", 0, "19:10"),
    ]


def test_work_group_ids_are_in_trap_registers_on_gfx12() -> None:
    found = resources("next_free_vgpr 8, next_free_sgpr 16, user_sgpr_kernarg_segment_ptr 1", "gfx1200")
    assert [(place.file, place.first, place.bits) for place in found.inputs][1:4] == [
        ("ttmp", 9, ""),
        ("ttmp", 7, "15:0"),
        ("ttmp", 7, "31:16"),
    ]


def test_occupancy_by_lds() -> None:
    found = resources("next_free_vgpr 8, next_free_sgpr 16, group_segment_fixed_size 32768")
    assert (found.waves_by_lds(256), found.waves_by_lds(1024)) == (2, 8)
    assert resources("next_free_vgpr 8, next_free_sgpr 16").waves_by_lds(64) == 10


@pytest.mark.parametrize(("target", "waves"), [("gfx1010", 13), ("gfx1030", 11), ("gfx1100", 11), ("gfx1200", 11)])
def test_lds_is_allocated_in_the_blocks_of_the_documents(target: str, waves: int) -> None:
    """2,560 bytes are 5 blocks of 512 bytes, but 3 of the 1,024 bytes that the RDNA 2 to 4 documents give."""
    fields = "next_free_vgpr 8, next_free_sgpr 16, group_segment_fixed_size 2560, wavefront_size32 1"
    assert resources(fields, target).waves_by_lds(32) == waves


def test_what_the_build_defines_is_not_known() -> None:
    found = resources("next_free_vgpr vgprs, next_free_sgpr 16")
    assert (found.total_vgprs, found.allocated_vgprs, found.occupancy) == (None, None, None)


def test_an_assumed_target_has_resources() -> None:
    (found,) = build(".amdhsa_kernel k\n .amdhsa_next_free_vgpr 8\n.end_amdhsa_kernel\n", None).kernels
    assert found.resources is not None
    assert (found.resources.target.name, len(found.fields)) == ("gfx942", 1)

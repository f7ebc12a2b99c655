"""Kernel descriptors as values: defaults, registers, inputs, occupancy; blocks over chunks and edits."""

import pytest

from gcn_lsp.program import problems, program
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


BLOCK = ".amdhsa_kernel k\n .amdhsa_next_free_vgpr 8\n .amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n"


def test_a_block_over_two_chunks_is_one() -> None:
    built = build("\n" * 62 + ".rodata\n" + BLOCK)
    assert len(built.chunks) == 2
    (block,) = built.kernel_blocks
    assert block.is_closed
    assert block.written == (("next_free_vgpr", 8), ("next_free_sgpr", 8))
    assert built.section_bytes(".rodata")[48:52].hex() == "4100ac00"


def test_an_edit_elsewhere_keeps_the_block() -> None:
    source = SourceText.from_bytes("k.s", (BLOCK + "s_nop 0\n" * 200).encode())
    options = program.Options("gfx900")
    before = program.build(source, options)
    after = program.build(source.replace(150, 0, 150, 0, b"s_nop 1\n"), options, before)
    assert after.kernel_blocks[0] is before.kernel_blocks[0]


def test_an_edit_of_a_late_symbol_changes_the_kernel() -> None:
    text = BLOCK.replace("vgpr 8", "vgpr n") + "s_nop 0\n" * 200 + ".set n, 16\n"
    source = SourceText.from_bytes("k.s", text.encode())
    options = program.Options("gfx900")
    before = program.build(source, options)
    after = program.build(source.replace(204, 8, 204, 10, b"24"), options, before)
    assert [built.kernels[0].fields[0].value for built in (before, after)] == [16, 24]


def test_a_late_symbol_may_be_set_by_one_that_comes_later_still() -> None:
    text = BLOCK.replace("vgpr 8", "vgpr max(n, 1)") + ".set n, max(most, 8)\n.set most, other+1\n.set other, 16\n"
    (found,) = build(text).kernels
    assert found.fields[0].value == 17


def test_late_symbols_that_go_round_have_no_value() -> None:
    (found,) = build(BLOCK.replace("vgpr 8", "vgpr n") + ".set n, m+n\n.set m, n+1\n").kernels
    assert found.fields[0].value is None


@pytest.mark.parametrize("field", ["user_sgpr_dispatch_ptr", "user_sgpr_count", "user_sgpr_private_segment_size"])
def test_a_field_on_which_others_depend_needs_its_value_at_once(field: str) -> None:
    text = BLOCK.replace(".amdhsa_next_free_vgpr 8", f".amdhsa_next_free_vgpr 8\n .amdhsa_{field} later")
    (found,) = problems.of(build(text + ".set later, 1\n"))
    assert found.problem.rule == "descriptor-field"
    assert "only after this line" in found.problem.message
    assert not list(problems.of(build(text)))  # the build may define it


def test_an_open_block_is_no_error() -> None:
    (found,) = build(".amdhsa_kernel k\n .amdhsa_next_free_vgpr 8\n").kernels
    assert found.resources is not None
    assert found.resources.total_vgprs == 8


@pytest.mark.parametrize("before", [0, 50, 58, 60, 62])
def test_a_block_that_a_repetition_ends_has_the_same_strays_wherever_it_is(before: int) -> None:
    """The repetition begins in another chunk than it ends, or in the same: what follows the block is no part of it."""
    lines = (".amdhsa_kernel k", ".rept 2", ".amdhsa_ieee_mode 1", ".end_amdhsa_kernel", *["s_nop 1"] * 20, ".endr")
    built = build("s_nop 0\n" * before + "\n".join(lines))
    strays = [each for each in problems.of(built) if "can hold only `.amdhsa_` fields" in each.problem.message]
    assert [each.where.line - before for each in strays] == [1]


@pytest.mark.parametrize("before", [0, 50, 58, 60, 62, 63])
def test_a_block_in_a_repetition_has_the_same_strays_wherever_it_is(before: int) -> None:
    lines = (".rept 1", ".amdhsa_kernel k", "s_nop 0", "s_nop 1", ".end_amdhsa_kernel", *["s_nop 2"] * 9, ".endr")
    built = build("s_nop 0\n" * before + "\n".join(lines))
    strays = [each for each in problems.of(built) if "can hold only `.amdhsa_` fields" in each.problem.message]
    assert [each.where.line - before for each in strays] == [2, 3]

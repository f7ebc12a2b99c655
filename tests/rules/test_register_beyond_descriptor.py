"""Registers that a kernel's descriptor does not ask for."""

from gcn_lsp.rules import register_beyond_descriptor
from tests.support import fixture
from tests.support.check import build, check_diagnostics, check_fix, check_no_finding, check_silent, findings

DESCRIPTOR = """
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
"""


def test_a_vgpr() -> None:
    check_diagnostics(
        """
        copy:
          v_mov_b32 v7, 0
          global_load_dwordx4 v[8:11], v[0:1], off
          s_endpgm
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
        //                       ^ warning[register-beyond-descriptor]: is 8; 12 is needed
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


def test_the_first_use_is_told() -> None:
    (finding,) = findings("copy:\nv_mov_b32 v9, 0\nv_mov_b32 v12, 0\n" + DESCRIPTOR)
    assert [(related.where.line, related.message) for related in finding.related] == [
        (1, "the first use of a register beyond `v7`")
    ]


def test_the_assignment_of_a_symbol_in_the_value_is_told() -> None:
    code = "copy:\nv_mov_b32 v9, 0\n.set .amdgcn.next_free_vgpr, 0\n.set other, 8\n.set .amdgcn.next_free_vgpr, 4\n"
    found = findings(code + DESCRIPTOR.replace("vgpr 8", "vgpr .amdgcn.next_free_vgpr"))
    (finding,) = (each for each in found if each.rule == "register-beyond-descriptor")
    assert [(related.where.line, related.message) for related in finding.related] == [
        (4, "`.amdgcn.next_free_vgpr` is set here"),
        (1, "the first use of a register beyond `v3`"),
    ]


def test_in_a_macro_the_call_is_told_too() -> None:
    text = ".macro clear r\nv_mov_b32 v[\\r], 0\n.endm\ncopy:\nclear 9\n"
    (finding,) = findings(text + DESCRIPTOR)
    assert [related.where.line for related in finding.related] == [1, 4]


def test_the_fix_raises_the_number() -> None:
    check_fix(
        """
        copy:
          v_mov_b32 v9, 0
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8 ; so few
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """,
        """
        copy:
          v_mov_b32 v9, 0
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 10 ; so few
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """,
    )


def test_a_symbol_is_not_replaced() -> None:
    (finding,) = findings(
        """
        .set vgprs, 8
        copy:
          v_mov_b32 v9, 0
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr vgprs
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )
    assert finding.fixes == ()


def test_an_sgpr_of_gfx9() -> None:
    check_diagnostics(
        """
        copy:
          s_mov_b32 s40, 0
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        //                       ^^ warning[register-beyond-descriptor]: `s40`
        .end_amdhsa_kernel
        """
    )


def test_gfx10_gives_all_sgprs() -> None:
    check_silent("copy:\n  s_mov_b32 s40, 0\n" + DESCRIPTOR, "gfx1030")


def test_what_the_allocation_covers_is_an_information() -> None:
    check_diagnostics(
        """
        copy:
          v_mov_b32 v10, 0
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 10
        //                       ^^ information[register-beyond-descriptor]: happens to cover it
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


def test_vgprs_that_overlap_with_agprs() -> None:
    check_fix(
        """
        //- kernel.s target:gfx90a
        copy:
          v_mov_b32 v17, 0
          v_accvgpr_write_b32 a3, v0
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 16
          .amdhsa_accum_offset 12
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """,
        """
        //- kernel.s target:gfx90a
        copy:
          v_mov_b32 v17, 0
          v_accvgpr_write_b32 a3, v0
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 24
          .amdhsa_accum_offset 20
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """,
    )


def test_agprs_behind_the_offset() -> None:
    check_diagnostics(
        """
        //- kernel.s target:gfx90a
        copy:
          v_accvgpr_write_b32 a8, v0
        .rodata
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 16
        //                       ^^ warning[register-beyond-descriptor]: is 16; 21 is needed
          .amdhsa_accum_offset 12
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


BEYOND_OFFSET = """
//- kernel.s target:gfx90a
copy:
  v_mov_b32 v{}, 0
.rodata
.amdhsa_kernel copy
  .amdhsa_next_free_vgpr 16
  .amdhsa_accum_offset 12
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
"""


def test_vgprs_beyond_the_offset_where_no_agpr_is_named() -> None:
    check_no_finding(BEYOND_OFFSET.format(15), "register-beyond-descriptor")
    (found,) = findings(BEYOND_OFFSET.format(16))
    assert (found.rule, found.severity.value) == ("register-beyond-descriptor", "warning")
    assert "`.amdhsa_next_free_vgpr` is 16; 17 is needed" in found.message


def test_the_agprs_of_gfx908_have_a_file_of_their_own() -> None:
    check_silent("copy:\n  v_accvgpr_write_b32 a7, v7\n" + DESCRIPTOR, "gfx908")


def test_each_kernel_by_its_own_descriptor() -> None:
    check_diagnostics(
        """
        a:
          v_mov_b32 v31, 0
        .p2align 8
        b:
          v_mov_b32 v15, 0
        .rodata
        .amdhsa_kernel a
          .amdhsa_next_free_vgpr 32
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        .amdhsa_kernel b
          .amdhsa_next_free_vgpr 8
        //                       ^ warning[register-beyond-descriptor]: kernel `b`
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


def test_a_function_behind_the_kernel_is_not_the_kernels() -> None:
    check_silent("copy:\n  s_endpgm\n.type f,@function\nf:\n  v_mov_b32 v9, 0\n" + DESCRIPTOR)


def test_a_count_that_only_the_build_knows() -> None:
    found = findings("copy:\n  v_mov_b32 v9, 0\n" + DESCRIPTOR.replace("vgpr 8", "vgpr count"))
    assert "register-beyond-descriptor" not in {finding.rule for finding in found}


def test_the_assemblers_own_count() -> None:
    check_silent("copy:\n  v_mov_b32 v9, 0\n" + DESCRIPTOR.replace("vgpr 8", "vgpr .amdgcn.next_free_vgpr"))


def test_no_target() -> None:
    check_silent("copy:\n  v_mov_b32 v9, 0\n" + DESCRIPTOR, None)


METADATA = """
        copy:
          v_mov_b32 v{}, s7
          s_endpgm
        .amdgpu_metadata
        amdhsa.version: [1, 2]
        amdhsa.kernels:
          - .name: copy
            .symbol: copy.kd
            .kernarg_segment_size: 24
            .kernarg_segment_align: 8
            .group_segment_fixed_size: 0
            .private_segment_fixed_size: 0
            .wavefront_size: 64
            .sgpr_count: 8
            .vgpr_count: {}
            .max_flat_workgroup_size: 256
        .end_amdgpu_metadata
"""


def test_without_a_descriptor_the_metadata_counts() -> None:
    check_silent(METADATA.format(7, 8))
    check_fix(METADATA.format(12, 8), METADATA.format(12, 13))
    (finding,) = findings(METADATA.format(12, 8))
    assert finding.message == "kernel `copy` uses `v12`, but `.vgpr_count` is 8; 13 is needed"
    assert [related.where.line for related in finding.related] == [1]


def test_a_register_far_beyond_the_others_may_be_a_slip() -> None:
    text = """\
k:
v_mov_b32 v44, v0
s_endpgm
.amdhsa_kernel k
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 16
.end_amdhsa_kernel"""
    (finding,) = register_beyond_descriptor.check(build(fixture.parse(text), "gfx900"))
    assert finding.message.endswith("45 is needed; nothing uses `v[8:43]`")
    assert finding.certain_fix is None
    (finding,) = register_beyond_descriptor.check(build(fixture.parse(text.replace("v44", "v11")), "gfx900"))
    assert finding.certain_fix is not None


def test_the_fix_of_a_shared_file_raises_the_offset_too() -> None:
    fields = ".amdhsa_next_free_vgpr 8\n.amdhsa_accum_offset {}\n.amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
    code = "copy:\nv_mov_b32 v9, 0\nglobal_store_dword v[0:1], v9, off\ns_endpgm\n.rodata\n.amdhsa_kernel copy\n"
    for offset, changed in ((8, ["10", "12"]), (12, ["10"])):
        found = findings(code + fields.format(offset), "gfx90a")
        (fix,) = next(each.fixes for each in found if each.rule == register_beyond_descriptor.RULE.name)
        assert [edit.new_text for edit in fix.edits] == changed

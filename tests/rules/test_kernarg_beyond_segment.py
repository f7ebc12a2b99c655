"""Kernel arguments loaded from beyond the kernarg segment."""

import pytest

from tests.support.check import check_diagnostics, check_silent, findings

DESCRIPTOR = """
.rodata
.amdhsa_kernel copy
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 40
.end_amdhsa_kernel
"""


def test_behind_the_end() -> None:
    check_diagnostics(
        """
        copy:
          s_load_dwordx2 s[8:9], s[4:5], 0x8
          s_load_dwordx2 s[6:7], s[4:5], 0x10
        //                               ^^^^ warning[kernarg-beyond-segment]: byte 16
        """
        + DESCRIPTOR
    )


def test_a_load_that_is_only_wider() -> None:
    check_silent("copy:\n  s_load_dwordx4 s[8:11], s[4:5], 0x8\n" + DESCRIPTOR)


def test_a_wider_load_of_which_something_beyond_the_end_is_read() -> None:
    check_diagnostics(
        """
        copy:
          s_load_dwordx4 s[8:11], s[4:5], 0x8
        //                                ^^^ warning[kernarg-beyond-segment]: bytes 8 to 23 of the kernel's arguments
          s_waitcnt lgkmcnt(0)
          s_mul_i32 s12, s9, s10
        //^^^^^^^^^^^^^^^^^^^^^^ note: what is beyond them is read here
          v_mov_b32 v1, s12
          s_endpgm
        """
        + DESCRIPTOR
    )


def test_a_wider_load_whose_other_registers_are_read_or_written() -> None:
    code = "s_waitcnt lgkmcnt(0)\n  s_mov_b32 s10, 0\n  s_mul_i32 s12, s9, s10\n  v_mov_b32 v1, s12\n  s_endpgm\n"
    check_silent(f"copy:\n  s_load_dwordx4 s[8:11], s[4:5], 0x8\n  {code}" + DESCRIPTOR)


def test_a_mask_that_begins_with_what_is_beyond_the_end() -> None:
    load = "copy:\n  s_load_dwordx4 s[8:11], s[4:5], 0x8\n  s_waitcnt lgkmcnt(0)\n"
    check_silent(f"{load}  s_andn2_b64 s[10:11], s[10:11], exec\n  s_or_b64 s[10:11], s[10:11], vcc\n" + DESCRIPTOR)
    found = findings(f"{load}  s_andn2_b64 s[12:13], s[10:11], exec\n" + DESCRIPTOR)
    assert "kernarg-beyond-segment" in [each.rule for each in found]


def test_a_compiler_moves_what_has_no_value() -> None:
    code = "copy:\n  s_load_dwordx4 s[8:11], s[4:5], 0x8\n  s_waitcnt lgkmcnt(0)\n  s_mov_b32 s12, s10\n" + DESCRIPTOR
    written = ".amdgpu_metadata\namdhsa.kernels:\n  - .name: copy\n    .symbol: copy.kd{}\n.end_amdgpu_metadata\n"
    by_hand = findings(code + written.format(""))
    compiled = findings(code + written.format("\n    .uses_dynamic_stack: false"))
    assert "kernarg-beyond-segment" in [each.rule for each in by_hand]
    assert "kernarg-beyond-segment" not in [each.rule for each in compiled]


def test_half_of_a_pair_and_the_size_that_would_do() -> None:
    (found,) = findings("copy:\n  s_load_dwordx2 s[8:9], s[4:5], 0xc\n" + DESCRIPTOR)
    assert "bytes 12 to 19" in found.message
    (fix,) = found.fixes
    assert fix.title == "Set the size to 20"
    assert [(edit.where.line, edit.new_text) for edit in fix.edits] == [(7, "20")]
    assert not fix.is_certain


def test_another_base() -> None:
    check_silent("copy:\n  s_load_dwordx2 s[8:9], s[6:7], 0x40\n" + DESCRIPTOR)


def test_a_pointer_that_was_moved() -> None:
    check_silent("copy:\n  s_add_u32 s4, s4, s9\n  s_load_dwordx2 s[8:9], s[4:5], 0x40\n" + DESCRIPTOR)


def test_behind_a_label() -> None:
    check_silent("copy:\n  s_nop 0\nloop:\n  s_load_dwordx2 s[8:9], s[4:5], 0x40\n" + DESCRIPTOR)


def test_gfx7_counts_in_dwords() -> None:
    (finding,) = findings("copy:\n  s_load_dword s8, s[4:5], 0x4\n" + DESCRIPTOR, "gfx700")
    assert "byte 16" in finding.message


def test_the_descriptor_counts_whatever_the_metadata_say() -> None:
    metadata = """
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
    .kernarg_segment_size: 128
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 46
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
.end_amdgpu_metadata
"""
    found = findings("copy:\n  s_load_dwordx2 s[8:9], s[4:5], 0x40\n" + DESCRIPTOR + metadata)
    assert {finding.rule for finding in found} == {"metadata-contradicts-descriptor", "kernarg-beyond-segment"}
    (fix,) = next(each for each in found if each.rule == "kernarg-beyond-segment").fixes
    assert [edit.new_text for edit in fix.edits] == ["128"]  # as the metadata say, which is enough


def test_an_offset_that_was_moved_into_a_register() -> None:
    check_diagnostics(
        """
        copy:
          s_movk_i32 s9, 0x10
          s_load_dword s8, s[4:5], s9
        //                         ^^ warning[kernarg-beyond-segment]: byte 16
        """
        + DESCRIPTOR
    )
    check_silent("copy:\n  s_movk_i32 s9, 0xc\n  s_load_dword s8, s[4:5], s9\n" + DESCRIPTOR)
    check_silent("copy:\n  s_movk_i32 s9, 0x10\n  s_mul_i32 s9, s9, s6\n  s_load_dword s8, s[4:5], s9\n" + DESCRIPTOR)
    check_silent("copy:\n  s_movk_i32 s9, 0x10\nnext:\n  s_load_dword s8, s[4:5], s9\n" + DESCRIPTOR)


LISTED = """
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 46
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: x, .offset: 0, .size: 8, .value_kind: global_buffer}
      - {.name: n, .offset: 8, .size: 4, .value_kind: by_value}
      - {.name: m, .offset: 12, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
"""


@pytest.mark.parametrize(
    ("code", "title"),
    [
        ("s_load_dword s8, s[4:5], 0x10", "Load argument `m` at byte 12"),
        ("s_load_dword s9, s[4:5], 0xc\n  s_load_dword s8, s[4:5], 0x10", "Load argument `n` at byte 8"),
        ("s_load_dwordx2 s[8:9], s[4:5], 0x10", "Load argument `n` at byte 8"),
    ],
)
def test_the_argument_that_was_meant(code: str, title: str) -> None:
    found = [
        each for each in findings(f"copy:\n  {code}\n{DESCRIPTOR}{LISTED}") if each.rule == "kernarg-beyond-segment"
    ]
    assert [fix.title for fix in found[-1].fixes][:1] == [title]
    assert f"; argument {title.split()[2]} is at byte {title.split()[-1]}" in found[-1].message


def test_no_argument_that_is_left() -> None:
    code = "s_load_dwordx4 s[8:11], s[4:5], 0x0\n  s_load_dword s12, s[4:5], 0x10"
    (found,) = findings(f"copy:\n  {code}\n{DESCRIPTOR}{LISTED}")
    assert [fix.title for fix in found.fixes] == ["Set the size to 20"]

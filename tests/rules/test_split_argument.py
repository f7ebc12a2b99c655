"""Loads that cut a pointer among a kernel's arguments."""

import pytest

from tests.support.check import check_diagnostics, check_silent, findings

DESCRIPTOR = """
.rodata
.amdhsa_kernel copy
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 40
.end_amdhsa_kernel
"""
METADATA = """
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 46
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: x, .offset: 0, .size: 8, .value_kind: global_buffer}
      - {.name: y, .offset: 8, .size: 8, .value_kind: global_buffer}
      - {.name: shape, .offset: 16, .size: 8, .value_kind: by_value}
      - {.offset: 24, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
"""


def told(code: str, target: str = "gfx900") -> list[str]:
    return [
        each.message
        for each in findings(f"copy:\n{code}\n s_endpgm\n{DESCRIPTOR}{METADATA}", target)
        if each.rule == "split-argument"
    ]


def test_begins_in_the_middle() -> None:
    check_diagnostics(
        """
        copy:
          s_load_dwordx2 s[2:3], s[0:1], 0xc
        //                               ^^^ warning[split-argument]: this loads bytes 12 to 19
          s_load_dwordx2 s[6:7], s[0:1], 0x0
          s_waitcnt lgkmcnt(0)
          v_mov_b32 v1, 0
          global_store_dword v1, v1, s[2:3]
          global_store_dword v1, v1, s[6:7]
          s_endpgm
        """
        + DESCRIPTOR
        + METADATA
    )


def test_half_of_a_pointer() -> None:
    check_diagnostics(
        """
        copy:
          s_load_dwordx4 s[4:7], s[0:1], 0x0
          s_load_dword s8, s[0:1], 0x8
        //                         ^^^ information[split-argument]: half of one: argument `y` is a pointer
          s_waitcnt lgkmcnt(0)
          v_mov_b32 v1, s8
          global_store_dword v1, v1, s[4:5]
          global_store_dword v1, v1, s[6:7]
          s_endpgm
        """
        + DESCRIPTOR
        + METADATA
    )


def test_ends_in_the_middle() -> None:
    moved = METADATA.replace(".offset: 8, ", ".offset: 40, ").replace(".offset: 16, .size: 8", ".offset: 32, .size: 4")
    code = "copy:\n s_load_dwordx2 s[4:5], s[0:1], 0x24\n s_add_u32 s4, s4, s5\n s_endpgm\n"
    (said,) = (each.message for each in findings(code + DESCRIPTOR + moved) if each.rule == "split-argument")
    assert "bytes 36 to 43 of the arguments of kernel `copy`, and ends in the middle of one: argument `y`" in said


@pytest.mark.parametrize(
    "code",
    [
        "s_load_dwordx4 s[4:7], s[0:1], 0x0",
        "s_load_dwordx2 s[4:5], s[0:1], 0x8",
        "s_load_dwordx8 s[8:15], s[0:1], 0x0",
        # Parts of what is passed by value, and the last half of one of these with what follows.
        "s_load_dword s4, s[0:1], 0x14",
        "s_load_dwordx2 s[4:5], s[0:1], 0x14",
        # Both halves, one by one.
        "s_load_dword s4, s[0:1], 0x8\n s_load_dword s5, s[0:1], 0xc",
        # Another base, and one that was moved.
        "s_load_dwordx2 s[4:5], s[2:3], 0xc",
        "s_add_u32 s0, s0, s9\n s_load_dwordx2 s[4:5], s[0:1], 0xc",
        "s_load_dwordx2 s[4:5], s[0:1], s9",
        "s_nop 0\nnext:\n s_load_dwordx2 s[4:5], s[0:1], 0xc",
    ],
)
def test_silent(code: str) -> None:
    assert told(code) == []


WIDE = METADATA.replace(".offset: 8, ", ".offset: 24, ").replace(
    "16, .size: 8, .value_kind: by_value}\n      - {.offset: 24,",
    "12, .size: 4, .value_kind: by_value}\n      - {.offset: 16,",
)


@pytest.mark.parametrize(
    ("reads", "is_cut"),
    [
        ("s_add_u32 s4, s4, s5\n s_ashr_i32 s7, s6, 31\n s_add_u32 s4, s4, s7", False),
        ("s_add_u32 s4, s4, s5\n s_andn2_b64 s[6:7], s[6:7], exec\n s_mov_b64 vcc, s[6:7]", False),
        ("s_add_u32 s4, s6, s7", True),
        ("s_and_b64 s[8:9], s[6:7], exec", True),
        ("s_andn2_b64 s[6:7], s[6:7], s[8:9]", True),
    ],
)
def test_last_dword_of_a_wide_load(reads: str, is_cut: bool) -> None:
    code = f"copy:\n s_load_dwordx4 s[4:7], s[0:1], 0xc\n s_waitcnt lgkmcnt(0)\n {reads}\n s_endpgm\n"
    assert any(each.rule == "split-argument" for each in findings(code + DESCRIPTOR + WIDE)) is is_cut


@pytest.mark.parametrize(
    ("use", "is_told"),
    [
        ("v_mov_b32 v1, s4\n ds_write_b32 v1, v2", False),
        ("v_mov_b32 v1, s4\n buffer_store_dword v2, v1, s[8:11], 0 offen", False),
        ("buffer_store_dword v2, off, s[8:11], s4", False),
        ("v_mov_b32 v1, s4\n ds_write_b32 v2, v1", True),
        ("v_mov_b32 v1, s4\n global_store_dword v2, v1, s[8:9]", True),
        ("s_cmp_lt_u32 s4, 9", True),
    ],
)
def test_low_half_as_an_address(use: str, is_told: bool) -> None:
    code = f"s_load_dword s4, s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n {use}"
    assert bool(told(code)) is is_told


def test_gfx7_counts_in_dwords() -> None:
    assert told("s_load_dwordx2 s[4:5], s[0:1], 0x2", "gfx700") == []
    assert told("s_load_dwordx2 s[4:5], s[0:1], 0x3\n s_waitcnt lgkmcnt(0)\n s_add_u32 s4, s4, s5", "gfx700")


def test_without_arguments_in_the_metadata() -> None:
    code = "copy:\n s_load_dwordx2 s[4:5], s[0:1], 0xc\n s_waitcnt lgkmcnt(0)\n v_mov_b32 v0, s4\n s_endpgm\n"
    check_silent(code + DESCRIPTOR + METADATA.partition("    .args")[0] + ".end_amdgpu_metadata\n")


def test_in_a_macro() -> None:
    macro = ".macro pointer to, at\n s_load_dwordx2 \\to, s[0:1], \\at\n.endm\n"
    code = f"{macro}copy:\n pointer s[4:5], 8\n pointer s[6:7], 12\n s_add_u32 s4, s6, s7\n{DESCRIPTOR}{METADATA}"
    (found,) = (each for each in findings(code) if each.rule == "split-argument")
    assert found.where.line == 1
    assert found.related


@pytest.mark.parametrize(
    ("write", "found"),
    [("", 1), ("s_mov_b64 s[0:1], s[8:9]\n", 0), ("s_add_u32 s0, s0, 4\ns_addc_u32 s1, s1, 0\n", 0)],
)
def test_behind_a_label(write: str, found: int) -> None:
    begin = f"s_load_dwordx4 s[8:11], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n{write}s_cbranch_scc0 next\ns_nop 0\nnext:\n"
    use = "s_waitcnt lgkmcnt(0)\nv_mov_b32 v1, 0\nglobal_store_dword v1, v1, s[2:3]"
    assert len(told(f"{begin}s_load_dwordx2 s[2:3], s[0:1], 0x4\n{use}")) == found
    assert told(f"{begin}s_load_dwordx2 s[2:3], s[0:1], 0x8\n{use}") == []

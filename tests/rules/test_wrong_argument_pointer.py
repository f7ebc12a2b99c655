"""Arguments that are loaded from another pointer than theirs."""

import pytest

from tests.support.check import findings

RULE = "wrong-argument-pointer"
DISPATCH = "  .amdhsa_user_sgpr_dispatch_ptr 1\n"
END = """
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v0, s[6:7]
  s_endpgm
.rodata
.amdhsa_kernel copy
  .amdhsa_user_sgpr_dispatch_ptr 1
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
    .kernarg_segment_size: 20
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
      - {.name: n, .offset: 16, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
"""


def told(code: str, end: str = END + METADATA, target: str = "gfx900") -> list[str]:
    return [each.message for each in findings(f"copy:\n{code}{end}", target) if each.rule == RULE]


@pytest.mark.parametrize("target", ["gfx900", "gfx942", "gfx1030"])
def test_the_dispatch_packet(target: str) -> None:
    end = END + ("" if target != "gfx1030" else METADATA.replace("size: 64", "size: 32"))
    end = end if target == "gfx1030" else END + METADATA
    end = end.replace("_vgpr 8", "_vgpr 8\n  .amdhsa_accum_offset 8") if target == "gfx942" else end
    (found,) = told("s_load_dwordx4 s[4:7], s[0:1], 0x0", end, target)
    assert found == (
        "this loads arguments from the dispatch packet pointer, which `.amdhsa_user_sgpr_dispatch_ptr` requests; the "
        "kernarg segment pointer is `s[2:3]`, and kernel `copy` never uses it"
    )


def test_one_of_its_registers_held_another_input() -> None:
    code = "s_lshl_b32 s9, s2, 2\ns_mov_b32 s3, 0\ns_add_u32 s9, s9, s3\ns_load_dwordx2 s[6:7], s[0:1], 0x8"
    assert len(told(code)) == 1


def test_the_fix() -> None:
    (found,) = [
        each
        for each in findings(f"copy:\n  s_load_dwordx2 s[6:7], s[0:1], 0x8{END}{METADATA}", "gfx900")
        if each.rule == RULE
    ]
    assert [(fix.title, fix.is_certain) for fix in found.fixes] == [("Change to `s[2:3]`", False)]


@pytest.mark.parametrize(
    "code",
    [
        "s_load_dwordx2 s[6:7], s[2:3], 0x8",
        "s_load_dwordx2 s[6:7], s[0:1], 0x8\ns_load_dwordx2 s[8:9], s[2:3], 0x8",
        "s_mov_b32 s8, s2\ns_mov_b32 s9, s3\ns_load_dwordx2 s[6:7], s[0:1], 0x8",
        "s_mov_b64 s[8:9], s[2:3]\ns_load_dwordx2 s[6:7], s[0:1], 0x8",
        "s_load_dword s6, s[0:1], 0x4",
        "s_mov_b64 s[0:1], s[8:9]\ns_load_dwordx2 s[6:7], s[0:1], 0x8",
        "s_swappc_b64 s[30:31], s[8:9]\ns_load_dwordx2 s[6:7], s[0:1], 0x8",
        "s_mov_b32 s9, s9, s9\ns_load_dwordx2 s[6:7], s[0:1], 0x8",
    ],
)
def test_silent(code: str) -> None:
    assert told(code) == []


def test_silent_without_arguments_or_another_pointer() -> None:
    code = "s_load_dwordx2 s[6:7], s[0:1], 0x8"
    assert told(code, END) == []
    assert told(code, (END + METADATA).replace(DISPATCH, "")) == []
    assert told(code) != []

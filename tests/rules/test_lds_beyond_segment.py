"""LDS accesses beyond the kernel's allocation."""

import pytest

from gcn_lsp.findings.model import Severity
from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "lds-beyond-segment"
KERNEL = """\
k:
{}
s_endpgm
.amdhsa_kernel k
.amdhsa_group_segment_fixed_size {}
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 16
.end_amdhsa_kernel"""
METADATA = """
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {}
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
{}.end_amdgpu_metadata"""
DYNAMIC = """\
    .args:
      - .size: 4
        .offset: 0
        .value_kind: {}
"""


def test_the_offset_alone_reaches_too_far() -> None:
    check_diagnostics(
        KERNEL.format(
            """\
ds_read_b32 v0, v1 offset:4092
ds_write_b64 v1, v[2:3] offset:4092
//                      ^^^^^^^^^^^ warning[lds-beyond-segment]: to byte 4100 of LDS""",
            4096,
        )
    )


def test_accesses_of_two_elements_count_in_elements() -> None:
    check_diagnostics(
        KERNEL.format(
            """\
ds_write_b8 v6, v6
ds_read2_b64 v[4:7], v1 offset0:1 offset1:7
ds_read2st64_b32 v[0:1], v2 offset1:1
//                          ^^^^^^^^^ warning[lds-beyond-segment]: to byte 260""",
            64,
        )
    )


def test_a_constant_in_the_address_register_counts() -> None:
    check_diagnostics(
        KERNEL.format(
            """\
ds_write_b8 v6, v6
v_mov_b32 v1, 0x400
ds_read_b32 v0, v1 offset:4
//                 ^^^^^^^^ warning[lds-beyond-segment]: to byte 1032 of LDS, with 1024 in the address""",
            1024,
        )
    )


@pytest.mark.parametrize(
    "sum_", ["v_add_u32 v1, v1, v2", "v_mad_u32_u24 v1, v2, 4, v3", "v_subrev_co_u32 v1, vcc, v1, v2"]
)
def test_a_sum_may_be_negative(sum_: str) -> None:
    check_no_finding(KERNEL.format(f"{sum_}\nloop:\nds_read_b32 v0, v1 offset:1024", 1024), RULE)


def test_an_address_that_no_work_group_has_is_intended() -> None:
    check_no_finding(KERNEL.format("v_mov_b32 v1, 0xf00000\nds_read_b32 v0, v1", 1024), RULE)


def test_a_constant_counts_no_longer_than_it_is_there() -> None:
    for between in ("v_mov_b32 v1, v2", "v_add_u32 v1, v1, v2", "v_lshlrev_b64 v[0:1], 2, v[2:3]"):
        check_no_finding(KERNEL.format(f"v_mov_b32 v1, 0x4000\n{between}\nds_read_b32 v0, v1", 1024), RULE)


def test_what_accesses_no_lds_is_passed_over() -> None:
    for line in (
        "ds_swizzle_b32 v0, v1 offset:0x8000",
        "ds_permute_b32 v0, v1, v2 offset:2048",
        "ds_add_u32 v0, v1 offset:2048 gds",
        "ds_read_addtid_b32 v0 offset:2048",
        "buffer_load_dword v0, v1, s[0:3], 0 offen offset:2048",
    ):
        check_no_finding(KERNEL.format(line, 1024), RULE)


def test_lds_of_a_size_that_the_launch_decides_is_not_judged() -> None:
    access = "ds_read_b32 v0, v1 offset:4096"
    check_no_finding(KERNEL.format(access, 0), RULE)
    for kind in ("dynamic_shared_pointer", "hidden_dynamic_lds_size"):
        check_no_finding(KERNEL.format(access, 64) + METADATA.format(64, DYNAMIC.format(kind)), RULE)


def test_the_descriptor_counts_whatever_the_metadata_say() -> None:
    code = KERNEL.format("ds_read_b32 v0, v1 offset:4092", 64) + METADATA.format(4096, "")
    (found,) = (each for each in findings(code) if each.rule == RULE)
    (fix,) = found.fixes
    assert [(edit.where.line, edit.new_text) for edit in fix.edits] == [(4, "4096")]
    check_no_finding(KERNEL.format("ds_read_b32 v0, v1 offset:4092", 4096) + METADATA.format(64, ""), RULE)


def test_each_fix_is_large_enough_for_all() -> None:
    reads = "".join(f"ds_read_b32 v1, v0 offset:{offset}\n" for offset in (100, 300, 200))
    found = [each for each in findings(KERNEL.format(reads, 64)) if each.rule == RULE]
    assert [each.message.split()[4] for each in found] == ["104", "304", "204"]
    assert {edit.new_text for each in found for fix in each.fixes for edit in fix.edits} == {"304"}


def test_in_a_macro_and_in_an_include() -> None:
    check_diagnostics(
        r"""
        //- k.s
        .macro load to, at
        ds_read_b32 v\to, v1 offset:\at
        //                   ^^^^^^^^^^ warning[lds-beyond-segment]: to byte 2052
        .endm
        k:
        load 3, 4
        load 4, 2048
        .include "part.s"
        s_endpgm
        .amdhsa_kernel k
        .amdhsa_group_segment_fixed_size 1024
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        //- part.s
        ds_write_b32 v1, v2 offset:1024
        //                  ^^^^^^^^^^^ warning[lds-beyond-segment]: to byte 1028
        """
    )


LANES = """.text
k:
v_lshlrev_b32 v1, 2, v0
{}
ds_write_b32 v1, v0{}
s_endpgm
.rodata
.amdhsa_kernel k
.amdhsa_group_segment_fixed_size {}
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
{}"""
SIZES = """.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {}
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    {}
.end_amdgpu_metadata
"""


def of_lanes(between: str, offset: str, size: int, sizes: str = "") -> list[tuple[str, Severity]]:
    text = LANES.format(between, offset, size, sizes and SIZES.format(size, sizes))
    return [(found.message, found.severity) for found in findings(text, "gfx900") if found.rule == RULE]


def test_the_lanes_of_two_waves_where_there_is_a_barrier() -> None:
    said = "work-item 127 reaches to byte 512 of LDS here, but the kernel requests 508 bytes"
    either = [(f"in groups of more than 64 work-items, {said}", Severity.INFORMATION)]
    assert of_lanes("s_barrier", "", 508) == either, "a group of one wave may have a barrier"
    assert of_lanes("s_barrier", "", 508, ".max_flat_workgroup_size: 1024") == either
    assert of_lanes("s_barrier", "", 508, ".max_flat_workgroup_size: 128") == [(said, Severity.WARNING)]
    assert of_lanes("s_barrier", "", 256, ".max_flat_workgroup_size: 64") == []
    ((_, severity),) = of_lanes("s_barrier", "", 252)
    assert severity is Severity.WARNING, "the first wave"
    assert of_lanes("s_barrier", "", 512) == of_lanes("", "", 508) == []
    assert len(of_lanes("v_sub_u32 v1, 508, v1", "", 256)) == 1  # the first work-item
    assert len(of_lanes("v_sub_u32 v1, 508, v1\ns_barrier", " offset:4", 512)) == 1


def test_a_short_constant_is_signed() -> None:
    more = "s_movk_i32 s3, 0xff00\nv_subrev_u32 v1, s3, v1"  # 256 bytes more
    assert of_lanes(more, "", 512) == []
    ((message, _),) = of_lanes(more, "", 508)
    assert "reaches to byte 512" in message


def test_metadata_without_an_end_count_as_far_as_they_are_written() -> None:
    def found(size: str, rest: str = "") -> list[str]:
        begun = SIZES.format(256, f".max_flat_workgroup_size: {size}{rest}").replace(".end_amdgpu_metadata\n", "")
        text = LANES.format("s_barrier", "", 256, begun)
        return [each.message for each in findings(text, "gfx900") if each.rule == RULE]

    for rest in ("", "\n    .ar", "\n    .args:\n      - .size: 8\n        .va\n"):
        assert found("64", rest) == []
        assert [each[:13] for each in found("128", rest)] == ["work-item 127"]


def test_the_lanes_that_the_metadata_require_or_allow() -> None:
    ((message, severity),) = of_lanes(
        "", "", 512, ".reqd_workgroup_size: [256, 1, 1]\n    .max_flat_workgroup_size: 256"
    )
    assert (message[:36], severity) == ("work-item 255 reaches to byte 1024 o", Severity.WARNING)
    ((message, severity),) = of_lanes("s_barrier", "", 512, ".max_flat_workgroup_size: 256")
    assert message.startswith("work-item 255, which a launch may have, reaches to byte 1024 of LDS here")
    assert severity is Severity.INFORMATION
    for allowed, size in ((1024, 512), (256, 1024)):
        assert of_lanes("s_barrier", "", size, f".max_flat_workgroup_size: {allowed}") == []
    assert of_lanes("v_xor_b32 v1, 4, v1", "", 512, ".max_flat_workgroup_size: 256") == []  # it grows unevenly


def test_a_barrier_of_a_compiler_does_not_say_that_there_are_two_waves() -> None:
    written = "max_flat_workgroup_size: 256"
    assert [found[1] for found in of_lanes("s_barrier", "", 256, f".{written}")] == [Severity.WARNING]
    compiled = f".{written}\n    .uses_dynamic_stack: false"
    assert [found[1] for found in of_lanes("s_barrier", "", 256, compiled)] == [Severity.INFORMATION]


def test_lanes_that_are_off_and_addresses_that_are_not_known() -> None:
    sizes = ".reqd_workgroup_size: [256, 1, 1]\n    .max_flat_workgroup_size: 256"
    assert of_lanes("v_cmp_gt_u32 vcc, 128, v0\ns_and_saveexec_b64 s[4:5], vcc", "", 512, sizes) == []
    assert of_lanes("v_add_u32 v1, v1, v5", "", 512, sizes) == []
    assert len(of_lanes("s_mov_b64 exec, 1", " offset:512", 512, sizes)) == 1


DATA = """reduce:
v_lshlrev_b32 v1, 2, v0
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
{}
v_lshlrev_b32 v2, 2, v2
ds_add_u32 v2, v0
s_endpgm
.rodata
.amdhsa_kernel reduce
  .amdhsa_group_segment_fixed_size 1024
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
"""


def test_bits_of_data_that_reach_beyond() -> None:
    (found,) = (each for each in findings(DATA.format("v_and_b32 v2, 0x1ff, v2"), "gfx900") if each.rule == RULE)
    assert found.message == "data may send this to byte 2048 of LDS, but the kernel requests 1024 bytes"
    assert found.severity is Severity.INFORMATION
    for right in ("v_and_b32 v2, 0xff, v2", "v_and_b32 v2, 0xffff, v2", "v_bfe_u32 v2, v2, 3, 7", ""):
        assert not [each for each in findings(DATA.format(right), "gfx900") if each.rule == RULE]


def test_an_address_that_begins_again_in_further_waves() -> None:
    sizes = ".max_flat_workgroup_size: 256"
    assert of_lanes("v_and_b32 v1, 0x1fc, v1\ns_barrier", "", 512, sizes) == []
    assert len(of_lanes("v_and_b32 v1, 0x3fc, v1\ns_barrier", "", 512, sizes)) == 1


TOGGLED = """\
s_load_dword s4, s[0:1], 0x0
v_lshlrev_b32 v3, 3, v0
s_mov_b32 s5, 0
s_waitcnt lgkmcnt(0)
next:
v_add_u32 v4, s5, v3
ds_write_b64 v4, v[0:1]
s_waitcnt lgkmcnt(0)
s_barrier
{}
s_sub_u32 s4, s4, 1
s_cmp_lg_u32 s4, 0
s_cbranch_scc1 next"""
XOR = "s_xor_b32 s5, s5, 0x1000"


@pytest.mark.parametrize(
    ("step", "size", "is_found"),
    [
        (XOR, 5119, True),
        (XOR, 5120, False),
        # The number of rounds is not known: these may end before they reach so far.
        ("s_add_u32 s5, s5, 0x1000", 4096, False),
        ("s_xor_b32 s5, s5, s6", 4096, False),
        ("s_add_u32 s5, s5, 0x1000\ns_xor_b32 s7, s7, 0x1000", 4096, False),
    ],
)
def test_the_second_of_two_buffers(step: str, size: int, is_found: bool) -> None:
    found = [each for each in findings(KERNEL.format(TOGGLED.format(step), size), "gfx900") if each.rule == RULE]
    assert bool(found) == is_found
    assert all("work-item 127 reaches to byte 5120 of LDS" in each.message for each in found)


def test_a_second_buffer_behind_a_question_that_is_asked_twice() -> None:
    loop = """\
next:
s_sub_u32 s4, s4, 1
s_cmp_eq_u32 s4, 0
s_cbranch_scc1 used
global_load_dwordx2 v[0:1], v3, s[2:3]
used:
v_add_u32 v4, s5, v3
ds_read_b64 v[6:7], v4
s_cmp_eq_u32 s4, 0
s_cbranch_scc1 done
s_xor_b32 s5, s5, 0x1000
v_add_u32 v4, s5, v3
ds_write_b64 v4, v[0:1]
s_barrier
s_branch next
done:"""
    code = TOGGLED.partition("next:")[0] + "ds_write_b64 v3, v[0:1]\ns_barrier\n" + loop
    found = [each.message for each in findings(KERNEL.format(code, 4096), "gfx900") if each.rule == RULE]
    assert ["reaches to byte 4608" in each for each in found] == [True, True]


def test_the_place_in_the_second_of_two_buffers() -> None:
    told = "//<^^^^^^^^^^^^^^^^^^^^ warning[lds-beyond-segment]: work-item 63 reaches to byte 4608 of LDS here"
    code = TOGGLED.format(XOR).replace("v[0:1]\n", f"v[0:1]\n{told}\n", 1)
    check_diagnostics("//- k.s target:gfx900\n" + KERNEL.format(code, 4096))


@pytest.mark.parametrize(("offset", "is_misaligned"), [(2, True), (4, False)])
def test_an_offset_that_is_no_multiple_of_a_dword(offset: int, is_misaligned: bool) -> None:
    code = f"v_lshlrev_b32 v1, 2, v0\nv_sub_u32 v2, 0xfc, v1\nds_read_b32 v3, v2 offset:{offset}\ns_waitcnt lgkmcnt(0)"
    (found,) = [each for each in findings(KERNEL.format(code, 256), "gfx900") if each.rule == RULE]
    assert ("2 more than a multiple of 4" in found.message) == is_misaligned
    assert [fix.title for fix in found.fixes] == ([] if is_misaligned else ["Set the size to 260"])

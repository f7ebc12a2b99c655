"""Reads of what other waves write to LDS, without a barrier in between."""

import pytest

from gcn_lsp.findings.model import Severity
from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "missing-barrier"
END = "s_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v3, s[0:1]\ns_endpgm\n"
DESCRIPTOR = """.rodata
.amdhsa_kernel kernel
  .amdhsa_group_segment_fixed_size 4224
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 16
.end_amdhsa_kernel
"""
MIRRORED = "v_lshlrev_b32 v1, 2, v0\nv_sub_u32 v2, 508, v1\n"
WRITE, READ = "ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\n", "ds_read_b32 v3, v2\n"
TILE = """v_and_b32 v1, 31, v0
v_lshrrev_b32 v2, 5, v0
v_mul_u32_u24 v6, 33, v2
v_add_lshl_u32 v6, v6, v1, 2
v_mul_u32_u24 v7, 33, v1
v_add_lshl_u32 v7, v7, v2, 2
ds_write_b32 v6, v1
s_waitcnt lgkmcnt(0)
"""


def kernel(body: str, size: str = "") -> str:
    """A kernel that starts so. size: what its metadata says of the work-group, if anything."""
    metadata = f""".amdgpu_metadata
amdhsa.kernels:
  - .name: kernel
    .symbol: kernel.kd
    {size}
.end_amdgpu_metadata
"""
    return f"kernel:\n{body}{END}{DESCRIPTOR}{metadata if size else ''}"


def test_a_read_of_the_other_waves_part() -> None:
    check_diagnostics(
        f"""
        //- k.s target:gfx942
        .text
        kernel:
        v_lshlrev_b32 v1, 2, v0
        v_sub_u32 v2, 508, v1
        ds_write_b32 v1, v0
        s_waitcnt lgkmcnt(0)
        ds_read_b32 v3, v2
        //<^^^^^^^^^^^^^^^ warning[missing-barrier]: other waves write to LDS by `ds_write_b32` on line 5, and no
        ds_read_b32 v4, v2 offset:4
        {END.replace(chr(10), chr(10) + " " * 8)}
        {DESCRIPTOR.replace(chr(10), chr(10) + " " * 8)}
        """
    )


def test_the_fix_inserts_a_barrier() -> None:
    check_fix(
        kernel(MIRRORED + WRITE + READ),
        kernel(f"{MIRRORED}{WRITE}s_barrier\n{READ}"),
        "gfx942",
        RULE,
    )


def test_the_fix_waits_for_the_write_too() -> None:
    write = "ds_write_b32 v1, v0\n"
    right = f"{MIRRORED}{write}s_waitcnt lgkmcnt(0)\ns_barrier\n{READ}"
    check_fix(kernel(MIRRORED + write + READ), kernel(right), "gfx942", RULE)


def test_a_tile_that_a_single_wave_does_not_fill() -> None:
    with pytest.raises(AssertionError):
        check_no_finding(kernel(f"{TILE}ds_read_b32 v3, v7\n"), RULE, "gfx942")
    check_no_finding(kernel(f"{TILE}s_barrier\nds_read_b32 v3, v7\n"), RULE, "gfx942")


ACROSS = f"v_lshlrev_b32 v1, 2, v0\nv_xor_b32 v2, 256, v1\n{WRITE}"


@pytest.mark.parametrize(
    "text",
    [
        kernel(f"{MIRRORED}{WRITE}s_barrier\n{READ}"),
        # The part of the wave itself.
        kernel(f"v_lshlrev_b32 v1, 2, v0\nv_xor_b32 v2, 4, v1\n{WRITE}{READ}"),
        # The size is not known, and a single wave reads what it has written.
        kernel(f"v_lshlrev_b32 v1, 2, v0\nv_sub_u32 v2, 252, v1\n{WRITE}{READ}"),
        # Work-groups of one wave, of which a half reads what nobody has written.
        kernel(ACROSS + READ, ".reqd_workgroup_size: [64, 1, 1]"),
        kernel(ACROSS + READ, ".max_flat_workgroup_size: 64"),
        # Which lanes write is not known.
        kernel(f"{MIRRORED}v_cmp_gt_u32 vcc, 9, v0\ns_mov_b64 exec, vcc\n{WRITE}s_mov_b64 exec, -1\n{READ}"),
        # What is added to the address is not known.
        kernel(f"{MIRRORED}v_add_u32 v2, v2, v9\n{WRITE}{READ}"),
    ],
)
def test_right_code(text: str) -> None:
    check_no_finding(text, RULE, "gfx942")


@pytest.mark.parametrize("size", [".reqd_workgroup_size: [128, 1, 1]", ".max_flat_workgroup_size: 1024"])
def test_the_size_of_the_work_group(size: str) -> None:
    with pytest.raises(AssertionError):
        check_no_finding(kernel(ACROSS + READ, size), RULE, "gfx942")


def test_a_barrier_elsewhere_says_that_there_are_other_waves() -> None:
    back = "v_lshlrev_b32 v1, 2, v0\nv_and_b32 v2, 63, v0\nv_sub_u32 v2, 63, v2\nv_lshlrev_b32 v2, 2, v2\n"
    check_no_finding(kernel(f"{back}{WRITE}{READ}"), RULE, "gfx942")
    with pytest.raises(AssertionError):
        check_no_finding(kernel(f"{back}s_barrier\n{WRITE}{READ}"), RULE, "gfx942")


def test_in_a_macro_and_on_another_target() -> None:
    macro = ".macro fetch to, from\nds_load_b32 \\to, \\from\n.endm\n"
    body = (MIRRORED + WRITE).replace("v_sub_u32", "v_sub_nc_u32").replace("ds_write", "ds_store").replace("508", "252")
    end = END.replace("dword", "b32")
    descriptor = DESCRIPTOR.replace("  .amdhsa_accum_offset 16\n", "")
    text = f"{macro}kernel:\n{body}{{}}fetch v3, v2\n{end}{descriptor}"
    with pytest.raises(AssertionError):
        check_no_finding(text.format(""), RULE, "gfx1100")
    check_no_finding(text.format("s_barrier\n"), RULE, "gfx1100")


@pytest.mark.parametrize(("count", "is_found"), [(0, False), (1, True)])
def test_a_write_in_flight_at_the_barrier_which_is_read_at_another_offset(count: int, is_found: bool) -> None:
    """`unpublished-lds-write` takes 4,096 bytes apart for another buffer; here the registers differ by as many."""
    body = "v_lshlrev_b32 v1, 2, v0\nv_sub_u32 v2, 4604, v1\nds_write_b32 v1, v0\nds_write_b32 v1, v0 offset:8192\n"
    text = kernel(f"{body}s_waitcnt lgkmcnt({count})\ns_barrier\nds_read_b32 v3, v2 offset:4096\n")
    found = {each.rule for each in findings(f"//- k.s target:gfx942\n{text}")}
    assert (RULE in found) == is_found
    assert "unpublished-lds-write" not in found


REDUCTION = """v_lshlrev_b32 v1, 2, v0
ds_write_b32 v1, v0
s_waitcnt lgkmcnt(0)
s_barrier
s_movk_i32 s4, 0x80
next:
v_cmp_gt_u32 vcc, s4, v0
s_and_saveexec_b64 s[6:7], vcc
s_cbranch_execz over
v_add_lshl_u32 v4, v0, s4, 2
ds_read_b32 v5, v4
ds_read_b32 v6, v1
s_waitcnt lgkmcnt(0)
v_add_u32 v6, v6, v5
ds_write_b32 v1, v6
over:
s_or_b64 exec, exec, s[6:7]
s_waitcnt lgkmcnt(0)
s_barrier
s_lshr_b32 s4, s4, 1
s_cmp_lg_u32 s4, 0
s_cbranch_scc1 next
v_mov_b32 v7, 0
ds_read_b32 v3, v7
"""
REQUIRED = ".reqd_workgroup_size: [256, 1, 1]"


def reduced(*changes: tuple[str, str]) -> list[int]:
    text = REDUCTION
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return [each.where.line + 1 for each in findings(kernel(text, REQUIRED), "gfx942") if each.rule == RULE]


def test_lanes_that_a_loop_halves() -> None:
    assert reduced() == []
    assert reduced(("s_barrier\ns_lshr_b32", "s_lshr_b32"))[0] == 12
    assert reduced(("s_barrier\ns_movk_i32", "s_movk_i32")) == [11]


def test_lanes_of_one_wave_need_no_barrier() -> None:
    one_wave = ("s_movk_i32 s4, 0x80", "s_mov_b32 s4, 32")
    last = REDUCTION.count("\n") + 1
    assert reduced(one_wave, ("s_barrier\ns_lshr_b32", "s_lshr_b32")) == [last - 1]  # but the others read the sum


@pytest.mark.parametrize(
    ("mask", "is_found"),
    [
        # The last lane of each wave writes, the first one of all reads.
        ("v_cmp_eq_u32 vcc, 0, v0\ns_and_saveexec_b64 s[6:7], vcc", True),
        ("v_cmp_eq_u32 s[8:9], 0, v0\ns_and_b64 exec, exec, s[8:9]", True),
        ("v_cmp_gt_i32 vcc, 1, v0\ns_and_saveexec_b64 s[6:7], vcc", True),
        # Lanes that do not read it; a mask that is not known, of another comparison or of none.
        ("v_cmp_eq_u32 vcc, 1, v0\ns_and_saveexec_b64 s[6:7], vcc", False),
        ("v_cmp_eq_u32 vcc, 0, v0\nv_mov_b32 v0, 0\ns_and_saveexec_b64 s[6:7], vcc", False),
        ("v_cmp_eq_u32 vcc, 0, v0\nv_cmp_eq_u32 vcc, 0, v9\ns_and_saveexec_b64 s[6:7], vcc", False),
        ("v_cmp_eq_u32 vcc, s2, v0\ns_and_saveexec_b64 s[6:7], vcc", False),
        ("v_cmp_eq_f32 vcc, 0, v0\ns_and_saveexec_b64 s[6:7], vcc", False),
        ("v_cmp_eq_u32 vcc, 0, v0\ns_nop 0\nlabel:\ns_and_saveexec_b64 s[6:7], vcc", False),
        ("v_cmp_eq_u32 vcc, 0, v0\ns_andn2_saveexec_b64 s[6:7], vcc", False),
    ],
)
def test_lanes_of_a_comparison(mask: str, is_found: bool) -> None:
    write = (
        "v_lshrrev_b32 v4, 6, v0\nv_and_b32 v5, 63, v0\nv_lshlrev_b32 v6, 2, v4\nv_cmp_eq_u32 vcc, 63, v5\n"
        "s_and_saveexec_b64 s[10:11], vcc\nds_write_b32 v6, v2\ns_mov_b64 exec, s[10:11]\ns_waitcnt lgkmcnt(0)\n"
    )
    # Work-item 1 reads beyond what is written.
    read = f"v_mul_u32_u24 v7, 0x100, v0\n{mask}\nds_read_b32 v3, v7 offset:4\n"
    found = [each for each in findings(kernel(write + read, REQUIRED), "gfx942") if each.rule == RULE]
    assert bool(found) == is_found


HISTOGRAM = """v_lshlrev_b32 v1, 2, v0
v_mov_b32 v2, 0
v_mov_b32 v3, 1
ds_write_b32 v1, v2
s_load_dword s8, s[0:1], 0x10
s_waitcnt lgkmcnt(0)
{zeroed}v_cmp_gt_u32 vcc, s8, v0
s_and_saveexec_b64 s[10:11], vcc
s_cbranch_execz counted
global_load_dword v6, v1, s[4:5]
s_waitcnt vmcnt(0)
{address}ds_add_u32 v6, v3
counted:
s_mov_b64 exec, s[10:11]
s_waitcnt lgkmcnt(0)
{added}ds_read_b32 v3, v1
"""
BINS = "v_and_b32 v6, 0xff, v6\nv_lshlrev_b32 v6, 2, v6\n"
REQUIRED = ".reqd_workgroup_size: [256, 1, 1]"


def histogram(
    zeroed: str = "s_barrier\n", added: str = "s_barrier\n", address: str = BINS, size: str = REQUIRED
) -> list[tuple[str, Severity]]:
    text = kernel(HISTOGRAM.format(zeroed=zeroed, added=added, address=address), size)
    return [(each.message, each.severity) for each in findings(text, "gfx90a") if each.rule == RULE]


def test_atomics_where_data_say() -> None:
    assert histogram() == []
    ((message, severity),) = histogram(zeroed="")
    assert message == (
        "no barrier is between `ds_write_b32` on line 5 and this: data decide where one of the two accesses LDS, so it "
        "may be where other waves do the other"
    )
    assert severity is Severity.WARNING
    ((message, severity),) = histogram(added="")
    assert message.startswith("no barrier is between `ds_add_u32` on line 16 and this")
    assert severity is Severity.WARNING


def test_a_single_wave_does_not_zero_all_that_it_adds_to() -> None:
    assert [severity for _, severity in histogram(zeroed="", size="")] == [Severity.WARNING]
    assert [severity for _, severity in histogram(added="", size="")] == [Severity.INFORMATION]
    assert histogram(zeroed="", added="", size="", address=BINS.replace("0xff", "63")) == []


def test_a_histogram_for_each_wave_needs_no_barrier() -> None:
    own = "v_and_b32 v6, 63, v6\nv_lshlrev_b32 v6, 2, v6\nv_lshrrev_b32 v7, 6, v0\nv_lshl_or_b32 v6, v7, 8, v6\n"
    assert histogram(zeroed="", added="", address=own) == []
    assert histogram(zeroed="", added="", address=own, size=".max_flat_workgroup_size: 256") == []


def test_data_from_elsewhere_say_nothing() -> None:
    unknown = "v_cvt_u32_f32 v6, v0\n" + BINS
    assert histogram(zeroed="", added="", address=unknown) == []


def test_an_atomic_at_a_place_that_one_work_item_sets() -> None:
    body = """v_mov_b32 v1, 0
v_mov_b32 v2, 1
v_cmp_eq_u32 vcc, 0, v0
s_and_saveexec_b64 s[10:11], vcc
ds_write_b32 v1, v1
s_mov_b64 exec, s[10:11]
s_waitcnt lgkmcnt(0)
{}ds_add_rtn_u32 v3, v1, v2
"""
    check_no_finding(kernel(body.format("s_barrier\n"), REQUIRED), RULE, "gfx90a")
    with pytest.raises(AssertionError):
        check_no_finding(kernel(body.format(""), REQUIRED), RULE, "gfx90a")
    check_no_finding(kernel(body.format(""), ".reqd_workgroup_size: [64, 1, 1]"), RULE, "gfx90a")


def test_two_atomics_order_themselves() -> None:
    check_no_finding(kernel("v_mov_b32 v1, 0\n" + "ds_add_u32 v1, v0\n" * 2 + "s_barrier\n", REQUIRED), RULE, "gfx90a")


BOUNDED = """s_load_dwordx2 s[8:9], s[0:1], 0x10
v_lshlrev_b32 v1, 2, v0
v_sub_u32 v2, 1020, v1
v_lshl_add_u32 v4, s2, 8, v0
s_waitcnt lgkmcnt(0)
v_cmp_gt_u32 vcc, s8, v4
s_and_saveexec_b64 s[10:11], vcc
s_cbranch_execz over
ds_write_b32 v1, v0
over:
s_mov_b64 exec, s[10:11]
s_waitcnt lgkmcnt(0)
ds_read_b32 v3, v2
"""
INNER = "v_cmp_gt_u32 vcc, s9, v4\ns_and_saveexec_b64 s[12:13], vcc\nds_write_b32 v1, v0\ns_mov_b64 exec, s[12:13]\n"


@pytest.mark.parametrize(
    ("old", "new", "severity"),
    [
        ("", "", Severity.WARNING),
        ("ds_write_b32 v1, v0\n", INNER, Severity.WARNING),
        (
            "ds_write_b32 v1, v0\n",
            "v_cmp_lt_u32 vcc, 3, v0\ns_and_b64 exec, exec, vcc\nds_write_b32 v1, v0\n",
            Severity.WARNING,
        ),
        # A small argument may leave the lanes of one wave only.
        ("vcc, s8, v4", "vcc, s8, v0", Severity.INFORMATION),
        # No launch has all lanes on, or nobody knows.
        ("v_cmp_gt_u32 vcc, s8, v4", "v_cmp_eq_u32 vcc, s8, v4", None),
        ("vcc, s8, v4", "vcc, s8, v9", None),
        ("v_cmp_gt_u32 vcc, s8, v4", "v_cmp_gt_f32 vcc, s8, v4", None),
        ("s_and_saveexec", "s_andn2_saveexec", None),
        # What remains of the guard's lanes is what the same wave reads.
        ("v_sub_u32 v2, 1020, v1", "v_mov_b32 v2, v1", None),
        ("ds_read_b32 v3, v2", "s_barrier\nds_read_b32 v3, v2", None),
        # The reads have a guard too.
        ("s_mov_b64 exec, s[10:11]\n", "", None),
    ],
)
def test_a_write_behind_a_check_of_bounds(old: str, new: str, severity: "Severity | None") -> None:
    text = kernel(BOUNDED.replace(old, new, 1) if old else BOUNDED, REQUIRED)
    found = [each.severity for each in findings(text, "gfx942") if each.rule == RULE]
    assert found == ([severity] if severity is not None else [])


def test_the_place_of_a_write_behind_a_check_of_bounds() -> None:
    told = "//<^^^^^^^^^^^^^^^ warning[missing-barrier]: other waves write to LDS by `ds_write_b32` on line 11, and no"
    text = kernel(BOUNDED.replace("1020", "508").replace("v3, v2\n", f"v3, v2\n{told}\ns_barrier\n"))
    check_diagnostics(f"//- k.s target:gfx942\n.text\n{text}")


ROUNDS = """s_mov_b32 s8, 4
v_lshlrev_b32 v1, 2, v0
v_xor_b32 v2, 0x3fc, v1
v_mov_b32 v3, 0
v_mov_b32 v5, 0
round:
v_add_u32 v6, v5, v1
ds_write_b32 v6, v0
s_waitcnt lgkmcnt(0)
s_barrier
v_add_u32 v7, v5, v2
ds_read_b32 v4, v7
v_xor_b32 v5, 0x400, v5
s_waitcnt lgkmcnt(0)
v_add_f32 v3, v3, v4
s_sub_u32 s8, s8, 1
s_cmp_lg_u32 s8, 0
s_cbranch_scc1 round
"""
"""Each round writes one of two buffers and reads what the other waves have written there."""

REQUIRED = ".reqd_workgroup_size: [256, 1, 1]"
AGAIN = "this overwrites what other waves may still read by `ds_read_b32`"


def rewritten(text: str, size: str = REQUIRED) -> list[str]:
    """The messages about writes over what other waves may still read."""
    return [each.message for each in findings(kernel(text, size), "gfx942") if "may still read" in each.message]


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("", "", 0),
        ("v_xor_b32 v5, 0x400", "v_xor_b32 v5, 0x800", 0),
        ("v_xor_b32 v5, 0x400, v5", "s_nop 0", 1),  # one buffer only
        ("v_xor_b32 v5, 0x400", "v_xor_b32 v5, 0x200", 1),  # two that are not apart
        ("v_add_u32 v7, v5, v2", "v_xor_b32 v7, 0x400, v5\nv_add_u32 v7, v7, v2", 1),  # the other one is read
        ("v_xor_b32 v5, 0x400, v5", "s_waitcnt lgkmcnt(0)\ns_barrier", 0),
        ("ds_read_b32 v4, v7\nv_xor_b32 v5, 0x400, v5", "ds_read_b32 v4, v6", 0),  # its own
    ],
)
def test_a_buffer_that_is_filled_again(old: str, new: str, count: int) -> None:
    found = rewritten(ROUNDS.replace(old, new))
    assert len(found) == count
    assert all(AGAIN in each for each in found)


def test_a_launch_that_may_have_one_wave_says_nothing() -> None:
    one_buffer = ROUNDS.replace("v_xor_b32 v5, 0x400, v5", "s_nop 0")
    assert rewritten(one_buffer, ".reqd_workgroup_size: [64, 1, 1]") == []
    assert len(rewritten(one_buffer.replace("0x3fc", "0x1fc"), "")) == 1  # a barrier says that there are two waves


def test_lanes_that_a_mask_leaves_out_may_be_those_that_meet() -> None:
    masked = ROUNDS.replace("v_xor_b32 v5, 0x400, v5", "s_nop 0").replace(
        "ds_read_b32", "v_cmp_gt_u32 vcc, 64, v0\ns_and_saveexec_b64 s[10:11], vcc\nds_read_b32"
    )
    assert rewritten(masked.replace("s_sub_u32", "s_mov_b64 exec, s[10:11]\ns_sub_u32")) == []


def test_the_fix_of_a_write_over_reads_is_a_barrier() -> None:
    text = f"{MIRRORED}v_mov_b32 v5, v1\n{WRITE}s_barrier\n{READ}s_waitcnt lgkmcnt(0)\nds_write_b32 v5, v3\n"
    check_fix(kernel(text), kernel(text.replace("ds_write_b32 v5", "s_barrier\nds_write_b32 v5")), "gfx942", RULE)


REVERSED = f"""v_lshlrev_b32 v1, 2, v0
v_sub_u32 v2, 1020, v1
s_load_dword s8, s[0:1], 0x8
v_mov_b32 v4, 0
s_waitcnt lgkmcnt(0)
v_cmp_gt_u32 vcc, s8, v0
s_and_saveexec_b64 s[6:7], vcc
s_cbranch_execz beyond
global_load_dword v4, v1, s[2:3]
s_waitcnt vmcnt(0)
beyond:
s_or_b64 exec, exec, s[6:7]
{WRITE}{READ}"""
LARGEST = ".max_flat_workgroup_size: 256"


@pytest.mark.parametrize(
    ("old", "new", "is_found"),
    [
        ("", "", True),
        ("fixed_size 1024", "fixed_size 2048", False),  # a launch of 256 would leave half of it
        ("fixed_size 1024", "fixed_size 4224", False),
        (LARGEST, ".max_flat_workgroup_size: 512", False),
        (LARGEST, f"{LARGEST}\n    .uses_dynamic_stack: false", False),  # compilers write the largest size anyhow
        (READ, f"s_barrier\n{READ}", False),
        ("v_sub_u32 v2, 1020, v1", "v_mov_b32 v2, v1", False),
        ("v_lshlrev_b32 v1, 2", "v_lshlrev_b32 v1, 3", False),
    ],
)
def test_the_largest_work_group_fills_lds_just_to_its_end(old: str, new: str, is_found: bool) -> None:
    text = kernel(REVERSED, LARGEST).replace("fixed_size 4224", "fixed_size 1024")
    found = [each for each in findings(f"//- k.s target:gfx942\n{text.replace(old, new, 1)}") if each.rule == RULE]
    assert [each.severity for each in found] == [Severity.INFORMATION] * is_found

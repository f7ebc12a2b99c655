"""Writes to LDS in which work-items overwrite a part of each other's data."""

from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "overlapping-lds-writes"
DESCRIPTOR = """.rodata
.amdhsa_kernel kernel
  .amdhsa_group_segment_fixed_size 1024
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 16
.end_amdhsa_kernel
"""
LAST = "v_cmp_eq_u32 vcc, 63, v{}\ns_and_saveexec_b64 s[10:11], vcc\n"


def messages(body: str) -> list[str]:
    text = f"kernel:\n{body}s_endpgm\n{DESCRIPTOR}"
    return [each.message for each in findings(text, "gfx90a") if each.rule == RULE]


def test_an_address_that_nothing_scales() -> None:
    check_diagnostics(
        f"""
        //- k.s target:gfx90a
        kernel:
        ds_write_b32 v0, v2
        //<^^^^^^^^^^^^^^^^ warning[overlapping-lds-writes]: work-items 0 and 1 write 4 bytes each to addresses 1 apart
        s_endpgm
        {DESCRIPTOR.replace(chr(10), chr(10) + " " * 8)}
        """
    )


def test_writes_that_fit() -> None:
    for body in (
        "v_lshlrev_b32 v1, 2, v0\nds_write_b32 v1, v2\n",
        "ds_write_b8 v0, v2\n",
        "v_lshlrev_b32 v1, 2, v0\nds_write2_b32 v1, v2, v3 offset1:64\n",
        "v_mov_b32 v1, 0\nds_write_b32 v1, v2\n",
        "v_lshrrev_b32 v1, 6, v0\nv_lshlrev_b32 v1, 2, v1\nds_write_b32 v1, v2\n",
        "ds_read_b32 v3, v0\n",
    ):
        check_no_finding(f"kernel:\n{body}s_endpgm\n{DESCRIPTOR}", RULE, "gfx90a")


def test_pairs_a_dword_apart() -> None:
    assert messages("v_lshlrev_b32 v1, 2, v0\nds_write_b64 v1, v[2:3]\n") == [
        "work-items 0 and 1 write 8 bytes each to addresses 4 apart: they overwrite a part of each other's"
    ]


def test_one_lane_of_each_wave() -> None:
    lane = "v_and_b32 v5, 63, v0\nv_lshrrev_b32 v6, 6, v0\n" + LAST.format(5)
    assert messages(f"{lane}ds_write_b32 v6, v2\ns_mov_b64 exec, s[10:11]\ns_barrier\n") == [
        "work-items 63 and 127 write 4 bytes each to addresses 1 apart: they overwrite a part of each other's"
    ]
    assert messages(f"{lane}ds_write_b32 v6, v2\ns_mov_b64 exec, s[10:11]\n") == []  # there may be one wave
    assert messages(f"{LAST.format(0)}ds_write_b32 v0, v2\n") == []


def test_a_constant_is_the_same_from_all() -> None:
    assert messages("v_mov_b32 v2, 0\nv_mov_b32 v3, 0\nv_lshlrev_b32 v1, 2, v0\nds_write_b64 v1, v[2:3]\n") == []


def test_an_unknown_part_that_is_common() -> None:
    assert len(messages("v_add_u32 v1, s9, v0\nds_write_b32 v1, v2\n")) == 1
    assert messages("v_add_u32 v1, v9, v0\nds_write_b32 v1, v2\n") == []

"""Modifiers that an instruction does not take."""

from tests.support.check import check_diagnostics, check_fix, check_no_fix, check_silent


def test_of_another_instruction() -> None:
    check_diagnostics(
        """
        ds_read_b32 v0, v1 offset0:4
        //                 ^^^^^^^ error[unknown-modifier]: offset0
        """
    )


def test_a_misspelt_one_is_mended() -> None:
    check_fix(
        """
        ds_read_b32 v0, v1 ofset:4
        """,
        """
        ds_read_b32 v0, v1 offset:4
        """,
    )


def test_those_it_takes() -> None:
    check_silent(
        """
        ds_read_b32 v0, v1 offset:4 gds
        """
    )


def test_a_missing_blank_is_inserted() -> None:
    check_fix(
        """
        .amdgcn_target "amdgcn-amd-amdhsa--gfx906"
        v_add_f32 v4, v4, v4row_shr:4 bank_mask:0xe
        """,
        """
        .amdgcn_target "amdgcn-amd-amdhsa--gfx906"
        v_add_f32 v4, v4, v4 row_shr:4 bank_mask:0xe
        """,
    )


def test_a_register_is_not_mended_away() -> None:
    check_no_fix(
        """
        .amdgcn_target "amdgcn-amd-amdhsa--gfx906"
        v_add_f32 v4, v4, v4rw_shr:4 bank_mask:0xe
        """
    )

"""Modifiers that an instruction does not take."""

from tests.support.check import check_diagnostics, check_fix, check_silent


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

"""Modifiers given twice."""

from tests.support.check import check_diagnostics, check_silent


def test_with_a_value() -> None:
    check_diagnostics(
        """
        ds_read_b32 v0, v1 offset:4 offset:8
        //                          ^^^^^^^^ error[duplicate-modifier]: offset
        """
    )


def test_without_a_value() -> None:
    check_diagnostics(
        """
        buffer_load_dword v0, off, s[0:3], 0 glc glc
        //                                       ^^^ error[duplicate-modifier]: glc
        """
    )


def test_different_ones() -> None:
    check_silent(
        """
        buffer_load_dword v0, off, s[0:3], 0 offset:4 glc slc
        """
    )

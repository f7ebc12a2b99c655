"""Macros defined twice."""

from tests.support.check import check_diagnostics, check_silent


def test_the_second_name_is_underlined() -> None:
    check_diagnostics(
        """
        .macro wait
        .endm
        .macro wait
        //     ^^^^ error[duplicate-macro]: wait
        .endm
        """
    )


def test_after_purgem() -> None:
    check_silent(
        """
        .macro wait
        .endm
        .purgem wait
        .macro wait
        .endm
        """
    )


def test_in_branches_of_which_one_is_taken() -> None:
    check_silent(
        """
        .if 1
        .macro wait
        .endm
        .else
        .macro wait
        .endm
        .endif
        """
    )

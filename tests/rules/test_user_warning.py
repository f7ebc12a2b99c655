"""Warnings that the file itself reports."""

from tests.support.check import check_diagnostics, check_silent


def test_the_message_is_that_of_the_directive() -> None:
    check_diagnostics(
        """
        .warning "not tested"
        //<^^^^^^^^^^^^^^^^^^ warning[user-warning]: not tested
        """
    )


def test_in_a_branch_not_taken() -> None:
    check_silent(
        """
        .if 0
        .warning "never"
        .endif
        """
    )

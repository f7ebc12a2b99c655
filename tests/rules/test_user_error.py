"""Errors that the file itself reports."""

from tests.support.check import check_diagnostics, check_silent


def test_the_message_is_that_of_the_directive() -> None:
    check_diagnostics(
        """
        .error "at most two wavefronts"
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[user-error]: at most two wavefronts
        """
    )


def test_err_has_no_message() -> None:
    check_diagnostics(
        """
        .err
        //<^ error[user-error]
        """
    )


def test_in_a_macro() -> None:
    check_diagnostics(
        r"""
        .macro need n
          .if \n > 2
            .error "too many"
        //  ^^^^^^^^^^^^^^^^^ error[user-error]: too many
          .endif
        .endm
        need 3
        """
    )


def test_in_a_branch_not_taken() -> None:
    check_silent(
        """
        .if 0
        .error "never"
        .endif
        """
    )

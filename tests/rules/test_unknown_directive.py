"""A word with a dot that is not a directive."""

from tests.support.check import check_diagnostics, check_silent


def test_a_misspelt_directive() -> None:
    check_diagnostics(
        """
        .dwrod 4
        //<^^^ error[unknown-directive]: .dwrod
        """
    )


def test_a_macro_may_start_with_a_dot() -> None:
    check_silent(
        """
        .macro .pause
          s_nop 0
        .endm
        .pause
        """
    )

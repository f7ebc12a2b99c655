"""Text that the syntax does not allow."""

from tests.support.check import check_diagnostics, check_silent


def test_an_open_bracket() -> None:
    check_diagnostics(
        """
        v_mov_b32 v0, (1
        //            ^^ error[syntax-error]
        """
    )


def test_a_character_that_starts_nothing() -> None:
    check_diagnostics(
        """
          )
        //^ error[syntax-error]
        """
    )


def test_nested_brackets() -> None:
    check_silent(
        """
        v_mov_b32 v0, ((1+2)*(3-1))
        """
    )

"""Expansions without an end."""

from tests.support.check import check_diagnostics, check_silent


def test_a_repetition_out_of_all_proportion() -> None:
    check_diagnostics(
        """
        .rept 1000000000
        //<^^^^^^^^^^^^^ error[expansion-limit]
        s_nop 0
        .endr
        """
    )


def test_a_macro_that_calls_itself() -> None:
    check_diagnostics(
        """
        .macro again
          again
        //^^^^^ error[expansion-limit]
        .endm
        again
        """
    )


def test_recursion_with_an_end() -> None:
    check_silent(
        r"""
        .macro count n
          s_nop 0
          .if \n
            count \n-1
          .endif
        .endm
        count 5
        """
    )

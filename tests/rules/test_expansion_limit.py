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


def test_conditionals_that_nest_too_deep() -> None:
    deep = ".if 10+10\n//<^^^^^^ error[expansion-limit]\nv_no_such\n"
    check_diagnostics(".if 1\n" * 1000 + deep + ".if 1\n" * 1000)
    check_silent(".if 1\n" * 1000 + "s_nop 0\n" + ".endif\n" * 1000)


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

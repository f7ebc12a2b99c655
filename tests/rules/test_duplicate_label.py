"""Labels defined twice."""

from tests.support.check import check_diagnostics, check_silent


def test_in_the_file() -> None:
    check_diagnostics(
        """
        loop:
        s_nop 0
        loop:
        //<^ error[duplicate-label]: loop
        """
    )


def test_by_a_macro_that_is_called_twice() -> None:
    check_diagnostics(
        """
        .macro wait
          again:
        //^^^^^ error[duplicate-label]: again
          s_branch again
        .endm
        wait
        wait
        """
    )


def test_a_name_of_its_own_for_each_call() -> None:
    check_silent(
        r"""
        .macro wait
        again_\@:
          s_branch again_\@
        .endm
        wait
        wait
        """
    )


def test_local_labels() -> None:
    check_silent(
        """
        1:
        1:
        """
    )

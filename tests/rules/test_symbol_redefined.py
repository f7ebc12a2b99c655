"""Symbols that cannot change."""

from tests.support.check import check_diagnostics, check_silent


def test_equiv_twice() -> None:
    check_diagnostics(
        """
        .equiv unroll, 4
        .equiv unroll, 8
        //     ^^^^^^ error[symbol-redefined]: unroll
        """
    )


def test_set_twice() -> None:
    check_silent(
        """
        .set unroll, 4
        .set unroll, 8
        unroll = 16
        """
    )

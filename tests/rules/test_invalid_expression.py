"""Expressions without a value."""

from tests.support.check import check_diagnostics, check_silent


def test_division_by_zero() -> None:
    check_diagnostics(
        """
        .set unroll, 0
        .set steps, 64 / unroll
        //          ^^^^^^^^^^^ error[invalid-expression]: zero
        """
    )


def test_division() -> None:
    check_silent(
        """
        .set steps, 64 / 4
        """
    )

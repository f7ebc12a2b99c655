"""Directives with arguments that they do not take."""

from tests.support.check import check_diagnostics, check_silent


def test_a_missing_value() -> None:
    check_diagnostics(
        """
        .set v_acc
        //<^^^^^^^ error[malformed-directive]
        """
    )


def test_complete() -> None:
    check_silent(
        """
        .set v_acc, 4
        """
    )

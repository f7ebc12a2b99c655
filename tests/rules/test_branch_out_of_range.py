"""Branches further than their offset reaches."""

from tests.support.check import check_diagnostics, check_silent


def test_forward() -> None:
    check_diagnostics(
        """
        s_branch end
        //       ^^^ error[branch-out-of-range]: 32768
        .fill 32768, 4, 0
        end:
        """
    )


def test_forward_as_far_as_it_goes() -> None:
    check_silent(
        """
        s_branch end
        .fill 32767, 4, 0
        end:
        """
    )


def test_backward() -> None:
    check_diagnostics(
        """
        start:
        .fill 32768, 4, 0
        s_branch start
        //       ^^^^^ error[branch-out-of-range]: -32769
        """
    )


def test_backward_as_far_as_it_goes() -> None:
    check_silent(
        """
        start:
        .fill 32767, 4, 0
        s_branch start
        """
    )

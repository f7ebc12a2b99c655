"""Blocks without an end."""

from tests.support.check import check_diagnostics, check_silent


def test_a_conditional() -> None:
    check_diagnostics(
        """
        .if 1
        //<^^ error[unterminated-block]: .endif
        s_nop 0
        """
    )


def test_a_macro() -> None:
    check_diagnostics(
        """
        .macro copy
        //<^^^^^^^^ error[unterminated-block]: .endm
        s_nop 0
        """
    )


def test_a_repetition() -> None:
    check_diagnostics(
        """
        .rept 4
        //<^^^^ error[unterminated-block]: .endr
        s_nop 0
        """
    )


def test_the_outer_one_of_two() -> None:
    check_diagnostics(
        """
        .if 1
        //<^^ error[unterminated-block]
        .if 1
        .endif
        s_nop 0
        """
    )


def test_closed() -> None:
    check_silent(
        """
        .if 1
        .rept 2
        s_nop 0
        .endr
        .endif
        """
    )

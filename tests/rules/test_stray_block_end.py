"""Ends of blocks that are not open."""

from tests.support.check import check_diagnostics, check_silent


def test_endif() -> None:
    check_diagnostics(
        """
        .endif
        //<^^^ error[stray-block-end]: .endif
        """
    )


def test_endm() -> None:
    check_diagnostics(
        """
        .endm
        //<^^ error[stray-block-end]
        """
    )


def test_else() -> None:
    check_diagnostics(
        """
        .else
        //<^^ error[stray-block-end]
        """
    )


def test_behind_their_beginning() -> None:
    check_silent(
        """
        .if 0
        .else
        .endif
        """
    )

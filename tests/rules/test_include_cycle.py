"""Files that include themselves."""

from tests.support.check import check_diagnostics, check_silent


def test_directly() -> None:
    check_diagnostics(
        """
        //- main.s target:gfx900
        .include "main.s"
        //       ^^^^^^^^ error[include-cycle]
        """
    )


def test_through_another() -> None:
    check_diagnostics(
        """
        //- main.s target:gfx900
        .include "a.inc"
        //- a.inc
        .include "b.inc"
        //- b.inc
        .include "a.inc"
        //       ^^^^^^^ error[include-cycle]
        """
    )


def test_the_same_file_twice() -> None:
    check_silent(
        """
        //- main.s target:gfx900
        .include "a.inc"
        .include "a.inc"
        //- a.inc
        s_nop 0
        """
    )

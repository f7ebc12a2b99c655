"""Symbols that only the build defines: one finding for the file."""

from tests.support.check import check_diagnostics, check_silent


def test_it_stands_at_the_first_use() -> None:
    check_diagnostics(
        """
        .if batch_size > 1
        //  ^^^^^^^^^^ information[build-defined-symbols]: batch_size
        s_nop 0
        .endif
        .if batch_size > 2
        .endif
        """
    )


def test_a_use_in_an_included_file_is_told_at_the_include() -> None:
    check_diagnostics(
        """
        //- main.s target:gfx900
        .include "a.inc"
        //<^^^^^^^^^^^^^ information[build-defined-symbols]: batch_size
        //- a.inc
        .if batch_size > 1
        .endif
        """
    )


def test_what_the_build_defined() -> None:
    check_silent(
        """
        //- kernel.s target:gfx900 define:batch_size=16
        .if batch_size > 1
        s_nop 0
        .endif
        """
    )


def test_ifdef_is_no_use() -> None:
    check_silent(
        """
        .ifdef batch_size
        s_nop 0
        .endif
        """
    )

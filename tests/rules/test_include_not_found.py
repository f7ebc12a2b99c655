"""Includes of files that are not there."""

from tests.support.check import check_diagnostics, check_silent


def test_the_name_is_underlined() -> None:
    check_diagnostics(
        """
        .include "does_not_exist.inc"
        //       ^^^^^^^^^^^^^^^^^^^^ error[include-not-found]: does_not_exist.inc
        """
    )


def test_what_follows_from_it_is_held_back() -> None:
    check_diagnostics(
        """
        .include "macros.inc"
        //       ^^^^^^^^^^^^ error[include-not-found]
        a_macro_of_that_file v0
        v_mov_b32 v[a_symbol_of_that_file], 0
        """
    )


def test_a_file_that_is_there() -> None:
    check_silent(
        """
        //- main.s target:gfx900
        .include "a.inc"
        //- a.inc
        s_nop 0
        """
    )

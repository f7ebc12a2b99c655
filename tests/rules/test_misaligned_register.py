"""Tuples that start where the field cannot say."""

from tests.support.check import check_diagnostics, check_silent


def test_a_pair_of_sgprs_at_an_odd_number() -> None:
    check_diagnostics(
        """
        s_load_dwordx2 s[1:2], s[4:5], 0x0
        //             ^^^^^^ error[misaligned-register]: s[1:2]
        """
    )


def test_four_sgprs_want_a_multiple_of_four() -> None:
    check_diagnostics(
        """
        buffer_load_dword v0, off, s[2:5], 0
        //                         ^^^^^^ error[misaligned-register]
        """
    )


def test_vgpr_pairs_on_gfx90a() -> None:
    check_diagnostics(
        """
        global_load_dwordx2 v[1:2], v[4:5], off
        //                  ^^^^^^ error[misaligned-register]
        """,
        target="gfx90a",
    )


def test_vgpr_pairs_elsewhere() -> None:
    check_silent(
        """
        global_load_dwordx2 v[1:2], v[4:5], off
        """,
        target="gfx908",
    )


def test_aligned_tuples() -> None:
    check_silent(
        """
        s_load_dwordx2 s[2:3], s[4:5], 0x0
        buffer_load_dword v0, off, s[4:7], 0
        """
    )


def test_the_number_may_come_from_a_symbol() -> None:
    check_diagnostics(
        """
        .set sgpr_base, 3
        s_load_dwordx2 s[sgpr_base:sgpr_base+1], s[4:5], 0x0
        //             ^^^^^^^^^^^^^^^^^^^^^^^^ error[misaligned-register]
        """
    )


def test_in_a_macro_each_mistaken_call_counts() -> None:
    check_diagnostics(
        r"""
        .macro load at
          s_load_dwordx2 s[\at:\at+1], s[4:5], 0x0
        //               ^^^^^^^^^^^^ error[misaligned-register]: s[1:2]
        //               ^^^^^^^^^^^^ error[misaligned-register]: s[3:4]
        .endm
        load 0
        load 1
        load 2
        load 3
        """
    )

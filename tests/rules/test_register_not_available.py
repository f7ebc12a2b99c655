"""Registers that other targets have."""

from tests.support.check import check_diagnostics, check_silent


def test_null_before_gfx10() -> None:
    check_diagnostics(
        """
        s_mov_b32 s0, null
        //            ^^^^ error[register-not-available]: null
        """
    )


def test_null_from_gfx10_on() -> None:
    check_silent(
        """
        s_mov_b32 null, s0
        """,
        target="gfx1030",
    )


def test_the_apertures_before_gfx9() -> None:
    check_diagnostics(
        """
        s_mov_b32 s0, src_shared_base
        //            ^^^^^^^^^^^^^^^ error[register-not-available]: src_shared_base
        """,
        target="gfx803",
    )


def test_the_apertures_from_gfx9_on() -> None:
    check_silent(
        """
        s_mov_b32 s0, src_shared_base
        """
    )

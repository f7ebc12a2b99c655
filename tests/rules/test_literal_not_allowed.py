"""Literals where the encoding has no room."""

from tests.support.check import check_diagnostics, check_silent


def test_vop3_before_gfx10() -> None:
    check_diagnostics(
        """
        v_add3_u32 v0, v1, v2, 0x12345678
        //                     ^^^^^^^^^^ error[literal-not-allowed]
        """
    )


def test_vop3_from_gfx10_on() -> None:
    check_silent(
        """
        v_add3_u32 v0, v1, v2, 0x12345678
        """,
        target="gfx1030",
    )


def test_inline_constants_need_no_room() -> None:
    check_silent(
        """
        v_add3_u32 v0, v1, v2, 64
        """
    )

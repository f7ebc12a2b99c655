"""More scalar values than the constant bus carries."""

from tests.support.check import check_diagnostics, check_silent


def test_two_sgprs_on_gfx9() -> None:
    check_diagnostics(
        """
        v_add3_u32 v0, s0, s1, v1
        //                 ^^ error[constant-bus-limit]
        """
    )


def test_two_sgprs_on_gfx10() -> None:
    check_silent(
        """
        v_add3_u32 v0, s0, s1, v1
        """,
        target="gfx1030",
    )


def test_the_same_sgpr_twice() -> None:
    check_silent(
        """
        v_add3_u32 v0, s0, s0, v1
        """
    )

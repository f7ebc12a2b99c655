"""Register numbers beyond the end of their file."""

from tests.support.check import check_diagnostics, check_silent


def test_the_number_of_an_expression_counts() -> None:
    check_diagnostics(
        """
        .set v_acc, 250
        v_mov_b32 v[v_acc+6], 0
        //        ^^^^^^^^^^ error[register-out-of-range]: 256
        """
    )


def test_the_end_of_a_tuple_counts() -> None:
    check_diagnostics(
        """
        v_add_f64 v[255:256], v[0:1], v[2:3]
        //        ^^^^^^^^^^ error[register-out-of-range]
        """
    )


def test_the_last_register() -> None:
    check_silent(
        """
        v_mov_b32 v255, 0
        """
    )


def test_gfx9_has_102_sgprs() -> None:
    check_diagnostics(
        """
        s_mov_b32 s102, s0
        //        ^^^^ error[register-out-of-range]: s101
        """
    )


def test_gfx10_has_106_sgprs() -> None:
    check_silent(
        """
        s_mov_b32 s105, s0
        """,
        target="gfx1030",
    )

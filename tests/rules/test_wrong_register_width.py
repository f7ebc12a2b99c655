"""Tuples of another length than the instruction takes."""

from tests.support.check import check_diagnostics, check_silent


def test_one_register_for_two() -> None:
    check_diagnostics(
        """
        s_mov_b64 s[0:1], s4
        //                ^^ error[wrong-register-width]
        """
    )


def test_two_registers_for_one() -> None:
    check_diagnostics(
        """
        v_mov_b32 v0, v[2:3]
        //            ^^^^^^ error[wrong-register-width]
        """
    )


def test_a_tuple_of_one_is_a_register() -> None:
    check_silent(
        """
        v_mov_b32 v[0:0], v[1]
        """
    )

"""Too few operands, or too many."""

from tests.support.check import check_diagnostics, check_silent


def test_too_few() -> None:
    check_diagnostics(
        """
        v_add_f32 v0, v1
        //<^^^^^^ error[wrong-operand-count]: 3 operands
        """
    )


def test_too_many() -> None:
    check_diagnostics(
        """
        s_mov_b32 s0, s1, s2
        //                ^^ error[wrong-operand-count]
        """
    )


def test_commas_may_be_missing() -> None:
    check_silent(
        """
        s_mov_b32 s0 s1
        """
    )


def test_modifiers_are_no_operands() -> None:
    check_silent(
        """
        buffer_load_dword v0, off, s[0:3], 0 offset:16 glc slc
        """
    )

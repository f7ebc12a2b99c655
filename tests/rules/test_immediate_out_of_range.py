"""Constants that do not fit their field."""

from tests.support.check import check_diagnostics, check_silent


def test_sixteen_bits() -> None:
    check_diagnostics(
        """
        s_movk_i32 s0, 0x12345
        //             ^^^^^^^ error[immediate-out-of-range]: 16
        """
    )


def test_a_counter() -> None:
    check_diagnostics(
        """
        s_waitcnt vmcnt(64)
        //              ^^ error[immediate-out-of-range]: 64
        """
    )


def test_the_largest_value() -> None:
    check_silent(
        """
        s_movk_i32 s0, 0xffff
        s_movk_i32 s0, -32768
        s_waitcnt vmcnt(0) expcnt(7) lgkmcnt(15)
        """
    )

"""Two different literals in one instruction."""

from tests.support.check import check_diagnostics, check_silent


def test_two_values() -> None:
    check_diagnostics(
        """
        s_add_u32 s0, 0x12345678, 0x11223344
        //                        ^^^^^^^^^^ error[too-many-literals]
        """
    )


def test_the_same_value_twice() -> None:
    check_silent(
        """
        s_add_u32 s0, 0x12345678, 0x12345678
        """
    )

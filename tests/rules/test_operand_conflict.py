"""Operands that contradict each other."""

from tests.support.check import check_diagnostics, check_silent


def test_an_accumulator_that_overlaps_the_result() -> None:
    check_diagnostics(
        """
        v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[1:32]
        //                                     ^^^^^^^ error[operand-conflict]
        """,
        target="gfx908",
    )


def test_the_accumulator_is_the_result() -> None:
    check_silent(
        """
        v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]
        """,
        target="gfx908",
    )

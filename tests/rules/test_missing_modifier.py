"""Modifiers without which no form matches."""

from tests.support.check import check_diagnostics, check_silent


def test_an_atomic_with_a_destination_returns() -> None:
    check_diagnostics(
        """
        global_atomic_add v0, v[2:3], v1, off
        //<^^^^^^^^^^^^^^ error[missing-modifier]: glc
        """
    )


def test_an_atomic_without_a_destination() -> None:
    check_silent(
        """
        global_atomic_add v[2:3], v1, off
        """
    )

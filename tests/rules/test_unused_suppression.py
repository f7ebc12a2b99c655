"""Suppression comments that switch nothing off."""

from tests.support.check import check_diagnostics, check_silent


def test_on_a_line() -> None:
    check_diagnostics(
        """
        s_nop 0 ; gcn-lsp: disable=misaligned-register
        //                         ^^^^^^^^^^^^^^^^^^^ hint[unused-suppression]: misaligned-register
        """
    )


def test_for_the_file() -> None:
    check_diagnostics(
        """
        ; gcn-lsp: disable-file=misaligned-register
        //                      ^^^^^^^^^^^^^^^^^^^ hint[unused-suppression]
        s_nop 0
        """
    )


def test_lines_that_are_not_assembled_are_not_judged() -> None:
    check_silent(
        """
        .if 0
        s_nop 0 ; gcn-lsp: disable=misaligned-register
        .endif
        """
    )

"""Suppression comments with names that are no rules."""

from tests.support.check import check_diagnostics, check_fix


def test_the_nearest_rule_is_named() -> None:
    check_diagnostics(
        """
        s_nop 0 ; gcn-lsp: disable=mis-aligned-register
        //                         ^^^^^^^^^^^^^^^^^^^^ warning[unknown-suppression]: misaligned-register
        """
    )


def test_and_is_the_fix() -> None:
    check_fix(
        """
        s_nop 0 ; gcn-lsp: disable-file=wrong-operand-kin
        s_mov_b32 s0, v1
        """,
        """
        s_nop 0 ; gcn-lsp: disable-file=wrong-operand-kind
        s_mov_b32 s0, v1
        """,
    )


def test_each_name_of_a_list_counts() -> None:
    check_diagnostics(
        """
        s_mov_b32 s0, v1 ; gcn-lsp: disable=wrong-operand-kind,nonsense
        //                                                     ^^^^^^^^ warning[unknown-suppression]: nonsense
        """
    )

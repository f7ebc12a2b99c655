"""Comments that switch rules off."""

from tests.support.check import check_diagnostics, check_silent


def test_a_comment_covers_its_line_only() -> None:
    check_diagnostics(
        """
        s_mov_b32 s0, v1 ; gcn-lsp: disable=wrong-operand-kind
        s_mov_b32 s0, v2
        //            ^^ error[wrong-operand-kind]
        """
    )


def test_a_comment_covers_the_named_rule_only() -> None:
    check_diagnostics(
        """
        s_mov_b32 s0, v1 ; gcn-lsp: disable=wrong-register-width
        //            ^^ error[wrong-operand-kind]
        //                                  ^^^^^^^^^^^^^^^^^^^^ hint[unused-suppression]
        """
    )


def test_all_forms_of_comments_and_lists() -> None:
    check_silent(
        """
        s_mov_b32 s0, v1 // gcn-lsp: disable=wrong-operand-kind
        s_mov_b32 s0, v1 /* gcn-lsp: disable=wrong-operand-kind */
        s_mov_b32 s0, v1 ; why: see below. gcn-lsp: disable = wrong-operand-kind, wrong-operand-kind
        """
    )


def test_for_the_file_anywhere_in_it() -> None:
    check_silent(
        """
        s_mov_b32 s0, v1
        // gcn-lsp: disable-file=wrong-operand-kind
        """
    )


def test_in_a_block_comment_of_several_lines() -> None:
    check_silent(
        """
        /* This file is wrong on purpose.
           gcn-lsp: disable-file=wrong-operand-kind
        */
        s_mov_b32 s0, v1
        """
    )


def test_a_string_is_no_comment() -> None:
    check_diagnostics(
        """
        .ascii "gcn-lsp: disable-file=wrong-operand-kind"
        s_mov_b32 s0, v1
        //            ^^ error[wrong-operand-kind]
        """
    )


def test_in_a_macro_body_it_covers_every_call() -> None:
    check_silent(
        r"""
        .macro copy to, from
          s_mov_b32 \to, \from ; gcn-lsp: disable=wrong-operand-kind
        .endm
        copy s0, v1
        copy s0, v2
        """
    )


def test_at_the_call_it_covers_what_the_call_expands_to() -> None:
    check_silent(
        r"""
        .macro copy to, from
          s_mov_b32 \to, \from
        .endm
        copy s0, v1 ; gcn-lsp: disable=wrong-operand-kind
        """
    )


def test_in_an_included_file_it_covers_that_file() -> None:
    check_diagnostics(
        """
        //- main.s target:gfx900
        .include "a.inc"
        s_mov_b32 s0, v1
        //            ^^ error[wrong-operand-kind]
        //- a.inc
        // gcn-lsp: disable-file=wrong-operand-kind
        s_mov_b32 s0, v2
        """
    )


def test_at_one_call_it_does_not_cover_the_others() -> None:
    check_diagnostics(
        r"""
        .macro copy to
          s_mov_b32 \to, v1
        //               ^^ error[wrong-operand-kind]
        .endm
        copy s0 ; gcn-lsp: disable=wrong-operand-kind
        copy s0
        """
    )

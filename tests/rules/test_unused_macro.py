"""Macros that nothing calls."""

from tests.support.check import check_diagnostics, check_no_finding

RULE = "unused-macro"


def test_the_name_is_faded() -> None:
    check_diagnostics(
        """
        .macro wait count
        //     ^^^^ hint[unused-macro]: macro `wait` is never called
          s_nop \\count
        .endm
        s_nop 0
        """
    )


def test_calls_in_branches_and_macros_count() -> None:
    check_no_finding(
        """
        .macro one
        .endm
        .macro two
        .endm
        .macro caller
          two
        .endm
        .if 0
        one
        .endif
        caller
        s_nop 0
        """,
        RULE,
    )


def test_names_put_together_from_arguments_count() -> None:
    check_no_finding(
        r"""
        .macro load_b32
        .endm
        .macro load_b64
        .endm
        .macro load size
          load_b\size
        .endm
        load 32
        s_nop 0
        """,
        RULE,
    )


def test_a_comment_is_no_call() -> None:
    check_diagnostics(
        """
        .macro wait
        //     ^^^^ hint[unused-macro]
        .endm
        s_nop 0 // wait
        """
    )


def test_files_for_others_to_include_are_not_judged() -> None:
    check_no_finding(".macro wait\n  s_nop 0\n.endm\n.set count, 4\n", RULE)


def test_files_with_a_missing_include_are_not_judged() -> None:
    check_no_finding('.macro wait\n  s_nop 0\n.endm\n.include "missing.inc"\ns_nop 0\n', RULE)


def test_a_call_in_an_include_counts_and_its_macros_are_not_judged() -> None:
    check_no_finding(
        """
        //- kernel.s
        .macro wait
        .endm
        .include "more.inc"
        s_nop 0
        //- more.inc
        .macro other
          wait
        .endm
        """,
        RULE,
    )

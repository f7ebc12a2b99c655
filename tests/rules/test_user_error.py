"""Errors that the file itself reports."""

from tests.support.check import check_diagnostics, check_silent, findings


def test_the_message_is_that_of_the_directive() -> None:
    check_diagnostics(
        """
        .error "at most two wavefronts"
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[user-error]: at most two wavefronts
        """
    )


def test_err_has_no_message() -> None:
    check_diagnostics(
        """
        .err
        //<^ error[user-error]
        """
    )


MACROS = r""".macro need n
  .if \n > 2
    .error "too many"
  .endif
.endm
.macro both a, b
  need \a
  need \b
.endm
"""


def test_in_a_macro_it_is_told_at_the_call() -> None:
    check_diagnostics(
        MACROS
        + """\
s_nop 0
  both 1, 3
//^^^^^^^^^ error[user-error]: too many
need 1
need 4
//<^^^ error[user-error]: too many
"""
    )


def test_the_way_from_the_call_is_behind() -> None:
    (found,) = findings(MACROS + "both 1, 3")
    assert [(related.where.line, related.message) for related in found.related] == [
        (2, "`both` reaches this line"),
        (7, "expanded from a call of `need`"),
    ]


def test_macros_of_an_include_are_told_where_they_are_called() -> None:
    check_diagnostics(
        r"""
        //- k.s
        .include "macros.inc"
        .rept 1
          need 3
        //^^^^^^ error[user-error]: too many
        .endr
        //- macros.inc
        .macro need n
          .if \n > 2
            .error "too many"
          .endif
        .endm
        need 7
        //<^^^ error[user-error]: too many
        """.replace("\\\\", "\\")
    )


def test_abort() -> None:
    check_diagnostics(
        """
        .abort
        //<^^^ error[user-error]: stops
        .error "not reached"
        """
    )


def test_in_a_branch_not_taken() -> None:
    check_silent(
        """
        .if 0
        .error "never"
        .endif
        """
    )

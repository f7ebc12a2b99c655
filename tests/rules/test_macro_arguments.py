"""Arguments that do not fit the parameters."""

from tests.support.check import check_diagnostics, check_silent


def test_too_many() -> None:
    check_diagnostics(
        r"""
        .macro copy to, from
          v_mov_b32 \to, \from
        .endm
        copy v0, v1, v2
        //           ^^ error[macro-arguments]
        """
    )


def test_a_required_one_is_missing() -> None:
    check_diagnostics(
        r"""
        .macro copy to:req, from
          v_mov_b32 \to, \from
        .endm
        copy from=v1
        //   ^^^^^^^ error[macro-arguments]: to
        """
    )


def test_a_keyword_that_is_no_parameter() -> None:
    check_diagnostics(
        r"""
        .macro copy to, from=v1
          v_mov_b32 \to, \from
        .endm
        copy v0, form=v2
        //       ^^^^ error[macro-arguments]: form
        """
    )


def test_defaults_keywords_and_varargs() -> None:
    check_silent(
        r"""
        .macro copy to, from=v1, rest:vararg
          v_mov_b32 \to, \from
        .endm
        copy v0
        copy v0, from=v2
        copy v0, v1, v2, v3
        """
    )

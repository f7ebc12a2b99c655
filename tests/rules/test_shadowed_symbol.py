"""Names that hide others."""

from tests.support.check import check_diagnostics, check_no_finding

RULE = "shadowed-symbol"


def test_spelled_like_a_register() -> None:
    check_diagnostics(
        """
        .set v7, 2
        //   ^^ hint[shadowed-symbol]: `v7` is a register
          vcc = 4
        //^^^ hint[shadowed-symbol]: `vcc` is a register
        .set v_seven, 7
        .set V7, 7
        s_nop 0
        """
    )


def test_a_bare_parameter_name_means_the_symbol() -> None:
    check_diagnostics(
        r"""
        .set count, 3
        .macro wait count
        //          ^^^^^ hint[shadowed-symbol]: without a backslash, which means the symbol `count`
          s_nop count
        .endm
        .macro other count
          s_nop \count
        .endm
        wait 1
        """
    )


def test_the_parameter_of_an_inner_macro_or_repetition() -> None:
    check_diagnostics(
        r"""
        .macro outer x, y
          .macro inner x
          //           ^ hint[shadowed-symbol]: macro `outer` has a parameter `x` too
            s_nop \x
          .endm
          .irp y, 1, 2
          //   ^ hint[shadowed-symbol]: macro `outer` has a parameter `y` too
            s_nop \y
          .endr
        .endm
        """
    )


def test_different_names_are_fine() -> None:
    check_no_finding(
        r"""
        .macro outer x
          .macro inner y
            s_nop \x + \y
          .endm
          .irp z, 1, 2
            s_nop \z
          .endr
        .endm
        outer 1
        """,
        RULE,
    )

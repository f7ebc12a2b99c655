"""An operand of a kind that its field cannot hold."""

from tests.support.check import check_diagnostics, check_silent


def test_a_vgpr_for_the_scalar_unit() -> None:
    check_diagnostics(
        """
        s_mov_b32 s0, v1
        //            ^^ error[wrong-operand-kind]: v1
        """
    )


def test_a_constant_as_destination() -> None:
    check_diagnostics(
        """
        v_mov_b32 1, v1
        //        ^ error[wrong-operand-kind]
        """
    )


def test_what_a_macro_pastes_is_underlined_at_the_parameter() -> None:
    check_diagnostics(
        r"""
        .macro copy to, from
          s_mov_b32 \to, \from
        //               ^^^^^ error[wrong-operand-kind]
        .endm
        copy s0, v1
        """
    )


def test_a_vgpr_where_it_belongs() -> None:
    check_silent(
        """
        v_mov_b32 v0, v1
        """
    )


def test_what_altmacro_replaces_without_a_backslash_is_said() -> None:
    check_diagnostics(
        r"""
        //- target:gfx908
        .altmacro
        .macro s_wait vmcnt
          s_waitcnt vmcnt(0)
        //          ^^^^^ error[wrong-operand-kind]: `vmcnt` is replaced by the argument `m` here
        .endm
        s_wait m
        """
    )


def test_the_same_macro_without_altmacro_is_right() -> None:
    check_silent(
        r"""
        //- target:gfx908
        .macro s_wait vmcnt
          s_waitcnt vmcnt(0)
        .endm
        s_wait m
        """
    )

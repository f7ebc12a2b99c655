"""A first word that nothing has a meaning for."""

from tests.instruction.support import assemble
from tests.support.check import check_diagnostics, check_fix, check_silent


def test_a_misspelt_mnemonic_is_reported_with_the_nearest_one() -> None:
    check_diagnostics(
        """
        v_mov_b33 v0, v1
        //<^^^^^^ error[unknown-mnemonic]: v_mov_b32
        """
    )


def test_a_macro_of_nearly_that_name_is_the_fix() -> None:
    check_fix(
        """
        .macro wait_for_all
        s_nop 0
        .endm
        wait_for_al
        """,
        """
        .macro wait_for_all
        s_nop 0
        .endm
        wait_for_all
        """,
    )


def test_of_several_near_names_none_is_certain() -> None:
    (problem,) = assemble("v_add_f33 v0, v1, v2", "gfx90a").problems
    assert len(problem.fixes) > 1
    assert not any(fix.is_certain for fix in problem.fixes)


def test_of_several_near_names_the_one_that_takes_the_operands_is() -> None:
    check_fix("global_load_dwordx v[0:1], v2, s[0:1]", "global_load_dwordx2 v[0:1], v2, s[0:1]")


def test_in_a_macro_the_body_is_underlined_once_for_all_calls() -> None:
    check_diagnostics(
        r"""
        .macro copy to
          v_mov_b33 \to, v1
        //^^^^^^^^^ error[unknown-mnemonic]
        .endm
        copy v0
        copy v2
        """
    )


def test_in_an_included_file_the_finding_stands_there() -> None:
    check_diagnostics(
        """
        //- main.s target:gfx900
        .include "body.inc"
        //- body.inc
          v_mov_b33 v0, v1
        //^^^^^^^^^ error[unknown-mnemonic]
        """
    )


def test_a_macro_is_no_mnemonic() -> None:
    check_silent(
        """
        .macro wait_for_all
          s_waitcnt vmcnt(0)
        .endm
        wait_for_all
        """
    )


def test_words_of_branches_not_taken_are_not_looked_at() -> None:
    check_silent(
        """
        .if 0
          v_nonsense v0
        .endif
        """
    )


def test_mnemonics_are_not_case_sensitive() -> None:
    check_silent(
        """
        V_MOV_B32 v0, v1
        """
    )


def test_without_a_target_only_what_no_target_has_is_reported() -> None:
    check_diagnostics(
        """
        //- kernel.s target:-
        s_wait_loadcnt 0x0
        v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]
        v_mov_b33 v0, v1
        //<^^^^^^ error[unknown-mnemonic]
        """
    )


def test_the_manuals_name_of_a_comparison_becomes_the_assemblers() -> None:
    check_fix(
        """
        //- kernel.s target:gfx908
        s_cmp_ne_u64 s[0:1], s[2:3]
        """,
        """
        s_cmp_lg_u64 s[0:1], s[2:3]
        """,
    )


def test_another_condition_is_never_a_certain_fix() -> None:
    for line in ("s_cmp_qe_u64 s[0:1], s[2:3]", "v_cmp_ne_f32 vcc, v0, v1", "s_cmp_ul_u64 s[0:1], s[2:3]"):
        (problem,) = assemble(line, "gfx908").problems
        assert not any(fix.is_certain for fix in problem.fixes), line

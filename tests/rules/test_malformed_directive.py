"""Directives with arguments that they do not take."""

from tests.support.check import check_diagnostics, check_fix, check_silent


def test_a_missing_value() -> None:
    check_diagnostics(
        """
        .set v_acc
        //<^^^^^^^ error[malformed-directive]
        """
    )


def test_complete() -> None:
    check_silent(
        """
        .set v_acc, 4
        """
    )


def test_the_directive_of_other_systems_becomes_that_of_hsa() -> None:
    check_fix('.amd_amdgpu_isa "amdgcn-amd-amdhsa--gfx900"\n', '.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n')

"""A mnemonic that other targets have."""

from tests.support.check import check_diagnostics, check_silent


def test_the_targets_that_have_it_are_named() -> None:
    check_diagnostics(
        """
        v_mfma_f32_4x4x1f32 v[0:3], v4, v5, v[0:3]
        //<^^^^^^^^^^^^^^^^ error[unsupported-on-target]
        """
    )


def test_on_a_target_that_has_it() -> None:
    check_silent(
        """
        v_mfma_f32_4x4x1f32 v[0:3], v4, v5, v[0:3]
        """,
        target="gfx90a",
    )


def test_in_a_branch_for_another_target() -> None:
    check_silent(
        """
        .if .amdgcn.gfx_generation_number >= 10
          s_wait_loadcnt 0x0
        .endif
        """
    )

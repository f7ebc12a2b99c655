"""Fields of a kernel descriptor."""

from tests.support.check import check_diagnostics, check_silent


def test_a_value_out_of_range() -> None:
    check_diagnostics(
        """
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
          .amdhsa_ieee_mode 2
        //                  ^ error[descriptor-field]: 2
        .end_amdhsa_kernel
        """
    )


def test_a_name_that_is_none() -> None:
    check_diagnostics(
        """
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
          .amdhsa_next_free_wgpr 8
        //^^^^^^^^^^^^^^^^^^^^^^ error[descriptor-field]
        .end_amdhsa_kernel
        """
    )


def test_complete() -> None:
    check_silent(
        """
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
          .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .end_amdhsa_kernel
        """
    )

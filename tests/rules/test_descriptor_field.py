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


def test_what_is_required() -> None:
    check_diagnostics(
        """
        //- kernel.s target:gfx90a
        .amdhsa_kernel copy
        //<^^^^^^^^^^^^^^^^ error[descriptor-field]: `.amdhsa_accum_offset` is required
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


def test_a_field_twice() -> None:
    check_diagnostics(
        """
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_vgpr 8
        //^^^^^^^^^^^^^^^^^^^^^^^^ error[descriptor-field]: given twice
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


def test_a_kernel_twice() -> None:
    check_diagnostics(
        """
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        .amdhsa_kernel copy
        //<^^^^^^^^^^^^^^^^ error[descriptor-field]: already has a descriptor
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


def test_the_offset_of_the_agprs() -> None:
    check_diagnostics(
        """
        //- kernel.s target:gfx90a
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 64
          .amdhsa_next_free_sgpr 16
          .amdhsa_accum_offset 10
        //                     ^^ error[descriptor-field]: 4 to 256 in steps of 4
        .end_amdhsa_kernel
        .amdhsa_kernel other
          .amdhsa_next_free_vgpr 60
          .amdhsa_next_free_sgpr 16
          .amdhsa_accum_offset 64
        //                     ^^ error[descriptor-field]: beyond the 60 VGPRs
        .end_amdhsa_kernel
        """
    )


def test_fewer_user_sgprs_than_inputs() -> None:
    check_diagnostics(
        """
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
          .amdhsa_user_sgpr_count 1
        //                        ^ error[descriptor-field]: take 2 SGPRs
          .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .end_amdhsa_kernel
        """
    )


def test_more_registers_than_there_are() -> None:
    check_diagnostics(
        """
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 257
        //                       ^^^ error[descriptor-field]: 0 to 256
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


def test_nothing_but_fields() -> None:
    check_diagnostics(
        """
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .if 1
        //^^^^^ error[descriptor-field]: can hold only `.amdhsa_` fields
          .amdhsa_next_free_sgpr 16
          .endif
        //^^^^^^ error[descriptor-field]: can hold only `.amdhsa_` fields
        .end_amdhsa_kernel
        """
    )


def test_xnack_is_a_matter_of_the_target() -> None:
    text = """
        //- kernel.s target:gfx906{}
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
          .amdhsa_reserve_xnack_mask 0
        {}.end_amdhsa_kernel
        """
    check_silent(text.format(" mattr:-xnack", ""))
    finding = "//                           ^ error[descriptor-field]: XNACK is on or unspecified\n        "
    check_diagnostics(text.format("", finding))


def test_a_value_that_comes_late() -> None:
    check_silent(
        """
        .amdhsa_kernel copy
          .amdhsa_next_free_vgpr count
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        .set count, 8
        """
    )

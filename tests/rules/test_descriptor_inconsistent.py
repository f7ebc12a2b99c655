"""Fields of a descriptor that do not go together."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding, check_silent, findings


def rules(fields: str, target: str = "gfx900") -> list[tuple[str, str]]:
    lines = "\n".join(f".amdhsa_{field.strip()}" for field in fields.split(","))
    found = findings(f".amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n{lines}\n.end_amdhsa_kernel\n", target)
    return [(finding.rule, finding.severity.value) for finding in found]


WARNING = [("descriptor-inconsistent", "warning")]


def test_more_user_sgprs_than_inputs() -> None:
    check_diagnostics(
        """
        .amdhsa_kernel k
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
          .amdhsa_user_sgpr_kernarg_segment_ptr 1
          .amdhsa_user_sgpr_count 6
        //                        ^ information[descriptor-inconsistent]: fill 2 SGPRs
        .end_amdhsa_kernel
        """
    )


def test_padding_for_a_bug_of_gfx11() -> None:
    assert rules("next_free_sgpr 16, user_sgpr_count 15", "gfx1100") == []


def test_inputs_beyond_the_sgprs() -> None:
    inputs = (
        "user_sgpr_private_segment_buffer 1, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 1, user_sgpr_dispatch_id 1"
    )
    assert rules(f"next_free_sgpr 4, {inputs}") == [("descriptor-inconsistent", "information")]
    assert rules(f"next_free_sgpr 11, {inputs}") == []
    assert rules(f"next_free_sgpr 4, {inputs}", "gfx1030") == []


@pytest.mark.parametrize(
    ("target", "setup"),
    [
        ("gfx900", "system_sgpr_private_segment_wavefront_offset"),
        ("gfx1100", "enable_private_segment"),
    ],
)
def test_scratch_without_its_setup(target: str, setup: str) -> None:
    fields = "next_free_sgpr 16, private_segment_fixed_size 64"
    assert rules(fields, target) == WARNING
    assert rules(f"{fields}, {setup} 1", target) == []


def test_more_lds_than_there_is() -> None:
    assert rules("next_free_sgpr 16, group_segment_fixed_size 65536") == []
    assert rules("next_free_sgpr 16, group_segment_fixed_size 65540") == WARNING
    assert rules("next_free_sgpr 16, accum_offset 8, group_segment_fixed_size 65540", "gfx950") == []


def test_waves_of_another_size() -> None:
    assert rules("next_free_sgpr 16, wavefront_size32 0", "gfx1030") == WARNING
    assert rules("next_free_sgpr 16, wavefront_size32 1", "gfx1030") == []


def test_wrong_fields_are_told_once() -> None:
    assert rules("next_free_sgpr 200, group_segment_fixed_size 65540") == [("descriptor-field", "error")]


def test_what_only_the_build_knows() -> None:
    check_silent(
        """
        //- kernel.s target:gfx900 define:?
        .amdhsa_kernel k
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """.replace(" define:?", "")
    )
    assert rules("next_free_sgpr 16, group_segment_fixed_size lds") == []


PLACED = """
.text
{before}
copy:
  s_endpgm
.rodata
.amdhsa_kernel copy
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
"""


def test_a_kernel_that_the_hardware_cannot_start() -> None:
    text = PLACED.format(before="s_nop 0")
    (found,) = (each for each in findings(text, "gfx900") if each.rule == "descriptor-inconsistent")
    assert "`copy` begins at .text + 0x4" in found.message
    assert text.strip().splitlines()[found.where.line] == ".amdhsa_kernel copy"


@pytest.mark.parametrize(
    "before", ["", "s_nop 0\n.p2align 8", "s_nop 0\n.section .text.copy", "helper:\n.fill 64, 4, 0"]
)
def test_a_kernel_in_its_place(before: str) -> None:
    check_no_finding(PLACED.format(before=before), "descriptor-inconsistent", "gfx900")

"""Work-groups that are larger than the hardware runs."""

import pytest

from tests.support.check import check_no_finding, findings

RULE = "oversized-work-group"
METADATA = """
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: {most}
{more}
.end_amdgpu_metadata
"""


def text(target: str, most: str, required: str = "") -> str:
    more = f"    .reqd_workgroup_size: {required}" if required else ""
    return f"//- k.s target:{target}\n{METADATA.format(most=most, more=more)}"


@pytest.mark.parametrize(
    ("target", "most", "required", "said"),
    [
        ("gfx900", "2048", "", "`.max_flat_workgroup_size` of kernel `copy` is 2048; a work-group has at most 1024"),
        ("gfx1250", "1025", "", "is 1025; a work-group has at most 1024"),
        ("gfx900", "256", "[16, 32, 1]", "is 16 x 32 x 1 = 512; at most 256 fit"),
        ("gfx1100", "1024", "[1024, 2, 1]", "= 2048; at most 1024 fit"),
    ],
)
def test_too_large(target: str, most: str, required: str, said: str) -> None:
    (found,) = (each for each in findings(text(target, most, required)) if each.rule == RULE)
    assert said in found.message
    assert found.where.line > 1


@pytest.mark.parametrize(
    ("most", "required"),
    [("1024", ""), ("256", "[256, 1, 1]"), ("256", "[16, 16, 1]"), ("1024", "[n, 1, 1]"), ("many", "[4, 4, 1]")],
)
def test_silent(most: str, required: str) -> None:
    check_no_finding(text("gfx900", most, required), RULE)


def test_after_an_include_and_beside_a_macro() -> None:
    source = f"{text('gfx900', '2048')}\n//- other.inc\ns_nop 0\n".replace(
        "\n.amdgpu_metadata", '\n.include "other.inc"\n.macro none\n.endm\nnone\n.amdgpu_metadata', 1
    )
    assert [each.rule for each in findings(source) if each.rule == RULE] == [RULE]

"""Arguments in the metadata that overlap, or end beyond the segment."""

from tests.support.check import check_fix, check_no_finding, findings

RULE = "misplaced-argument"
KERNEL = """copy:
  s_endpgm
.rodata
.amdhsa_kernel copy
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 40
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
    .kernarg_segment_size: {}
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 46
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
{}.end_amdgpu_metadata
"""


def kernel(*offsets: int, size: int = 20, sizes: tuple[int, ...] = (8, 8, 4)) -> str:
    lines = (
        f"      - {{.offset: {offset}, .size: {each}, .value_kind: by_value}}\n"
        for offset, each in zip(offsets, sizes, strict=True)
    )
    return KERNEL.format(size, "".join(lines))


def told(text: str) -> list[str]:
    return [each.message for each in findings(text) if each.rule == RULE]


def test_a_pointer_in_the_middle_of_another_one() -> None:
    assert told(kernel(0, 4, 16)) == ["the argument at byte 4 overlaps the one of 8 bytes at 0"]
    (found,) = (each for each in findings(kernel(0, 4, 16)) if each.rule == RULE)
    assert (found.where.line, found.where.start, found.where.end) == (23, 18, 19)
    check_fix(kernel(0, 4, 16), kernel(0, 8, 16), rule=RULE)
    check_fix(kernel(0, 8, 12), kernel(0, 8, 16), rule=RULE)


def test_several_that_move_on() -> None:
    text = kernel(0, 4, 8, size=24, sizes=(8, 8, 8))
    assert len(told(text)) == 2
    check_fix(text, kernel(0, 8, 16, size=24, sizes=(8, 8, 8)), rule=RULE)


def test_no_fix_without_room() -> None:
    (found,) = (each for each in findings(kernel(0, 4, 12, size=16)) if each.rule == RULE)
    assert found.fixes == ()


def test_the_end_of_the_segment() -> None:
    assert told(kernel(0, 8, 16, size=16)) == ["the last argument ends at byte 20, but `.kernarg_segment_size` is 16"]


def test_arguments_with_gaps_and_in_any_order() -> None:
    for offsets in ((0, 8, 16), (8, 0, 16), (0, 8, 24)):
        check_no_finding(kernel(*offsets, size=64), RULE)

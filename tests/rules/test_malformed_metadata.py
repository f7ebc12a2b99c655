"""Metadata that the assembler does not accept."""

import pytest

from tests.support.check import check_diagnostics, check_silent, findings


def test_at_the_value() -> None:
    check_diagnostics(
        """
        .amdgpu_metadata
        amdhsa.version: [1, 2]
        amdhsa.kernels: copy
        //              ^^^^ error[malformed-metadata]: takes a list
        .end_amdgpu_metadata
        """
    )


def test_no_yaml() -> None:
    check_diagnostics(
        """
        .amdgpu_metadata
        amdhsa.version: [1, 2]
        amdhsa.kernels: }
        //              ^ error[malformed-metadata]: not valid YAML
        .end_amdgpu_metadata
        """
    )


def test_no_kernels() -> None:
    check_silent(".amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels: []\n.end_amdgpu_metadata\n")


def test_nothing_at_all() -> None:
    (finding,) = findings(".amdgpu_metadata\n.end_amdgpu_metadata\n")
    assert finding.rule == "malformed-metadata"


def test_in_a_macro_it_is_told_once() -> None:
    text = ".macro m version\n.amdgpu_metadata\namdhsa.version: \\version\n.end_amdgpu_metadata\n.endm\nm 1\nm 1\n"
    found = [finding for finding in findings(text) if finding.rule == "malformed-metadata"]
    assert {finding.where.line for finding in found} == {2}


BLOCK = """\
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
    .kernarg_segment_size: 0
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    {}
.end_amdgpu_metadata
"""


@pytest.mark.parametrize(
    "line",
    [
        *(";.args: - a: b", "// a: b: c", "/* a: b: c */", "/* a: b: c\n   d: e: f */", "# a: b: c"),
        *(".x: a ; b: c", ".x: a;b: c", '.x: "a//b" // c: d', ".x: 'a;b' ; c: d", ".x: it's; fine"),
    ],
)
def test_comments_of_the_assembler_are_not_part_of_it(line: str) -> None:
    check_silent(BLOCK.format(line))


def test_what_follows_a_comment_of_several_lines_is() -> None:
    assert [each.where.line for each in findings(BLOCK.format("/* a\n b */ : ]"))] == [14]

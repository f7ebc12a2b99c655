"""Directives that LLVM has dropped."""

import pytest

from gcn_lsp import rules
from gcn_lsp.findings.model import Finding
from gcn_lsp.text import edited
from tests.support import fixture
from tests.support.check import build

RULE = "former-directive"
OLD = """\
//- target:gfx900
.hsa_code_object_version 2, 1
.hsa_code_object_isa 9, 0, 0, "AMD", "AMDGPU" ; Vega
.hsatext
s_endpgm
"""
NEW = """\
.amdgcn_target "amdgcn-amd-amdhsa--gfx900" ; Vega
.text
s_endpgm
"""


def found(text: str) -> list[Finding]:
    return [finding for finding in rules.check(build(fixture.parse(text))) if finding.rule == RULE]


def test_a_file_has_one_finding_whose_related_places_are_the_others() -> None:
    (finding,) = found(OLD)
    assert (finding.where.line, finding.where.start) == (0, 0)
    assert finding.message == "LLVM 18 dropped `.hsa_code_object_version`: leave it out"
    assert [(each.where.line, each.message) for each in finding.related] == [
        (1, "`.hsa_code_object_isa`: use `.amdgcn_target`"),
        (2, "`.hsatext`: use `.text`"),
    ]


def test_the_fix_replaces_all_of_them() -> None:
    parsed = fixture.parse(OLD)
    (finding,) = found(OLD)
    assert edited(build(parsed).source, finding.fixes[0].edits).to_bytes().decode() == NEW
    assert found("//- target:gfx900\n" + NEW) == []


def test_a_second_target_is_not_written() -> None:
    text = '//- target:gfx900\n.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n.hsa_code_object_isa 9,0,0\ns_endpgm\n'
    (finding,) = found(text)
    assert [edit.new_text for edit in finding.fixes[0].edits] == [""]


@pytest.mark.parametrize(
    "rest",
    [
        ".amd_kernel_code_t\nis_ptr64 = 1\n.end_amd_kernel_code_t\n",
        ".amd_amdgpu_hsa_metadata\nVersion: [1, 0]\n.end_amd_amdgpu_hsa_metadata\n",
    ],
)
def test_there_is_no_fix_where_more_has_to_change(rest: str) -> None:
    (finding,) = found(f"//- target:gfx900\n.hsa_code_object_version 2,1\n{rest}s_endpgm\n")
    assert finding.fixes == ()


def test_the_header_of_a_kernel_is_named_with_its_successor() -> None:
    text = (
        "//- target:gfx900\n.hsa_code_object_isa\n.amd_kernel_code_t\nis_ptr64 = 1\n.end_amd_kernel_code_t\ns_endpgm\n"
    )
    assert "`.amdhsa_kernel`" in found(text)[0].message


def test_metadata_is_found_at_the_line_that_opens_it() -> None:
    text = "//- target:gfx900\ns_endpgm\n  .amdgpu_runtime_metadata\n  a: 1\n  .end_amdgpu_runtime_metadata\n"
    (finding,) = found(text)
    assert (finding.where.line, finding.where.start) == (1, 2)
    assert finding.message == "LLVM no longer knows `.amdgpu_runtime_metadata`: use `.amdgpu_metadata`"


def test_in_a_macro_the_calls_are_related_places() -> None:
    text = "//- target:gfx900\n.macro old\n.hsa_code_object_version 2,1\n.endm\nold\ns_endpgm\n"
    (finding,) = found(text)
    assert finding.where.line == 1
    assert [each.where.line for each in finding.related] == [3]
    assert finding.fixes == ()


@pytest.mark.parametrize("condition", ["ROCM_METADATA_VERSION == 2", "0"])
def test_a_branch_that_the_build_may_not_take_is_left_alone(condition: str) -> None:
    assert found(f"//- target:gfx900\n.if {condition}\n.hsa_code_object_version 2,1\n.endif\ns_endpgm\n") == []


@pytest.mark.parametrize(
    "text",
    [".amd_kernel_code_t\nis_ptr64 = 1\n.end_amd_kernel_code_t\n", '.amd_amdgpu_isa "amdgcn-amd-amdpal--gfx900"\n'],
)
def test_what_other_systems_have_is_left_alone(text: str) -> None:
    assert found(f"//- target:gfx900\n{text}s_endpgm\n") == []

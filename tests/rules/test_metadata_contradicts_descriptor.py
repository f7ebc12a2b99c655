"""Metadata that says something else than the descriptor."""

import pytest

from gcn_lsp.findings.model import Finding
from tests.support.check import check_fix, check_no_fix, check_silent, findings

DESCRIPTOR = """
        copy:
          s_endpgm
        .rodata
        .amdhsa_kernel copy
          .amdhsa_group_segment_fixed_size 4096
          .amdhsa_kernarg_size 24
          .amdhsa_next_free_vgpr 30
          .amdhsa_next_free_sgpr 40
        .end_amdhsa_kernel
"""
METADATA = """
        .amdgpu_metadata
        amdhsa.version: [1, 2]
        amdhsa.kernels:
          - .name: copy
            .symbol: copy.kd
            .kernarg_segment_size: 24
            .kernarg_segment_align: 8
            .group_segment_fixed_size: 4096
            .private_segment_fixed_size: 0
            .wavefront_size: 64
            .sgpr_count: 46
            .vgpr_count: 30
            .max_flat_workgroup_size: 256
        .end_amdgpu_metadata
"""


def changed(old: str, new: str, target: str = "gfx900") -> list[Finding]:
    assert old in DESCRIPTOR + METADATA
    return findings((DESCRIPTOR + METADATA).replace(old, new), target)


def test_nothing_contradicts() -> None:
    check_silent(DESCRIPTOR + METADATA)


@pytest.mark.parametrize(
    ("old", "new", "right", "severity"),
    [
        ("group_segment_fixed_size: 4096", "group_segment_fixed_size: 1024", "4096", "information"),
        ("group_segment_fixed_size: 4096", "group_segment_fixed_size: 8192", "8192", "warning"),
        ("kernarg_segment_size: 24", "kernarg_segment_size: 16", "24", "warning"),
        ("wavefront_size: 64", "wavefront_size: 32", "64", "warning"),
        ("sgpr_count: 46", "sgpr_count: 32", "46", "information"),
        ("sgpr_count: 46", "sgpr_count: 100", "46", "information"),
        ("vgpr_count: 30", "vgpr_count: 24", "30", "information"),
        ("vgpr_count: 30", "vgpr_count: 33", "30", "information"),
    ],
)
def test_a_contradiction(old: str, new: str, right: str, severity: str) -> None:
    (finding,) = changed(old, new)
    assert (finding.rule, finding.severity.value) == ("metadata-contradicts-descriptor", severity)
    assert finding.fixes[0].edits[0].new_text == right
    assert finding.related[0].where.line < finding.where.line


def test_less_lds_than_an_access_reaches() -> None:
    text = (DESCRIPTOR + METADATA).replace("fixed_size: 4096", "fixed_size: 1024")
    (finding,) = findings(text.replace("s_endpgm", "ds_write_b8 v0, v0 offset:1024\n s_endpgm"), "gfx900")
    assert (finding.rule, finding.severity.value) == ("metadata-contradicts-descriptor", "warning")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sgpr_count: 46", "sgpr_count: 40"),
        ("sgpr_count: 46", "sgpr_count: 48"),
        ("vgpr_count: 30", "vgpr_count: 32"),
        ("amdhsa_kernarg_size 24", "amdhsa_kernarg_size size"),
    ],
)
def test_what_may_differ(old: str, new: str) -> None:
    assert changed(old, new) == []


@pytest.mark.parametrize(
    ("key", "said", "right", "target"),
    [
        ("uses_dynamic_stack", "true", "false", "gfx900"),
        ("uses_dynamic_stack", "false", None, "gfx900"),
        ("workgroup_processor_mode", "0", "1", "gfx1030"),
        ("workgroup_processor_mode", "1", None, "gfx1030"),
    ],
)
def test_switches(key: str, said: str, right: "str | None", target: str) -> None:
    text = DESCRIPTOR + METADATA
    if target == "gfx1030":
        text = text.replace("wavefront_size: 64", "wavefront_size: 32")
    found = findings(
        text.replace("            .sgpr_count", f"            .{key}: {said}\n            .sgpr_count"), target
    )
    contradictions = [each for each in found if key in each.message]
    assert [each.fixes[0].edits[0].new_text for each in contradictions] == ([right] if right is not None else [])


@pytest.mark.parametrize(
    ("vgprs", "sgprs", "is_silent"),
    [(29, 59, True), (30, 59, False), (29, 58, False), (29, 96, True)],  # 4 VGPRs and 16 SGPRs a unit, 6 reserved
)
def test_the_descriptor_may_ask_for_more_to_keep_waves_out(vgprs: int, sgprs: int, is_silent: bool) -> None:
    text = DESCRIPTOR.replace("vgpr 30", f"vgpr {vgprs}").replace("sgpr 40", f"sgpr {sgprs}") + METADATA
    text = text.replace("vgpr_count: 30", "vgpr_count: 12").replace("sgpr_count: 46", "sgpr_count: 16")
    found = findings(text)
    assert [finding.rule for finding in found] == ([] if is_silent else ["metadata-contradicts-descriptor"])


@pytest.mark.parametrize(("sgprs", "is_silent"), [(1, True), (2, False)])
def test_the_descriptor_may_ask_for_one_register_where_there_is_none(sgprs: int, is_silent: bool) -> None:
    text = DESCRIPTOR.replace("sgpr 40", f"sgpr {sgprs}") + METADATA.replace("sgpr_count: 46", "sgpr_count: 0")
    assert (findings(text) == []) is is_silent


def test_another_kernel() -> None:
    assert changed(".symbol: copy.kd", ".symbol: other.kd") == []


def test_waves_of_32() -> None:
    (finding,) = changed("copy:", "copy: ", "gfx1030")
    assert "waves of 32 lanes" in finding.message


@pytest.mark.parametrize("counts", [(100, 36), (64, 36), (104, 40)])
def test_agprs_may_be_counted_or_not(counts: tuple[int, int]) -> None:
    vgprs, agprs = counts
    text = DESCRIPTOR.replace("vgpr 30", "vgpr 100\n          .amdhsa_accum_offset 64")
    check_silent(
        text + METADATA.replace("vgpr_count: 30", f"vgpr_count: {vgprs}\n            .agpr_count: {agprs}"), "gfx90a"
    )


def test_more_agprs_than_there_are() -> None:
    text = DESCRIPTOR.replace("vgpr 30", "vgpr 100\n          .amdhsa_accum_offset 64") + METADATA
    (finding,) = findings(text.replace("vgpr_count: 30", "vgpr_count: 100\n            .agpr_count: 64"), "gfx90a")
    assert "leaves 36" in finding.message


def test_the_fix() -> None:
    check_fix(DESCRIPTOR + METADATA.replace(": 4096", ": 1024"), DESCRIPTOR + METADATA)


def test_text_that_a_macro_pasted_is_not_changed() -> None:
    lines = METADATA.replace(": 4096", ": \\lds")
    check_no_fix(f"{DESCRIPTOR}\n.macro meta lds\n{lines}\n.endm\nmeta 1024\n")


def test_the_descriptor_can_be_changed_instead() -> None:
    (finding,) = changed("group_segment_fixed_size: 4096", "group_segment_fixed_size: 1024")
    change, other = finding.fixes
    assert change.title == "Change to `4096`"
    assert other.title == "Set `.amdhsa_group_segment_fixed_size` to 1024"
    assert [(edit.where.line, edit.new_text) for edit in other.edits] == [(4, "1024")]


def test_lds_that_the_descriptor_does_not_give() -> None:
    (finding,) = changed("  .amdhsa_group_segment_fixed_size 4096\n", "")
    assert (finding.rule, finding.severity.value) == ("metadata-contradicts-descriptor", "information")
    assert "no `.amdhsa_group_segment_fixed_size`" in finding.message
    assert not finding.fixes
    assert not changed("  .amdhsa_kernarg_size 24\n", "")


def test_a_shared_file_without_agprs_leaves_no_gap() -> None:
    text = DESCRIPTOR.replace("vgpr 30", "vgpr 10\n          .amdhsa_accum_offset 12") + METADATA
    (finding,) = findings(text.replace("vgpr_count: 30", "vgpr_count: 8"), "gfx90a")
    assert [fix.title for fix in finding.fixes] == ["Change to `10`"]
    for count in ("10", "12", "16"):
        check_silent(text.replace("vgpr_count: 30", f"vgpr_count: {count}"), "gfx90a")


@pytest.mark.parametrize(
    ("given", "first"), [("8192", "Set `.amdhsa_group_segment_fixed_size` to 8192"), ("1024", "Change to `4096`")]
)
def test_the_first_fix_gives_the_larger_size(given: str, first: str) -> None:
    (found,) = changed("group_segment_fixed_size: 4096", f"group_segment_fixed_size: {given}")
    assert found.fixes[0].title == first
    assert len(found.fixes) == 2

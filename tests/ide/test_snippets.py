"""The snippets: on every target they assemble, and nothing in them is reported."""

import re

import pytest

from gcn_lsp import isa
from gcn_lsp.findings.model import Severity
from gcn_lsp.ide import snippets
from tests.support import check, llvm, llvm_object


@pytest.mark.parametrize("name", isa.target_names())
def test_they_are_right_on_every_target(name: str) -> None:
    target = isa.load_target(name)
    for word, snippet in snippets.snippets(target).items():
        text = snippet.text
        if word == "amdhsa_kernel":
            text = f".text\nkernel:\n\ts_endpgm\n{text}"
        found = [each for each in check.findings(text + "\n", name) if each.severity is not Severity.HINT]
        alone = [each for each in found if each.rule != "missing-metadata" or word != "amdhsa_kernel"]
        assert alone == [], (word, text)


def test_the_kernel_can_be_launched() -> None:
    """Its metadata follow the placeholders of its descriptor."""
    text = snippets.snippets(isa.load_target("gfx90a"))["kernel"].body
    for field, key in (("kernarg_size", "kernarg_segment_size"), ("next_free_vgpr", "vgpr_count")):
        place = text.partition(f".amdhsa_{field} ${{")[2].partition(":")[0]
        assert f".{key}: ${{{place}}}\n" in text


def test_tab_goes_from_what_is_known_first_to_the_body() -> None:
    text = snippets.snippets(isa.load_target("gfx90a"))["kernel"].body
    places = sorted((int(number), before) for before, number in re.findall(r"(\S+) \$\{(\d+):", text))
    assert [before for _, before in places] == [
        ".globl",
        ".name:",  # of the argument
        ".amdhsa_kernarg_size",
        ".max_flat_workgroup_size:",
        ".amdhsa_system_vgpr_workitem_id",
        ".amdhsa_next_free_vgpr",
        ".amdhsa_accum_offset",
        ".amdhsa_next_free_sgpr",
        ".amdhsa_group_segment_fixed_size",
        ".amdhsa_private_segment_fixed_size",
    ]
    assert "${1}:\n\t$0\n" in text


def test_a_name_with_marks_of_snippets_is_escaped() -> None:
    target = isa.load_target("gfx900")
    assert "${1:kernel}" in snippets.snippets(target, "a$b")["amdhsa_kernel"].body


def test_the_kernel_is_for_the_target() -> None:
    unified, waves = (snippets.snippets(isa.load_target(name))["kernel"].body for name in ("gfx90a", "gfx1100"))
    assert "amdhsa--gfx90a" in unified
    assert ".amdhsa_accum_offset" in unified
    assert ".amdhsa_wavefront_size32 1" in waves
    assert "accum_offset" not in waves


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("name", ["gfx803", "gfx90a", "gfx1030", "gfx1250"])
def test_llvm_takes_the_kernel(name: str) -> None:
    text = snippets.snippets(isa.load_target(name))["kernel"].text
    assert llvm_object.assemble(text.encode() + b"\n", name).message == ""

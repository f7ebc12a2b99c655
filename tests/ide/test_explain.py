"""What there is a page about, and the page."""

import pytest

from gcn_lsp import isa
from gcn_lsp.ide import explain
from gcn_lsp.rules import RULES


def test_every_name_that_is_listed_has_a_page() -> None:
    target = isa.load_target("gfx90a")
    names = explain.names(target)
    assert {found.name for found in names if found.kind == "rule"} == set(RULES)
    assert {found.name for found in names if found.kind == "mnemonic"} == set(target.mnemonics)
    assert all(found.summary for found in names)
    for found in names[::50]:
        page = explain.explain(found.name, target)
        assert page is not None
        assert page.startswith(f"# {found.name}\n")


def test_an_idea_has_a_page_too() -> None:
    found = explain.page("bank", isa.load_target("gfx950"))
    assert found is not None
    assert "64 banks" in found
    assert explain.page("s_nop", None) == explain.explain("s_nop", None)
    assert explain.page("nothing", None) is None


def test_without_a_target_there_are_the_rules() -> None:
    assert {found.name for found in explain.names(None)} == set(RULES)


@pytest.mark.parametrize(
    ("target", "mnemonic", "row"),
    [
        # What is added to has the type of the result, whatever the sources are.
        ("gfx942", "v_mfma_f32_16x16x16_bf16", "4 VGPRs, f32 or an inline constant"),
        ("gfx942", "v_mfma_i32_32x32x4i8", "32 VGPRs, i32 or an inline constant"),
        ("gfx1250", "v_wmma_bf16f32_16x16x32_bf16", "8 VGPRs, f32 or an inline constant"),
        # A defect of gfx908: no constants.
        ("gfx908", "v_mfma_f32_32x32x8f16", "| `src2` | 16 AccVGPRs, f32 |"),
    ],
)
def test_what_a_matrix_instruction_adds_to(target: str, mnemonic: str, row: str) -> None:
    page = explain.explain(mnemonic, isa.load_target(target))
    assert page is not None
    assert row in page


def test_the_field_of_blgp_negates_doubles_since_gfx940() -> None:
    pages = {
        target: explain.explain("v_mfma_f64_16x16x4f64", isa.load_target(target)) or ""
        for target in ("gfx90a", "gfx942")
    }
    assert "[blgp:u3]" in pages["gfx90a"]
    assert "[neg:[a,b,c]]" in pages["gfx942"]
    assert "blgp:" not in pages["gfx942"]

"""The page of a mnemonic: made once for a mnemonic, a target and a form."""

from gcn_lsp import isa
from gcn_lsp.ide.describe import page, subject


def test_a_page_is_kept() -> None:
    target = isa.load_target("gfx90a")
    assert page.of("v_add_f32", target, None) is page.of("v_add_f32", target, None)
    form = target.forms("v_add_f32")[0]
    assert page.of("v_add_f32", target, form) is not page.of("v_add_f32", target, None)


def test_the_text_is_the_summary_and_the_body() -> None:
    target = isa.load_target("gfx90a")
    kept = page.of("v_add_f32", target, None)
    assert page.text(kept.subject) == f"{kept.summary}\n\n{kept.body}"
    assert page.source_of(kept.subject) in kept.end


def test_another_target_is_named_for_a_mnemonic_that_this_one_lacks() -> None:
    assert page.of("s_wait_alu", isa.load_target("gfx900"), None).end.startswith("gfx900 does not have this mnemonic; ")
    assert page.of("v_nothing", isa.load_target("gfx900"), None).end == "No supported target has this mnemonic."


def test_the_second_half_of_a_pair_has_the_syntax_of_pairs() -> None:
    about = subject.of("v_dual_and_b32", isa.load_target("gfx1100"))
    assert page.syntaxes(about) == ["v_dual_... :: v_dual_and_b32 vdstY, src0Y, vsrc1Y"]


def test_the_builtins_that_become_an_instruction() -> None:
    text = page.text(subject.of("v_perm_b32", isa.load_target("gfx90a")))
    assert "- `unsigned int __builtin_amdgcn_perm(unsigned int, unsigned int, unsigned int)`" in text
    assert "__builtin" not in page.text(subject.of("v_add_f32", isa.load_target("gfx90a")))

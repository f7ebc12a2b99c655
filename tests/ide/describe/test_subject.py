"""The subject of a page: forms, halves of pairs, documentation and sources of a mnemonic on a target."""

from gcn_lsp import isa
from gcn_lsp.ide.describe import subject


def test_forms_are_those_that_the_suffix_selects() -> None:
    about = subject.of("v_add_f32_e64", isa.load_target("gfx90a"))
    assert [form.variant for form in about.forms] == ["VOP3"]
    assert about.known == about.forms


def test_a_form_that_is_known_decides_alone() -> None:
    target = isa.load_target("gfx90a")
    short, long = target.forms("v_cndmask_b32")[:2]
    assert subject.of("v_cndmask_b32", target, short).known == (short,)
    assert subject.of("v_cndmask_b32", target, short).reads.sometimes == ()
    assert {short, long} <= set(subject.of("v_cndmask_b32", target).known)


def test_the_second_half_of_a_pair_has_no_form_of_its_own() -> None:
    about = subject.of("v_dual_and_b32", isa.load_target("gfx1100"))
    assert about.forms == ()
    assert about.known == about.halves != ()


def test_sources_are_those_of_the_target() -> None:
    assert any("CDNA2" in text.replace(" ", "") for text in subject.of("v_add_f32", isa.load_target("gfx90a")).sources)
    assert subject.of("v_add_f32", None).sources == ()


def test_a_mnemonic_that_the_target_lacks() -> None:
    about = subject.of("s_wait_alu", isa.load_target("gfx900"))
    assert (about.forms, about.halves, about.known) == ((), (), ())

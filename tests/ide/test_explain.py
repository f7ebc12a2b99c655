"""What there is a page about, and the page."""

from gcn_lsp import isa
from gcn_lsp.ide import explain
from gcn_lsp.rules.registry import RULES


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


def test_without_a_target_there_are_the_rules() -> None:
    assert {found.name for found in explain.names(None)} == set(RULES)

"""Facts of targets, and that code outside `isa` asks for nothing else."""

import re
from pathlib import Path

import pytest

import gcn_lsp
from gcn_lsp import isa
from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.facts import Fact, Facts
from gcn_lsp.isa.tables import reader

ROOT = Path(gcn_lsp.__file__).parent
SOURCES = [path for path in sorted(ROOT.rglob("*.py")) if path.relative_to(ROOT).parts[0] != "isa"]
TEXTS = {path: path.read_text(encoding="utf-8") for path in SOURCES}
NAMED = {name: fact for name, fact in vars(Facts).items() if isinstance(fact, Fact)}
FEATURES = reader.newest().implied_features.keys()

# A feature of LLVM in quotes, the number of a generation, a condition that is written where it is asked.
BY_NUMBER = re.compile(r'"!?Feature[A-Z0-9]|(?<!gfx_)generation_number|\b(?:has|holds|covers)\(\s*"!?gfx')


def test_only_isa_knows_features_and_generations() -> None:
    found = {str(path.relative_to(ROOT)): line for path, text in TEXTS.items() for line in text.splitlines()
             if BY_NUMBER.search(line)}  # fmt: skip
    assert found == {}, "make it a fact: isa/facts.py"


def test_the_search_finds_each_way_to_ask_by_number() -> None:
    asked = (
        'x.has("FeatureXNACK")',
        "target.generation_number",
        'holds("gfx10+", features)',
        '"!FeatureA" in features',
    )
    assert [text for text in asked if not BY_NUMBER.search(text)] == []
    assert BY_NUMBER.search(".amdgcn.gfx_generation_number") is None


@pytest.mark.parametrize("name", NAMED)
def test_a_fact_is_asked_for_and_differs_between_targets(name: str) -> None:
    assert any(re.search(rf"[.{chr(34)}]{name}\b", text) for text in TEXTS.values())
    switched = [isa.load_target("gfx90a", "+xnack"), isa.load_target("gfx1010", "+wavefrontsize64")]
    targets = [*map(isa.load_target, isa.target_names()), *switched]
    assert {getattr(target, name) for target in targets} == {True, False}
    assert all(getattr(target, name) is holds(NAMED[name].condition, target.features) for target in targets)


@pytest.mark.parametrize("name", NAMED)
def test_the_condition_of_a_fact_has_known_words(name: str) -> None:
    words = {word.lstrip("!") for word in re.split(r"[ |]", NAMED[name].condition)}
    assert {word for word in words if word.startswith("Feature")} <= FEATURES
    assert all(re.fullmatch(r"gfx[0-9a-f]+\+?|gfx\d+-\d+|Feature\w+", word) for word in words)

"""Conditions on targets: names, ranges of generations, exclusions, features."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import conditions, processors
from gcn_lsp.isa.documentation import counters, documents
from gcn_lsp.isa.tables import reader

NAMES = ("gfx1250", "gfx900", "gfx90a", "gfx9-generic", "gfx1200", "gfx1201")


@pytest.mark.parametrize(
    ("condition", "covered", "left_out"),
    [
        ("", "gfx600 gfx1251 gfx9-generic", ""),
        ("gfx9", "gfx900 gfx90a gfx942 gfx950 gfx9-generic gfx9-4-generic", "gfx803 gfx1010"),
        ("gfx94", "gfx942 gfx9-4-generic", "gfx950 gfx90a gfx9-generic"),
        ("gfx90a|gfx94", "gfx90a gfx942", "gfx908 gfx950"),
        ("gfx6-8", "gfx600 gfx705 gfx810", "gfx900"),
        ("gfx6-8|gfx12+", "gfx600 gfx810 gfx1250", "gfx900 gfx1100"),
        ("gfx10+", "gfx1010 gfx1100 gfx1250 gfx10-3-generic gfx12-generic", "gfx950"),
        ("gfx101", "gfx1010 gfx1013 gfx10-1-generic", "gfx1030 gfx10-3-generic gfx1100"),
        ("gfx12 !gfx125", "gfx1200 gfx12-generic", "gfx1250 gfx1100"),
        ("!gfx90a", "gfx908 gfx1250", "gfx90a"),
        ("gfx125", "gfx1250 gfx1251", "gfx1200"),
    ],
)
def test_covers(condition: str, covered: str, left_out: str) -> None:
    assert [name for name in covered.split() if not conditions.covers(condition, name)] == []
    assert [name for name in left_out.split() if conditions.covers(condition, name)] == []


def test_features_and_names_in_one_condition() -> None:
    condition = "gfx9|gfx12+ FeatureXNACK"
    assert conditions.holds(condition, isa.load_target("gfx90a", "+xnack").features)
    assert not conditions.holds(condition, isa.load_target("gfx90a", "-xnack").features)
    assert not conditions.holds(condition, isa.load_target("gfx1010", "+xnack").features)


def test_clauses_are_written_as_read() -> None:
    text = "FeatureGFX9Insts !FeatureGFX10Insts FeatureA|FeatureB"
    assert conditions.written(conditions.read(text)) == text


def test_every_target_has_a_generation() -> None:
    assert [name for name in isa.target_names() if not conditions.covers("gfx6-13", name)] == []


@pytest.mark.parametrize("condition", ["gfx", "nonsense", "gfx6-", "gfx9 90a", "!", "gfx9|nonsense", "!gfx6-8"])
def test_mistake_is_found(condition: str) -> None:
    with pytest.raises(ValueError, match="is not a target"):
        conditions.check(condition)


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"gfx9-generic", "gfx900", "gfx90a"}, "gfx9"),
        ({"gfx90a", "gfx1250"}, "gfx90a|gfx1250"),
        ({"gfx9-generic", "gfx900", "gfx1250"}, "gfx9|gfx1250 !gfx90a"),
        ({"gfx900", "gfx90a"}, "gfx9 !gfx9-generic"),
        ({"gfx900"}, "gfx900 !gfx9-generic"),
        ({"gfx90a", "gfx1200", "gfx1201", "gfx1250"}, "gfx90a|gfx12"),
    ],
)
def test_a_set_is_written_in_few_words_and_read_back(members: set[str], text: str) -> None:
    assert conditions.of_targets(members, processors.by_generation(NAMES)) == text
    assert conditions.targets(text, conditions.by_word(NAMES)) == tuple(sorted(members))
    assert {name for name in NAMES if conditions.covers(text, name)} == members


def test_reading_many_targets_at_once_agrees_with_asking_each() -> None:
    known = reader.newest().mnemonic_targets
    lines = dict(line.split("\t") for line in reader.newest().lines("mnemonics.tsv"))
    names = isa.target_names()
    for mnemonic, condition in list(lines.items())[::20]:
        assert known[mnemonic] == tuple(sorted(name for name in names if conditions.covers(condition, name)))


def test_counters_of_a_store() -> None:
    names = {name: counters.names(("store", "store-data", "translation"), name) for name in ("gfx600", "gfx900")}
    assert names == {"gfx600": ("vmcnt", "expcnt"), "gfx900": ("vmcnt",)}
    assert counters.names(("load", "lds", "translation"), "gfx1250") == ("loadcnt", "dscnt", "xcnt")


def test_every_target_but_the_newest_has_a_document() -> None:
    newest = {"gfx11-7-generic", "gfx1170", "gfx1171", "gfx1172", "gfx13-generic", "gfx1310"}
    assert {name for name in isa.target_names() if not documents.document(name)} == newest
    assert "Vega" in documents.document("gfx90c")
    assert "RDNA3.5" in documents.document("gfx1151")
    assert "RDNA3" in documents.document("gfx11-generic")

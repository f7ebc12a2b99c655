"""The notation for sets of targets."""

import pytest

from gcn_lsp.isa import target_sets

GENERATIONS = target_sets.by_generation(["gfx1250", "gfx900", "gfx90a", "gfx9-generic", "gfx1200", "gfx1201"])


def test_generations_come_oldest_first() -> None:
    assert GENERATIONS == {"gfx9": ("gfx9-generic", "gfx900", "gfx90a"), "gfx12": ("gfx1200", "gfx1201", "gfx1250")}


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"gfx9-generic", "gfx900", "gfx90a"}, "gfx9"),
        ({"gfx9-generic", "gfx90a", "gfx1250"}, "gfx9 -gfx900 gfx1250"),
        ({"gfx90a", "gfx1200", "gfx1201", "gfx1250"}, "gfx90a gfx12"),
        (set(), ""),
    ],
)
def test_a_set_is_written_in_few_words_and_read_back(members: set[str], text: str) -> None:
    assert target_sets.written(members, GENERATIONS) == text
    assert target_sets.read(text, GENERATIONS) == tuple(sorted(members))

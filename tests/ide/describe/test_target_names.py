"""What a target is, by any of its names."""

import pytest

from gcn_lsp.ide.describe import target_names


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("RDNA 5", "**gfx1310**: GFX13, RDNA 5"),
        ("rdna5", "AMD has no public document on gfx131x"),
        ("RDNA 4m", "**gfx1170**"),
        ("gfx1250", "Waves of 32 lanes."),
        ("gfx1310", "Waves of 32 or 64 lanes, 32 unless"),
        ("MI300X", "**gfx942**: GFX9, mi300, mi300a"),
        ("gfx942:xnack+", 'Described by AMD Instinct MI300 "CDNA3"'),
    ],
)
def test_a_target_by_its_names(topic: str, said: str) -> None:
    assert said in (target_names.describe(topic) or "")


def test_other_words_are_no_targets() -> None:
    assert target_names.describe("v_add_f32") is None
    assert target_names.describe("rdna") is None
    assert target_names.describe("") is None

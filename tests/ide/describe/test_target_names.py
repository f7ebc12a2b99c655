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


@pytest.mark.parametrize(
    ("topic", "rows"),
    [
        (
            "gfx803",
            [
                "| VGPRs of a wave at most | 256 |",
                "| waves of a SIMD at most | 10 |",
                "`s101`, allocated in blocks of 16",
            ],
        ),
        ("gfx908", ["256, and as many AccVGPRs", "| VGPRs are allocated in blocks of | 4 |", "65536 bytes"]),
        ("gfx942", ["| 512: 256 VGPRs and 256 AccVGPRs |", "blocks of | 8 |", "| SIMDs of a compute unit | 4 |"]),
        ("gfx950", ["163840 bytes, allocated in blocks of 1280"]),
        ("gfx1100", ["blocks of | 24 in waves of 32, 12 in waves of 64 |", "every wave has all of them", "| 16 |"]),
        ("gfx1250", ["| 1024, of which an operand names 256", "| work-items of a work-group at most | 1024 |"]),
    ],
)
def test_the_machine_in_numbers(topic: str, rows: list[str]) -> None:
    text = target_names.describe(topic) or ""
    for row in rows:
        assert row in text


def test_other_words_are_no_targets() -> None:
    assert target_names.describe("v_add_f32") is None
    assert target_names.describe("rdna") is None
    assert target_names.describe("") is None


@pytest.mark.parametrize(
    ("topic", "targets"),
    [
        ("RDNA 3", ("`gfx1100`", "`gfx1103`")),
        ("7900", ("**gfx1100**",)),
        ("Strix Halo", ("**gfx1151**",)),
        ("radeon", ("`gfx1100`", "`gfx1201`")),
    ],
)
def test_an_architecture_and_a_product_name_targets(topic: str, targets: tuple[str, ...]) -> None:
    text = target_names.describe(topic) or ""
    assert all(target in text for target in targets)
    assert "`gfx90a`" not in text

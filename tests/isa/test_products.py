"""What people read on the box leads to a target."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import products


def test_every_product_has_a_target() -> None:
    assert set(products.PRODUCTS) <= set(isa.target_names())


@pytest.mark.parametrize(
    ("printed", "targets"),
    [
        ("7900", ["gfx1100"]),
        ("9070", ["gfx1201"]),
        ("Vega 64", ["gfx900"]),
        ("Strix", ["gfx1150", "gfx1151"]),
        ("MI300X", ["gfx942"]),
        ("Steam Deck", ["gfx1033"]),
    ],
)
def test_a_product_is_found(printed: str, targets: list[str]) -> None:
    assert [name for name, found in products.PRODUCTS.items() if any(printed in each for each in found)] == targets


@pytest.mark.parametrize(
    ("target", "architecture"),
    [("gfx1100", "RDNA3"), ("gfx1151", "RDNA3.5"), ("gfx942", "CDNA3"), ("gfx906", "GCN5 Vega"), ("gfx1310", "")],
)
def test_the_architecture(target: str, architecture: str) -> None:
    assert products.architecture(target) == architecture

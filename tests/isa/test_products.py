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


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("rdna4", ("gfx1200", "gfx1201")),
        ("cdna", ("gfx908", "gfx90a", "gfx942", "gfx950")),
        ("gemm_mi300x.s", ("gfx942",)),
        ("MI250", ("gfx90a",)),
        ("rx-7900xtx", ("gfx1100",)),
        ("navi-31", ("gfx1100",)),
        ("gemm-vega64", ("gfx900",)),
        ("sgemm_4096.s", ()),
        ("vega", ()),
        ("w8a8", ()),
        ("v520", ()),
    ],
)
def test_what_the_name_of_a_folder_means(name: str, targets: tuple[str, ...]) -> None:
    assert products.meant_by(name) == targets

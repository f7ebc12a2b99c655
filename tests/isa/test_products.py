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


def test_a_list_offers_what_people_own_first() -> None:
    found = products.offered(isa.target_names())
    order = [name for names in found.values() for name in names]
    assert sorted(order, key=isa.target_names().index) == list(isa.target_names())
    assert order[:3] == ["gfx942", "gfx950", "gfx90a"]
    assert [heading for heading, names in found.items() if "gfx1151" in names] == ["GFX11"]
    assert set(found[products.UNSOLD_HEADING]).isdisjoint(products.PRODUCTS)
    assert "gfx1310" in found[products.UNSOLD_HEADING]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("7900", {"gfx1100": "Radeon RX 7900 XTX"}),
        ("rx7900xtx", {"gfx1100": "Radeon RX 7900 XTX"}),
        ("RX-9070", {"gfx1201": "Radeon RX 9070"}),
        ("mi300a", {"gfx942": "AMD Instinct MI300A"}),
        ("strix", {"gfx1151": "Strix Halo", "gfx1150": "Strix Point"}),
        ("rdna1", {"gfx1012": "RDNA1", "gfx1011": "RDNA1", "gfx1010": "RDNA1"}),
        ("xt", {}),
        ("gfx1234", {}),
    ],
)
def test_what_a_text_on_the_box_means(text: str, targets: dict[str, str]) -> None:
    assert products.sold_as(text) == targets


def test_the_sentence_of_what_may_be_meant() -> None:
    assert products.meant("7900") == "; did you mean gfx1100 (Radeon RX 7900 XTX)?"
    assert products.meant("strix") == "; did you mean gfx1151 (Strix Halo) or gfx1150 (Strix Point)?"
    assert products.meant("gfx1234") == ""

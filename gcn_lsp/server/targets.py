"""`gcn-lsp/targets`: the targets, for an editor's list."""

from typing import Any

from gcn_lsp import isa
from gcn_lsp.isa import products
from gcn_lsp.isa.target import other_names
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class TargetName(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """One of the targets, the heading of a list that it belongs under, its other names, and what is printed on the box.

    other_names: the architecture first, `RDNA3`.
    """

    name: str
    heading: str
    other_names: tuple[str, ...]
    products: tuple[str, ...]


def targets(snapshot: Snapshot, params: Any) -> list[TargetName]:
    """All targets, those that people most likely write for first."""
    return [
        TargetName(name, heading, _names(name), products.products(name))
        for heading, names in products.offered(isa.target_names()).items()
        for name in names
    ]


def _names(target: str) -> tuple[str, ...]:
    architecture = products.architecture(target)
    return (architecture, *other_names(target)) if architecture else other_names(target)

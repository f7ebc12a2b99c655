"""`gcn-lsp/targets`: the targets, for an editor's list."""

from typing import Any

from gcn_lsp import isa
from gcn_lsp.isa import products
from gcn_lsp.isa.target import generation, other_names
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class TargetName(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """One of the targets, its generation, as in `GFX9`, its other names, and what is printed on the box.

    other_names: the architecture first, `RDNA3`.
    """

    name: str
    generation: str
    other_names: tuple[str, ...]
    products: tuple[str, ...]


def targets(snapshot: Snapshot, params: Any) -> list[TargetName]:
    """All targets, the oldest first."""
    return [
        TargetName(name, generation(name).upper(), _names(name), products.products(name)) for name in isa.target_names()
    ]


def _names(target: str) -> tuple[str, ...]:
    architecture = products.architecture(target)
    return (architecture, *other_names(target)) if architecture else other_names(target)

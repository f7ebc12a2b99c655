"""`gcn-lsp/targets`: the targets, for an editor's list."""

from typing import Any

from gcn_lsp import isa
from gcn_lsp.isa.target import generation, other_names
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class TargetName(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """One of the targets, its generation, as in `GFX9`, and its other names."""

    name: str
    generation: str
    other_names: tuple[str, ...]


def targets(snapshot: Snapshot, params: Any) -> list[TargetName]:
    """All targets, the oldest first."""
    return [TargetName(name, generation(name).upper(), other_names(name)) for name in isa.target_names()]

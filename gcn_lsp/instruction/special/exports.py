"""Targets of `exp`: `mrt0`, `mrtz`, `null`, `pos0`, `prim`, `param0`, ... as the six bits of `tgt`."""

from gcn_lsp import isa
from gcn_lsp.isa.operands import exports


def code(name: str, target: isa.Target) -> tuple[int | None, bool]:
    """The code of the export target, None if it has none; and whether some GPU has it."""
    return exports.targets(target.features).get(name), name in exports.all_names()

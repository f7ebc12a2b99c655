"""Lists the targets that have a mnemonic in a short text: a generation as a whole if all its members have it."""

from collections.abc import Sequence
from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.ide import mnemonics
from gcn_lsp.isa.target import generation as generation_of


@lru_cache(maxsize=4096)
def having(mnemonic: str) -> str:
    """`GFX9 (without gfx900), GFX10`; `all`."""
    return summary(mnemonics.targets_with(mnemonic))


def summary(names: Sequence[str]) -> str:
    """The targets in `names`, grouped by generation."""
    wanted = frozenset(names)
    everything = isa.target_names()
    if wanted >= frozenset(everything):
        return "all"
    parts = []
    for generation, members in _generations().items():
        present = [name for name in members if name in wanted]
        absent = [name for name in members if name not in wanted]
        if not present:
            continue
        if not absent:
            parts.append(generation)
        elif len(absent) <= 3 and len(present) > len(absent):
            parts.append(f"{generation} (without {', '.join(absent)})")
        else:
            parts.append(" ".join(present))
    return ", ".join(parts)


@lru_cache(maxsize=1)
def _generations() -> dict[str, tuple[str, ...]]:
    """The targets by generation: `GFX9`, `GFX12`."""
    found: dict[str, list[str]] = {}
    for name in isa.target_names():
        found.setdefault(generation_of(name).upper(), []).append(name)
    return {generation: tuple(members) for generation, members in found.items()}

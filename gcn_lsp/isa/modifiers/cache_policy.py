"""Cache policies: flags (`glc slc dlc`, `sc0 nt sc1`, `nv`), and from gfx12 temporal hints and scopes.

The numbers are LLVM's `CPol`: the encoded bits of a policy, and above them the sort of a temporal hint.
"""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from gcn_lsp.isa.conditions import holds

GLC, SLC, DLC, SCC, NV, SCALE_OFFSET = 1, 2, 4, 16, 32, 2048
HINT_MASK, SCOPE_MASK, SCOPE_SHIFT = 0x7, 0x18, 3
LOAD, STORE, ATOMIC, REAL_BYPASS = 1 << 7, 1 << 8, 1 << 9, 1 << 10
"""Not encoded: the accesses that a hint is for. REAL_BYPASS: it is a `..._BYPASS`, whose number other hints share."""

_SPELLED_GLC = "gfx6-11 !gfx94 !gfx95"


class Flag(msgspec.Struct, frozen=True):
    """vector, scalar: the targets on which vector memory and scalar instructions accept it; None: on none."""

    name: str
    bit: int
    vector: str
    scalar: str | None = None


_EARLY: tuple[Flag, ...] = (
    Flag("glc", GLC, _SPELLED_GLC, "gfx8-11"),
    Flag("slc", SLC, _SPELLED_GLC),
    Flag("dlc", DLC, "gfx10-11", "gfx10-11"),
    Flag("scc", SCC, "gfx90a"),
)
_GFX940: tuple[Flag, ...] = (
    Flag("sc0", GLC, "gfx94|gfx95"),
    Flag("nt", SLC, "gfx94|gfx95"),
    Flag("sc1", SCC, "gfx94|gfx95"),
)
_GFX12: tuple[Flag, ...] = (
    Flag("nv", NV, "gfx125|gfx13+", "gfx125|gfx13+"),
    Flag("scale_offset", SCALE_OFFSET, "gfx125|gfx13+", "gfx125|gfx13+"),
)
EARLY_ROWS = (*_EARLY, *_GFX940)
"""The flags before gfx12."""
ROWS: tuple[Flag, ...] = (*EARLY_ROWS, *_GFX12)
SCALAR_FAMILIES = ("SMEM", "SMRD")
HINT_WORDS = ("th", "scope")
"""Modifiers that are also parts of a policy, from gfx12."""


def flags_of(family: str, features: frozenset[str]) -> Mapping[str, int]:
    """The flags that the forms of a family accept on a target, with their bits."""
    return flags(features, family in SCALAR_FAMILIES)


@lru_cache(maxsize=64)
def flags(features: frozenset[str], is_scalar: bool) -> Mapping[str, int]:
    """The flags that scalar or vector memory instructions of a target accept, with their bits."""
    conditions = ((row, row.scalar if is_scalar else row.vector) for row in ROWS)
    return {row.name: row.bit for row, where in conditions if where is not None and holds(where, features)}


@lru_cache(maxsize=64)
def vocabulary(features: frozenset[str], is_scalar: bool) -> Mapping[str, int]:
    """The flags by the names that a target reads: its own, and those of others in the same set of names."""
    if holds("gfx12+", features):
        rows = _GFX12
    else:
        rows = _GFX940 if holds("gfx94|gfx95", features) and not is_scalar else _EARLY
    return {row.name: row.bit for row in rows}


@lru_cache(maxsize=64)
def bits(features: frozenset[str]) -> int:
    """The bits of all flags of the target."""
    held = 0
    for bit in (*flags(features, True).values(), *flags(features, False).values()):
        held |= bit
    return held


SCOPES: Mapping[str, int] = {
    name: code << SCOPE_SHIFT for code, name in enumerate(("SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"))
}

# The rest of a name after TH_LOAD_, TH_STORE_ and TH_ATOMIC_.
_LOADS = {"RT": 0, "NT": 1, "HT": 2, "LU": 3, "BYPASS": 3 | REAL_BYPASS, "NT_RT": 4, "RT_NT": 5, "NT_HT": 6}
_STORES = {
    "RT": 0, "NT": 1, "HT": 2, "WB": 3, "BYPASS": 3 | REAL_BYPASS, "NT_RT": 4, "RT_NT": 5, "NT_HT": 6, "NT_WB": 7,
}  # fmt: skip
_ATOMICS = {"RT": 0, "RT_RETURN": 1, "RETURN": 1, "NT": 2, "NT_RETURN": 3, "CASCADE_RT": 4, "CASCADE_NT": 6}

ATOMIC_RETURN, BYPASS = 1, 3
"""Hints: the bit with which an atomic returns a value, and the number of `..._BYPASS`."""
NOT_FOR_SCALARS = (4, 5, 6)
"""Hints that scalar loads do not accept."""
SYSTEM_SCOPE = SCOPES["SCOPE_SYS"]
HINTS: Mapping[str, int] = {
    "TH_DEFAULT": 0,
    **{f"TH_LOAD_{name}": LOAD | hint for name, hint in _LOADS.items()},
    **{f"TH_STORE_{name}": STORE | hint for name, hint in _STORES.items()},
    **{f"TH_ATOMIC_{name}": ATOMIC | hint for name, hint in _ATOMICS.items()},
}

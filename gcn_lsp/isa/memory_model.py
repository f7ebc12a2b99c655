"""What a release and an acquire take on each target, at the scope of one device (agent), for global memory.

Source: LLVM's "User Guide for AMDGPU Backend", the memory model of each generation; a test compares it with what clang
makes of fences.
"""

import re
from typing import NamedTuple

from gcn_lsp.isa import conditions as on

WRITE_BACKS = "buffer_wbl2|global_wb|global_wbinv"
"""A pattern for the mnemonics that write caches back."""

INVALIDATES = "buffer_inv|buffer_invl2|buffer_wbinvl1|buffer_wbinvl1_vol|buffer_gl[01]_inv|global_inv"
"""A pattern for the mnemonics that invalidate caches of vector memory."""

BEHIND = ("buffer_gl1_inv", "buffer_invl2")
"""Those for a cache behind the one next to the wave, which need another one as well."""

BEYOND_GROUP = 16
"""The bit of a store's cache policy by which waves of other work-groups see it: `sc1`, `SCOPE_DEV`, `SCOPE_SYS`."""

_SCOPE = {on.GFX12_ON: 0x18, on.BEFORE_GFX12: 0x15}  # without what says only how long data are used: `slc`, `nt`, `th`

ALL_DEVICES = {"FeatureGFX940Insts": 17, on.GFX1250: 24}
"""Targets on which a store needs a write-back before others see it, with the bits of the policy for the system."""


class Sequence(NamedTuple):
    """What comes before the flag is written (release), and after it is read (acquire), in order."""

    release: tuple[str, ...]
    acquire: tuple[str, ...]


_LOADED = "s_waitcnt vmcnt(0)"
_STORED_GFX10 = "s_waitcnt_vscnt null, 0x0"
_LOADED_GFX12, _STORED_GFX12 = "s_wait_loadcnt 0x0", "s_wait_storecnt 0x0"
_INVALIDATE_GFX12 = "global_inv scope:SCOPE_DEV"

_ROWS: tuple[tuple[str, Sequence], ...] = (
    (
        on.GFX1250,
        Sequence(
            ("global_wb scope:SCOPE_DEV", _LOADED_GFX12, _STORED_GFX12),
            (_LOADED_GFX12, _INVALIDATE_GFX12, _LOADED_GFX12),
        ),
    ),
    (on.GFX12, Sequence((_LOADED_GFX12, _STORED_GFX12), (_LOADED_GFX12, _INVALIDATE_GFX12, _LOADED_GFX12))),
    (on.GFX10_TO_11, Sequence((_LOADED, _STORED_GFX10), (_LOADED, "buffer_gl1_inv", "buffer_gl0_inv"))),
    ("FeatureGFX940Insts", Sequence(("buffer_wbl2 sc1", _LOADED), (_LOADED, "buffer_inv sc1"))),
    (on.GFX7_ON, Sequence((_LOADED,), (_LOADED, "buffer_wbinvl1_vol"))),
    (on.ALL, Sequence((_LOADED,), (_LOADED, "buffer_wbinvl1"))),
)


_INVALIDATES = re.compile(INVALIDATES)


def is_invalidation(mnemonic: str) -> bool:
    """Whether an instruction invalidates caches of vector memory."""
    return _INVALIDATES.fullmatch(mnemonic) is not None


def is_within_group(mnemonic: str, policy: int) -> bool:
    """Whether a write-back is for no wave but those on the same CU: `global_wb scope:SCOPE_CU`.

    LLVM 23 begins each kernel of gfx1250 with it, before the first memory instruction.
    """
    return mnemonic.startswith("global_wb") and not policy & _SCOPE[on.GFX12_ON]


def scope(policy: int, features: frozenset[str]) -> int:
    """The bits of a cache policy that name a scope or bypass caches; 0 for an access of the wave or its work-group."""
    return policy & next(bits for condition, bits in _SCOPE.items() if on.holds(condition, features))


def write_back(policy: int, features: frozenset[str]) -> str:
    """The write-back that goes before a store with this cache policy; empty if the target or the scope needs none."""
    condition = next((each for each in ALL_DEVICES if on.holds(each, features)), "")
    if not condition or not policy & BEYOND_GROUP:
        return ""
    needed = sequence(features).release[0]
    is_for_all = policy & ALL_DEVICES[condition] == ALL_DEVICES[condition]
    return needed.replace(" sc1", " sc0 sc1").replace("_DEV", "_SYS") if is_for_all else needed


def sequence(features: frozenset[str]) -> Sequence:
    """The sequences of a target with these features."""
    return next(found for condition, found in _ROWS if on.holds(condition, features))

"""What a release and an acquire take on each target, at the scope of one device (agent), for global memory.

Source: LLVM's "User Guide for AMDGPU Backend", the memory model of each generation; a test compares it with what clang
makes of fences.
"""

from typing import NamedTuple

from gcn_lsp.isa import conditions as on


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


def sequence(features: frozenset[str]) -> Sequence:
    """The sequences of a target with these features."""
    return next(found for condition, found in _ROWS if on.holds(condition, features))

"""Memory instructions that access one half of a VGPR, though their operand names all of it.

Facts: the mnemonics say so. LLVM 23 relies on the halves being independent if one load follows another (it tracks 16
bits each), and so do all kernels of rocBLAS and hipBLASLt for gfx11 and gfx12: they store one half while the other is
being loaded. On targets with ECC in the register file (SRAMECC, before gfx10) a load of a half writes the whole.

The load of a half leaves the other half as it is, but on targets with `d16-write-vgpr32` "D16 instructions potentially
have 32-bit data dependencies": LLVM 23 has VALU instructions on the other half wait for the load (`determineVGPR16-
Dependency` of SIInsertWaitcnts.cpp; measured with `llc` on gfx1100, gfx1200, gfx1250), memory instructions not.
"""

from functools import lru_cache

from gcn_lsp.patterns import regex

TARGETS = "gfx10+"
WHOLE = "FeatureD16Writes32BitVgpr"
"""The targets on which instructions of the VALU wait for loads of the other half."""
LOWER, UPPER = "l", "h"
# Slots with data.
DATA = frozenset(("vdst", "vdata", "data0"))

_FAMILIES = "(?:buffer|flat|global|scratch)"
_UPPER = regex(r"\w+_d16_hi(?:_\w+)?")
_LOWER = regex(
    rf"ds_(?:read|load)_[iu](?:8|16)_d16|{_FAMILIES}_load_(?:[su]byte|short)_d16|{_FAMILIES}_load_d16_[biu](?:8|16)"
    rf"|ds_(?:write|store)_b(?:8|16)|{_FAMILIES}_store_(?:byte|short|b8|b16)"
)


@lru_cache(maxsize=1 << 12)
def half(mnemonic: str) -> str:
    """The half of its data register that an instruction accesses: `l`, `h`, or empty for more than a half."""
    return UPPER if _UPPER.fullmatch(mnemonic) else LOWER if _LOWER.fullmatch(mnemonic) else ""

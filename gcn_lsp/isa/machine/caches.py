"""The lines of the caches, in bytes, and how fast 64-bit floats are.

Sources: LLVM's features for the instruction cache and for 64-bit rates; AMD's white papers on GCN, CDNA 3 and RDNA for
the cache of vector memory and L2; the tables of caches in Linux's driver (`amdkfd`) for L2; the ISA documents' entry of
s_dcache_discard for that of scalar memory.
"""

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.operands import limits

_VECTOR: tuple[tuple[str, int], ...] = (("gfx94|gfx95", 128), ("gfx10+", 128), ("", 64))
_LEVEL_2: tuple[tuple[str, int], ...] = (("gfx90a|gfx94|gfx95", 128), ("gfx10+", 128), ("", 64))
_INSTRUCTIONS: tuple[tuple[str, int], ...] = (("FeatureInstCacheLineSize128", 128), ("", 64))
_DOUBLES: tuple[tuple[str, str], ...] = (
    ("FeatureFullRate64Ops", "as fast as those of 32 bits"),
    ("FeatureHalfRate64Ops", "half as fast as those of 32 bits"),
    ("", "a quarter as fast as those of 32 bits or slower"),
)


def lines(features: frozenset[str]) -> tuple[tuple[str, int], ...]:
    """Each cache, and the bytes of its line."""
    return (
        ("vector memory", _first(_VECTOR, features)),
        ("scalar memory", limits.SCALAR_CACHE_LINE),
        ("instructions", _first(_INSTRUCTIONS, features)),
        ("all of them: L2", _first(_LEVEL_2, features)),
    )


def doubles(features: frozenset[str]) -> str:
    """How fast additions, multiplications and fused multiplications of 64-bit floats are."""
    return next(said for condition, said in _DOUBLES if holds(condition, features))


def _first(rows: tuple[tuple[str, int], ...], features: frozenset[str]) -> int:
    return next(value for condition, value in rows if holds(condition, features))

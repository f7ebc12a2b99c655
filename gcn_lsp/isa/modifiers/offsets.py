"""Offsets of memory instructions: the range that fits into the encoding, by family and target."""

from functools import lru_cache

import msgspec

from gcn_lsp.isa.conditions import holds

BYTES, DWORDS = "bytes", "dwords"


class OffsetRange(msgspec.Struct, frozen=True):
    """The range of an instruction's offset: from low to high, in bytes unless `unit` says otherwise.

    tolerated: the largest value that LLVM accepts; a value above `high` silently loses its upper bits.
    """

    low: int
    high: int
    unit: str = BYTES
    tolerated: int = 0

    def holds(self, value: int) -> bool:
        """Whether the value can be encoded."""
        return self.low <= value <= self.high


def _signed(bits: int) -> OffsetRange:
    return OffsetRange(-(1 << bits - 1), (1 << bits - 1) - 1)


def _unsigned(bits: int) -> OffsetRange:
    return OffsetRange(0, (1 << bits) - 1)


# Family, targets, range; the first match counts. A scalar buffer load has no negative offset, see below.
_OFFSETS: tuple[tuple[str, str, OffsetRange], ...] = (
    ("DS", "", _unsigned(16)),
    ("MUBUF", "gfx12+", _unsigned(23)),
    ("MUBUF", "", OffsetRange(0, 0xFFF, tolerated=0xFFFF)),
    ("MTBUF", "gfx12+", _unsigned(23)),
    ("MTBUF", "", OffsetRange(0, 0xFFF, tolerated=0xFFFF)),
    ("FLAT", "gfx12+", _signed(24)),
    ("FLAT", "gfx10", _unsigned(11)),
    ("FLAT", "gfx9+", _unsigned(12)),
    ("FLAT", "", OffsetRange(0, 0)),
    ("GLOBAL", "gfx12+", _signed(24)),
    ("GLOBAL", "gfx10", _signed(12)),
    ("GLOBAL", "", _signed(13)),
    ("SCRATCH", "gfx12+", _signed(24)),
    ("SCRATCH", "gfx10", _signed(12)),
    ("SCRATCH", "", _signed(13)),
    ("SMRD", "", OffsetRange(0, 255, DWORDS)),
    ("SMEM", "gfx12+", _signed(24)),
    ("SMEM", "gfx9+", _signed(21)),
    ("SMEM", "", _unsigned(20)),
)


@lru_cache(maxsize=64)
def offset_range(family: str, features: frozenset[str], is_buffer: bool = False) -> OffsetRange | None:
    """The range of `offset:` (of the offset operand, for scalar loads) of a family; None if it has none.

    is_buffer: a scalar buffer instruction, whose offset is unsigned.
    """
    if family == "SMEM" and is_buffer and holds("gfx9+", features):
        return _unsigned(23 if holds("gfx12+", features) else 20)
    for name, condition, known in _OFFSETS:
        if name == family and holds(condition, features):
            return known
    return None

"""What memory holds that nothing has written: bytes made up, to see whether a result depends on them."""

from functools import cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from gcn_lsp.machine.memory import Offsets

_PERIOD = 1 << 16  # bytes after which the made-up ones repeat


class Leftovers(msgspec.Struct, frozen=True):
    """Bytes in place of the zeros that memory holds here at first.

    byte: all of them. seed: of random bytes instead, unless it is 0. steps: addresses of the instructions that see
    them; empty for all.
    """

    byte: int = 0
    seed: int = 0
    steps: frozenset[int] = frozenset()

    def words(self, step: int, offsets: Offsets, holes: "NDArray[np.bool_]") -> "NDArray[np.uint32]":
        """What an instruction reads in the bytes that nothing has written, as `Region.load` gives it; else 0."""
        lanes, size = holes.shape
        found = np.zeros((lanes, -(-size // 4) * 4), np.uint8)
        if not self.steps or step in self.steps:
            found[:, :size] = np.where(holes, self._bytes(offsets[:, None] + np.arange(size)), 0)
        return np.ascontiguousarray(found.view(np.uint32).T)

    def _bytes(self, places: Offsets) -> "NDArray[np.uint8]":
        if not self.seed:
            return np.full(places.shape, self.byte, np.uint8)
        found: NDArray[np.uint8] = _random(self.seed)[places % _PERIOD]
        return found


@cache
def _random(seed: int) -> "NDArray[np.uint8]":
    return np.random.default_rng(seed).integers(0, 256, _PERIOD, np.uint8)


KINDS = (Leftovers(seed=1), Leftovers(0x7B), Leftovers(0xFB), Leftovers(0xFF))
"""Enough to change whatever depends on them.

As integers and as floats of every size they are large, of either sign, or no number; in the last one each bit is 1.
"""

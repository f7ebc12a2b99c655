"""Sources whose lanes DPP permutes."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gcn_lsp.machine.registers import Mask, Words

_ROW = 16


class Permuted:
    """A permutation of lanes: where each lane reads, and whether there is such a lane.

    writes: the lanes that row_mask and bank_mask leave on. gives_zero: whether a lane without a source reads 0 and
    writes; otherwise it does not write. reads_inactive: whether lanes that are off can be read.
    """

    def __init__(
        self, sources: NDArray[np.int64], valid: Mask, writes: Mask, *, gives_zero: bool, reads_inactive: bool
    ) -> None:
        self._sources, self._valid, self._writes = sources, valid, writes
        self._gives_zero, self._reads_inactive = gives_zero, reads_inactive

    def fetched(self, row: Words, full: Mask, active: Mask) -> tuple[Words, Mask]:
        """The register as the instruction reads it, and the lanes that write. full: EXEC."""
        valid = self._valid if self._reads_inactive else self._valid & full[self._sources]
        value = np.where(valid, row[self._sources], np.uint32(0))
        writes = active & self._writes
        return value, writes if self._gives_zero else writes & valid


@cache
def dpp(control: int, lanes: int, row_mask: int, bank_mask: int, bound: bool, fetches_inactive: bool) -> Permuted:
    """The permutation of a `dpp_ctrl`."""
    lane = np.arange(lanes)
    row, place = lane & ~(_ROW - 1), lane & (_ROW - 1)
    amount = control & 15
    valid = np.ones(lanes, np.bool_)
    if control < 0x100:
        source = (lane & ~3) + np.array([control >> 2 * n & 3 for n in range(4)])[lane & 3]
    elif control < 0x110:  # row_shl
        source, valid = lane + amount, place + amount < _ROW
    elif control < 0x120:  # row_shr
        source, valid = lane - amount, place >= amount
    elif control < 0x130:
        source = row + (place - amount & 15)
    elif control in _WAVE:
        source, valid = _WAVE[control](lane, lanes)
    elif control == 0x140:
        source = row + 15 - place
    elif control == 0x141:
        source = (lane & ~7) + 7 - (lane & 7)
    elif control == 0x142:  # row_bcast:15
        source, valid = row - 1, row >= _ROW
    elif control == 0x143:  # row_bcast:31
        source, valid = (lane & ~31) - 1, lane >= 32
    elif control < 0x160:  # row_share, row_newbcast
        source = row + amount
    else:  # row_xmask
        source = row + (place ^ amount)
    writes = (row_mask >> (lane >> 4) & 1 & (bank_mask >> (lane >> 2 & 3))) == 1
    return Permuted(source % lanes, valid, writes, gives_zero=bound, reads_inactive=fetches_inactive)


_WAVE = {
    0x130: lambda lane, lanes: (lane + 1, lane + 1 < lanes),
    0x134: lambda lane, lanes: (lane + 1, lane >= 0),
    0x138: lambda lane, lanes: (lane - 1, lane >= 1),
    0x13C: lambda lane, lanes: (lane - 1, lane >= 0),
}


@cache
def dpp8(selects: int, lanes: int, fetches_inactive: bool) -> Permuted:
    """The permutation of `dpp8`: a lane of each group of eight for each of them; lanes that are off read as 0."""
    lane = np.arange(lanes)
    source = (lane & ~7) + np.array([selects >> 3 * n & 7 for n in range(8)])[lane & 7]
    all_lanes = np.ones(lanes, np.bool_)
    return Permuted(source, all_lanes, all_lanes, gives_zero=True, reads_inactive=fetches_inactive)

"""The registers of a wave as arrays: scalar ones by their hardware number, vector ones by number and lane."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]
Mask = NDArray[np.bool_]

VCC, EXEC = 106, 126
"""The hardware numbers of VCC and EXEC, which take two words each."""

_SCALARS = 128
_WORD = 0xFFFF_FFFF
_MODE_OF_KERNELS = 0x0000_03C0  # denormals kept, rounding to the nearest, DX10_CLAMP and IEEE set
_CACHED_MASKS = 4096

_masks: dict[tuple[int, int], Mask] = {}


def mask_of(bits: int, lanes: int) -> Mask:
    """A mask of lanes as an array of truth values, which is shared: never write to it."""
    found = _masks.get((bits, lanes))
    if found is None:
        if len(_masks) > _CACHED_MASKS:
            _masks.clear()
        found = np.unpackbits(np.array([bits], np.uint64).view(np.uint8), bitorder="little")[:lanes].astype(np.bool_)
        found.setflags(write=False)
        _masks[(bits, lanes)] = found
    return found


def bits_of(mask: Mask) -> int:
    """The bits of an array of truth values, lane 0 the lowest."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


class Wave:
    """The state of one wave.

    lanes: 32 or 64. sgprs: 128 words by the number in operand fields: SGPRs from 0, the trap registers, VCC at 106,
    M0 at 124 or 125, EXEC at 126. vgprs, accvgprs: [number][lane]. scc: 0 or 1. mode: the register MODE as `s_setreg`
    sees it. pc: the byte address of the instruction. hwregs: other hardware registers by number. fields: bits of
    STATUS and others that instructions write by name. written_sgprs, written_vgprs, written_accvgprs: what was
    written since the start; whoever sets up registers marks them. m0_number: where the target has M0 (124 until
    gfx10, 125 from gfx11).
    """

    def __init__(self, lanes: int, vgprs: int, accvgprs: int = 0, *, m0_number: int = 124) -> None:
        self.lanes = lanes
        self.sgprs: Words = np.zeros(_SCALARS, np.uint32)
        self.vgprs: Words = np.zeros((vgprs, lanes), np.uint32)
        self.accvgprs: Words = np.zeros((accvgprs, lanes), np.uint32)
        self.written_sgprs: Mask = np.zeros(_SCALARS, np.bool_)
        self.written_vgprs: Mask = np.zeros((vgprs, lanes), np.bool_)
        self.written_accvgprs: Mask = np.zeros((accvgprs, lanes), np.bool_)
        self.scc = 0
        self.mode = _MODE_OF_KERNELS
        self.pc = 0
        self.hwregs: dict[int, int] = {}
        self.fields: dict[str, int] = {}
        self.m0_number = m0_number
        self.exec = (1 << lanes) - 1

    @property
    def exec(self) -> int:
        """The lanes that are on, as bits."""
        return self.pair(EXEC)

    @exec.setter
    def exec(self, bits: int) -> None:
        self.set_pair(EXEC, bits)

    @property
    def exec_mask(self) -> Mask:
        """The lanes that are on, as a shared array."""
        return mask_of(self.pair(EXEC) & (1 << self.lanes) - 1, self.lanes)

    @property
    def vcc(self) -> int:
        """VCC as bits; in waves of 32 lanes its low word only."""
        return self.pair(VCC) & (1 << self.lanes) - 1

    @vcc.setter
    def vcc(self, bits: int) -> None:
        self.set_pair(VCC, bits)

    @property
    def m0(self) -> int:
        """M0."""
        return int(self.sgprs[self.m0_number])

    @m0.setter
    def m0(self, value: int) -> None:
        self.set_scalars(self.m0_number, (value,))

    def pair(self, number: int) -> int:
        """Two scalar registers from this number as an integer of 64 bits."""
        return int(self.sgprs[number]) | int(self.sgprs[number + 1]) << 32

    def set_pair(self, number: int, value: int) -> None:
        """Writes two scalar registers."""
        self.set_scalars(number, (value & _WORD, value >> 32 & _WORD))

    def scalars(self, number: int, count: int) -> int:
        """Scalar registers from this number as one integer, the first lowest."""
        if count == 1:
            return int(self.sgprs[number])
        return int.from_bytes(self.sgprs[number : number + count].tobytes(), "little")

    def set_scalars(self, number: int, words: Sequence[int]) -> None:
        """Writes scalar registers from this number, and marks them as written."""
        for place, word in enumerate(words, number):
            self.sgprs[place] = word & _WORD
            self.written_sgprs[place] = True

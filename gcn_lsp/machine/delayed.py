"""An instruction whose end is put off: it is carried out later, with the registers that it had at its start."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.machine.registers import EXEC, VCC, Mask, Wave, Words

Saved = tuple[NDArray[np.uint32], Words, Words, int]


class RegisterPlaces:
    """Registers of a set, as places in the arrays of a wave. halves: of VGPRs that are written in part, the bits."""

    def __init__(self, registers: int, ttmp_base: int, m0: int) -> None:
        scalars = list(sets.numbers(registers, "s"))
        scalars += [ttmp_base + number for number in sets.numbers(registers, "ttmp")]
        if registers & sets.VCC:
            scalars += [VCC, VCC + 1]
        if registers & sets.EXEC:
            scalars += [EXEC, EXEC + 1]
        if registers & sets.M0:
            scalars.append(m0)
        self.scalars = np.array(scalars, np.intp)
        self.vectors = np.array(list(sets.numbers(registers, "v")), np.intp)
        self.accumulators = np.array(list(sets.numbers(registers, "a")), np.intp)
        self.bits = np.array([_bits(registers, number) for number in self.vectors.tolist()], np.uint32)[:, None]
        self.is_partial = bool((self.bits != _WHOLE).any())

    def of(self, wave: Wave) -> Saved:
        """Copies of the registers, and SCC."""
        return wave.sgprs[self.scalars], wave.vgprs[self.vectors], wave.accvgprs[self.accumulators], wave.scc

    def put(self, wave: Wave, saved: Saved) -> None:
        """The registers as they were."""
        wave.sgprs[self.scalars], wave.vgprs[self.vectors] = saved[0], saved[1]
        wave.accvgprs[self.accumulators] = saved[2]
        wave.scc = saved[3]

    def put_results(self, wave: Wave, saved: Saved, mask: Mask) -> None:
        """The results of an instruction: in the lanes of `mask`, and in the halves that it writes."""
        wave.sgprs[self.scalars] = saved[0]
        if len(self.vectors):
            current = wave.vgprs[self.vectors]
            merged = (current & ~self.bits | saved[1] & self.bits) if self.is_partial else saved[1]
            wave.vgprs[self.vectors] = np.where(mask, merged, current)
        if len(self.accumulators):
            wave.accvgprs[self.accumulators] = np.where(mask, saved[2], wave.accvgprs[self.accumulators])


_WHOLE = 0xFFFF_FFFF


def _bits(registers: int, number: int) -> int:
    low = bool(registers & sets.of_tuple("v", number, 1, "l"))
    high = bool(registers & sets.of_tuple("v", number, 1, "h"))
    return (0xFFFF if low else 0) | (0xFFFF_0000 if high else 0)


class Delayed:
    """An instruction to be carried out later. path: of its accesses to memory, `vector`, `lds` or `scalar`."""

    def __init__(
        self, wave: Wave, reads: RegisterPlaces, writes: RegisterPlaces, path: str, execute: Callable[[], Any]
    ) -> None:
        self._wave = wave
        self._reads = reads
        self._writes = writes
        self.path = path
        self._execute = execute
        self._before = reads.of(wave)
        self._mask = wave.exec_mask
        self._exec = wave.exec
        self._results: Saved | None = None

    def perform(self) -> None:
        """Carry it out, and keep the results."""
        if self._results is not None:
            return
        wave = self._wave
        now, targets = self._reads.of(wave), self._writes.of(wave)
        place, lanes = wave.pc, wave.exec
        self._reads.put(wave, self._before)
        wave.exec = self._exec
        self._execute()
        self._results = self._writes.of(wave)
        self._writes.put(wave, targets)
        self._reads.put(wave, now)
        wave.pc, wave.exec = place, lanes

    def finish(self) -> None:
        """Put the results into the registers."""
        self.perform()
        assert self._results is not None
        self._writes.put_results(self._wave, self._results, self._mask)

"""Races between the waves of a work-group: two accesses to a place in LDS that nothing orders, one of them a write.

Each wave has a clock and knows up to which time of every other wave it is ordered behind it. A barrier makes the waves
that pass it know what those that arrived knew; an atomic passes this on with its address. An access is a race if the
earlier one of another wave has a time that this wave does not know.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.int64]
Places = NDArray[np.int64]

_NEVER = 0
_ALL_TIME = 1 << 62


class Conflict(NamedTuple):
    """A race. which: the first lane. wave: the other one. step: address of its instruction. wrote: the other wrote."""

    which: int
    wave: int
    step: int
    wrote: bool


class Clocks:
    """The clocks of the waves of a work-group: `known[w][u]` is the time of wave u that wave w is ordered behind."""

    def __init__(self, waves: int) -> None:
        self.known: Times = np.zeros((waves, waves + 1), np.int64)
        self.known[:, waves] = _ALL_TIME  # of places that no wave has accessed
        self.times: Times = np.ones(waves, np.int64)
        for wave in range(waves):
            self.known[wave, wave] = _ALL_TIME

    def released(self, wave: int) -> Times:
        """What others know once they are ordered behind what a wave has done so far; its time then goes on."""
        found: Times = self.known[wave].copy()
        found[wave] = self.times[wave]
        self.times[wave] += 1
        return found

    def acquire(self, wave: int, released: Times) -> None:
        """Order a wave behind that."""
        np.maximum(self.known[wave], released, out=self.known[wave])


class History:
    """The last accesses to each place in the LDS of a work-group."""

    def __init__(self, size: int, waves: int) -> None:
        self._shift = 2  # dwords, until an access is smaller
        count = -(-size // 4) + 1
        self._waves = waves
        self._writer = np.full(count, waves, np.int16)
        self._write_time = np.zeros(count, np.int64)
        self._write_step = np.zeros(count, np.int64)
        self._read_time = np.zeros((waves, count), np.int64)
        self._read_step = np.zeros((waves, count), np.int64)
        self._is_atomic = np.zeros(count, np.bool_)
        self._released: dict[int, Times] = {}

    def read(self, clocks: Clocks, wave: int, offsets: Places, size: int, step: int) -> "Conflict | None":
        """Note a read. step: the address of its instruction."""
        places, per_lane = self._places(offsets, size)
        found = self._unordered_write(clocks.known[wave], places, per_lane)
        self._read_time[wave, places] = clocks.times[wave]
        self._read_step[wave, places] = step
        return found

    def write(
        self, clocks: Clocks, wave: int, offsets: Places, size: int, step: int, *, is_atomic: bool = False
    ) -> "Conflict | None":
        """Note a write."""
        places, per_lane = self._places(offsets, size)
        if is_atomic:
            self._pass_on(clocks, wave, places)
        known = clocks.known[wave]
        found = self._unordered_write(known, places, per_lane, among_atomics=is_atomic)
        if found is None:
            late = self._read_time[:, places] > known[: self._waves, None]
            if late.any():
                other = int(late.any(axis=1).argmax())
                place = int(late[other].argmax())
                found = Conflict(place // per_lane, other, int(self._read_step[other, places[place]]), False)
        self._writer[places] = wave
        self._write_time[places] = clocks.times[wave]
        self._write_step[places] = step
        self._is_atomic[places] = is_atomic
        return found

    def _unordered_write(
        self, known: Times, places: Places, per_lane: int, *, among_atomics: bool = False
    ) -> "Conflict | None":
        late = self._write_time[places] > known[self._writer[places]]
        if among_atomics:
            late &= ~self._is_atomic[places]
        if not late.any():
            return None
        index = int(late.argmax())
        place = places[index]
        return Conflict(index // per_lane, int(self._writer[place]), int(self._write_step[place]), True)

    def _pass_on(self, clocks: Clocks, wave: int, places: Places) -> None:
        """An atomic knows what the earlier ones of its place knew, and the later ones know what it does."""
        for place in np.unique(places).tolist():
            earlier = self._released.get(place)
            if earlier is not None:
                clocks.acquire(wave, earlier)
        released = clocks.released(wave)
        for place in np.unique(places).tolist():
            earlier = self._released.get(place)
            self._released[place] = released if earlier is None else np.maximum(earlier, released)

    def _places(self, offsets: Places, size: int) -> tuple[Places, int]:
        """The places of an access, and how many each lane has, those of a lane side by side."""
        if self._shift and (size < 4 or bool((offsets & 3).any())):
            self._split()
        count = max(1, size >> self._shift)
        first = offsets >> self._shift
        if count == 1:
            return first, 1
        return (first[:, None] + np.arange(count)).reshape(-1), count

    def _split(self) -> None:
        """Count bytes from now on."""
        self._shift = 0
        for name in ("_writer", "_write_time", "_write_step", "_is_atomic"):
            setattr(self, name, np.repeat(getattr(self, name), 4))
        self._read_time = np.repeat(self._read_time, 4, axis=1)
        self._read_step = np.repeat(self._read_step, 4, axis=1)
        self._released = {4 * place + byte: times for place, times in self._released.items() for byte in range(4)}

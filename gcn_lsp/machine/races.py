"""Races between waves: two accesses to a place in LDS or memory that nothing orders, one of them a write.

Each wave has a clock and knows up to which time of every other wave it is ordered after it. A barrier makes the waves
that pass it know what those that arrived knew; an atomic passes this on with its address. An access is a race if the
earlier one of another wave has a time that this wave does not know.

Waves have numbers in the whole grid; column 0 of what is known stands for no wave.
"""

import numpy as np
from numpy.typing import NDArray

from gcn_lsp.records import NamedTuple

Times = NDArray[np.int64]
Places = NDArray[np.int64]

_ALL_TIME = 1 << 62


class Conflict(NamedTuple):
    """A race. which: the first lane. wave: the other one. step: address of its instruction. wrote: the other wrote."""

    which: int
    wave: int
    step: int
    wrote: bool


class Clocks:
    """The clocks of the waves of a work-group: `known[w][u + 1]` is the time of wave u that wave w is ordered after.

    first: the number of wave 0 in the grid. total: the waves of the grid, of which there are columns; 0 if those of
    other work-groups are not followed.
    """

    def __init__(self, waves: int, first: int = 0, total: int = 0) -> None:
        self.first = first
        self.waves = waves
        self.spans_grid = bool(total)
        self.known: Times = np.zeros((waves, 1 + max(total, first + waves)), np.int64)
        self.known[:, 0] = _ALL_TIME  # of places that no wave has accessed
        self.times: Times = np.ones(waves, np.int64)
        for wave in range(waves):
            self.known[wave, 1 + first + wave] = _ALL_TIME

    def released(self, wave: int) -> Times:
        """The knowledge of others that are ordered after all that a wave has done so far; its time then goes on."""
        found: Times = self.known[wave].copy()
        found[1 + self.first + wave] = self.times[wave]
        self.times[wave] += 1
        return found

    def acquire(self, wave: int, released: Times) -> None:
        """Order a wave after that."""
        np.maximum(self.known[wave], released, out=self.known[wave])


class _Writes:
    """The last writes to each place, and the places themselves: dwords, until an access is smaller."""

    def __init__(self, size: int) -> None:
        self._shift = 2
        count = -(-size // 4) + 1
        self._writer = np.zeros(count, np.int32)  # as columns
        self._write_time = np.zeros(count, np.int64)
        self._write_step = np.zeros(count, np.int64)
        self._is_atomic = np.zeros(count, np.bool_)

    def _note_write(self, clocks: Clocks, wave: int, places: Places, step: int, *, is_atomic: bool) -> None:
        self._writer[places] = 1 + clocks.first + wave
        self._write_time[places] = clocks.times[wave]
        self._write_step[places] = step
        self._is_atomic[places] = is_atomic

    def _unordered_write(
        self, clocks: Clocks, wave: int, places: Places, per_lane: int, *, among_atomics: bool = False
    ) -> "Conflict | None":
        late = self._write_time[places] > clocks.known[wave][self._writer[places]]
        if among_atomics:
            late &= ~self._is_atomic[places]
        if not late.any():
            return None
        index = int(late.argmax())
        place = places[index]
        return Conflict(index // per_lane, int(self._writer[place]) - 1, int(self._write_step[place]), True)

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


class History(_Writes):
    """The last accesses to each place in the LDS of a work-group."""

    def __init__(self, size: int, waves: int) -> None:
        super().__init__(size)
        self._read_time = np.zeros((waves, len(self._writer)), np.int64)
        self._read_step = np.zeros((waves, len(self._writer)), np.int64)
        self._released: dict[int, Times] = {}

    def read(self, clocks: Clocks, wave: int, offsets: Places, size: int, step: int) -> "Conflict | None":
        """Note a read. step: the address of its instruction."""
        places, per_lane = self._places(offsets, size)
        found = self._unordered_write(clocks, wave, places, per_lane)
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
        found = self._unordered_write(clocks, wave, places, per_lane, among_atomics=is_atomic)
        if found is None:
            own = clocks.known[wave][1 + clocks.first : 1 + clocks.first + clocks.waves]
            late = self._read_time[:, places] > own[:, None]
            if late.any():
                other = int(late.any(axis=1).argmax())
                place = int(late[other].argmax())
                step_there = int(self._read_step[other, places[place]])
                found = Conflict(place // per_lane, clocks.first + other, step_there, False)
        self._note_write(clocks, wave, places, step, is_atomic=is_atomic)
        return found

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

    def _split(self) -> None:
        super()._split()
        self._read_time = np.repeat(self._read_time, 4, axis=1)
        self._read_step = np.repeat(self._read_step, 4, axis=1)
        self._released = {4 * place + byte: times for place, times in self._released.items() for byte in range(4)}


class RegionHistory(_Writes):
    """The last accesses to each place of a region of memory; of reads the last one alone.

    Accesses of a scope beyond the work-group order waves as atomics do: one that reads is ordered behind all that the
    last writer has done. So a race that they hide is not found.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._reader = np.zeros(len(self._writer), np.int32)
        self._read_time = np.zeros(len(self._writer), np.int64)
        self._read_step = np.zeros(len(self._writer), np.int64)

    def read(self, clocks: Clocks, wave: int, offsets: Places, size: int, step: int) -> "Conflict | None":
        """Note a read. step: the address of its instruction."""
        places, per_lane = self._places(offsets, size)
        found = self._unordered_write(clocks, wave, places, per_lane)
        self._reader[places] = 1 + clocks.first + wave
        self._read_time[places] = clocks.times[wave]
        self._read_step[places] = step
        return found

    def write(self, clocks: Clocks, wave: int, offsets: Places, size: int, step: int) -> "Conflict | None":
        """Note a write."""
        places, per_lane = self._places(offsets, size)
        found = self._unordered_write(clocks, wave, places, per_lane)
        if found is None:
            late = self._read_time[places] > clocks.known[wave][self._reader[places]]
            if late.any():
                index = int(late.argmax())
                place = places[index]
                found = Conflict(index // per_lane, int(self._reader[place]) - 1, int(self._read_step[place]), False)
        self._note_write(clocks, wave, places, step, is_atomic=False)
        return found

    def synchronize(
        self, clocks: Clocks, wave: int, offsets: Places, size: int, step: int, released: "dict[int, Times]", base: int
    ) -> None:
        """Note an atomic, or another access that orders waves. released: what those of each address passed on."""
        places, per_lane = self._places(offsets, size)
        firsts = places[::per_lane]
        writers = np.unique(self._writer[firsts])
        for writer in writers.tolist():
            if writer:
                times = self._write_time[firsts[self._writer[firsts] == writer]]
                clocks.known[wave, writer] = max(int(clocks.known[wave, writer]), int(times.max()))
        addresses = (base + np.unique(offsets)).tolist()
        keys = addresses if len(released) + len(addresses) < _MOST_RELEASED else [0]
        for key in keys:
            earlier = released.get(key)
            if earlier is not None:
                clocks.acquire(wave, earlier)
        now = clocks.released(wave)
        for key in keys:
            earlier = released.get(key)
            released[key] = now if earlier is None else np.maximum(earlier, now)
        self._note_write(clocks, wave, places, step, is_atomic=True)

    def _split(self) -> None:
        super()._split()
        for name in ("_reader", "_read_time", "_read_step"):
            setattr(self, name, np.repeat(getattr(self, name), 4))


_MOST_RELEASED = 4096  # addresses; those beyond count as one, which hides races and invents none

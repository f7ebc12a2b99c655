"""The memory of the machine: regions of bytes with gaps between them, read and written for many lanes at once.

Addresses and offsets are arrays with one element for each lane that takes part. A value of `size` bytes is an array of
dwords, one row for each dword, one column for each lane; shorter values are extended with zeros.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gcn_lsp.machine.races import RegionHistory
from gcn_lsp.records import NamedTuple

Addresses = NDArray[np.uint64]
Offsets = NDArray[np.int64]
Dwords = NDArray[np.uint32]
Bytes = NDArray[np.uint8]

Watch = Callable[["Region", Offsets, "NDArray[np.intp] | None"], None]
"""Is told of an access before it: the region, the offsets in it, and of which addresses they are, if not of all."""

Space = Literal["global", "kernarg", "code", "scratch", "lds", "system"]
"""What a region is for."""

_FIRST = 0x7F00_0000_0000  # of the addresses that `allocate` gives
_GAP = 1 << 16  # bytes without memory after each region: what runs past its end meets nothing
_ALIGNMENT = 1 << 12


class Mishap(NamedTuple):
    """An access that memory cannot carry out.

    kind: `outside` every region, `read-only`. which: the first such lane among those that take part.
    address: its address. size: of the access in bytes. region: the one that it is in or the closest before it; None if
    there is none.
    """

    kind: str
    which: int
    address: int
    size: int
    region: "Region | None"


class Fault(Exception):
    """An access that stops the wave."""

    def __init__(self, mishap: Mishap) -> None:
        super().__init__(mishap.kind)
        self.mishap = mishap


class WatchedBytes:
    """Some bytes of a region, for a debugger that stops at writes. is_written: since it was reset."""

    def __init__(self, first: int, count: int) -> None:
        self._first, self._end = first, first + count
        self.is_written = False

    def note(self, offsets: Offsets, size: int) -> None:
        """Remember a write of `size` bytes at each of some offsets."""
        if not self.is_written:
            self.is_written = bool(((offsets < self._end) & (offsets + size > self._first)).any())


class Region:
    """Consecutive bytes with a name: an allocation, the LDS of a work-group, a section of the code.

    written: which bytes anything has written; None if all have a value from the start. history: who accessed it last,
    where races are looked for. watched: what a debugger watches.
    """

    def __init__(
        self,
        name: str,
        space: Space,
        base: int,
        contents: "int | bytes | Bytes",
        *,
        tracks: bool = False,
        is_read_only: bool = False,
    ) -> None:
        size = contents if isinstance(contents, int) else len(contents)
        self.name = name
        self.space: Space = space
        self.base = base
        self.size = size
        self.is_read_only = is_read_only
        self._all = np.zeros(-(-size // 8) * 8, np.uint8)
        if not isinstance(contents, int):
            self._all[:size] = np.frombuffer(contents, np.uint8) if isinstance(contents, bytes) else contents
        self._halves = self._all.view(np.uint16)
        self._words = self._all.view(np.uint32)
        self.written: NDArray[np.bool_] | None = np.zeros(len(self._all), np.bool_) if tracks else None
        self.history: RegionHistory | None = None
        self.watched: tuple[WatchedBytes, ...] = ()

    def __deepcopy__(self, memo: "dict[int, Any]") -> "Region":
        contents = self.data
        made = memo[id(self)] = Region(self.name, self.space, self.base, contents, is_read_only=self.is_read_only)
        made.written = None if self.written is None else self.written.copy()
        made.history = deepcopy(self.history, memo)
        return made  # nobody watches the copy yet

    @property
    def data(self) -> Bytes:
        """The bytes themselves."""
        return self._all[: self.size]

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.base + self.size

    def load(self, offsets: Offsets, size: int) -> Dwords:
        """The values at some offsets, all of which are inside."""
        if size % 4 == 0 and not (offsets & 3).any():
            words = offsets >> 2
            if size == 4:
                found: Dwords = self._words[words][None]
            else:
                found = self._words[words + np.arange(size // 4)[:, None]]
            return found
        if size == 1 or (size == 2 and not (offsets & 1).any()):
            small: Dwords = (self._all[offsets] if size == 1 else self._halves[offsets >> 1]).astype(np.uint32)
            return small[None]
        parts = self._all[offsets[:, None] + np.arange(size)]
        padded = np.zeros((len(offsets), -(-size // 4) * 4), np.uint8)
        padded[:, :size] = parts
        return np.ascontiguousarray(padded.view(np.uint32).T)

    def store(self, offsets: Offsets, size: int, values: Dwords) -> None:
        """Put values at some offsets, all of which are inside; of lanes with the same place the last wins."""
        for each in self.watched:
            each.note(offsets, size)
        if size % 4 == 0 and not (offsets & 3).any():
            words = offsets >> 2
            for number in range(size // 4):
                self._words[words + number] = values[number]
        elif size == 1:
            self._all[offsets] = values[0]
        elif size == 2 and not (offsets & 1).any():
            self._halves[offsets >> 1] = values[0]
        else:
            parts = np.ascontiguousarray(values.T).view(np.uint8)[:, :size]
            self._all[offsets[:, None] + np.arange(size)] = parts
        if self.written is not None:
            self.written[offsets[:, None] + np.arange(size)] = True

    def holes(self, offsets: Offsets, size: int) -> "NDArray[np.bool_]":
        """Which bytes of each lane nothing has written."""
        if self.written is None:
            return np.zeros((len(offsets), size), np.bool_)
        found: NDArray[np.bool_] = ~self.written[offsets[:, None] + np.arange(size)]
        return found

    def unwritten(self, offsets: Offsets, size: int) -> "int | None":
        """The first lane that reads a byte which nothing has written; None if there is none."""
        if self.written is None:
            return None
        if size % 4 == 0 and not (offsets & 3).any():
            bytes_of = self.written.view(np.uint32)[(offsets >> 2)[:, None] + np.arange(size // 4)]
            holes = bytes_of != _FOUR_WRITTEN
        else:
            holes = self.holes(offsets, size)
        if not holes.any():
            return None
        return int(holes.any(axis=1).argmax())


_FOUR_WRITTEN = 0x01010101


class Memory:
    """All memory that waves reach by 64-bit addresses."""

    def __init__(self) -> None:
        self._regions: list[Region] = []
        self._bases: list[int] = []
        self._last: Region | None = None
        self._next = _FIRST

    def __iter__(self) -> Iterator[Region]:
        return iter(self._regions)

    def allocate(
        self,
        name: str,
        space: Space,
        contents: "int | bytes | Bytes",
        *,
        tracks: bool = False,
        is_read_only: bool = False,
        base: int | None = None,
    ) -> Region:
        """A new region at an address of its own, or at `base`, where nothing else may be."""
        at = self._next if base is None else base
        region = Region(name, space, at, contents, tracks=tracks, is_read_only=is_read_only)
        if base is None:
            self._next = -(-(at + region.size + _GAP) // _ALIGNMENT) * _ALIGNMENT
        index = bisect_right(self._bases, at)
        self._regions.insert(index, region)
        self._bases.insert(index, at)
        return region

    def free(self, region: Region) -> None:
        """Take a region away: an access to its addresses is then outside every region."""
        index = self._regions.index(region)
        del self._regions[index], self._bases[index]
        if self._last is region:
            self._last = None

    def before(self, address: int) -> "Region | None":
        """The region with the highest base that is not above an address."""
        index = bisect_right(self._bases, address) - 1
        return self._regions[index] if index >= 0 else None

    def at(self, address: int, size: int = 1) -> "Region | None":
        """The region that holds all `size` bytes from an address."""
        found = self.before(address)
        return found if found is not None and address + size <= found.end else None

    def load(self, addresses: Addresses, size: int, watch: "Watch | None" = None) -> Dwords:
        """The values at some addresses. Raises Fault where one is not in a region."""
        region, offsets = self._one_region(addresses, size)
        if region is not None:
            if watch is not None:
                watch(region, offsets, None)
            return region.load(offsets, size)
        found = np.zeros((-(-size // 4), len(addresses)), np.uint32)
        for each, which in self._regions_of(addresses, size):
            offsets = (addresses[which] - np.uint64(each.base)).astype(np.int64)
            if watch is not None:
                watch(each, offsets, which)
            found[:, which] = each.load(offsets, size)
        return found

    def store(self, addresses: Addresses, size: int, values: Dwords, watch: "Watch | None" = None) -> None:
        """Put values at some addresses. Raises Fault where one is not in a region, or it cannot be written."""
        region, offsets = self._one_region(addresses, size)
        if region is not None:
            _check_writable(region, addresses, size, 0)
            if watch is not None:
                watch(region, offsets, None)
            region.store(offsets, size, values)
            return
        parts = list(self._regions_of(addresses, size))
        for each, which in parts:
            _check_writable(each, addresses, size, int(which[0]))
        for each, which in parts:
            offsets = (addresses[which] - np.uint64(each.base)).astype(np.int64)
            if watch is not None:
                watch(each, offsets, which)
            each.store(offsets, size, values[:, which])

    def read(self, address: int, size: int) -> bytes:
        """`size` bytes of one region. Raises Fault where they are not in one."""
        region = self.at(address, size)
        if region is None:
            raise Fault(Mishap("outside", 0, address, size, self.before(address)))
        start = address - region.base
        return region.data[start : start + size].tobytes()

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into one region, whatever it is for. Raises Fault where they are not in one."""
        region = self.at(address, len(data))
        if region is None:
            raise Fault(Mishap("outside", 0, address, len(data), self.before(address)))
        start = address - region.base
        region.data[start : start + len(data)] = np.frombuffer(data, np.uint8)
        for each in region.watched:
            each.note(np.array([start]), len(data))
        if region.written is not None:
            region.written[start : start + len(data)] = True

    def check_writable(self, address: int, size: int) -> None:
        """Raises Fault where the memory at an address is only to be read."""
        region = self.at(address, size)
        if region is not None:
            _check_writable(region, np.array([address], np.uint64), size, 0)

    def _one_region(self, addresses: Addresses, size: int) -> "tuple[Region | None, Offsets]":
        """The region with all of these addresses and the offsets in it; None where there is no single one."""
        if not len(addresses):
            return _NOWHERE, _NO_OFFSETS
        last = self._last
        if last is None or not last.base <= int(addresses[0]) < last.end:
            last = self._last = self.before(int(addresses[0]))
        if last is None or last.size < size:
            return None, _NO_OFFSETS
        offsets = addresses - np.uint64(last.base)  # below the base it wraps, and is too large
        if int(offsets.max()) > last.size - size:
            return None, _NO_OFFSETS
        return last, offsets.astype(np.int64)

    def _regions_of(self, addresses: Addresses, size: int) -> "Iterator[tuple[Region, NDArray[np.intp]]]":
        """Each region with some of these addresses, and which they are."""
        numbers = np.searchsorted(np.array(self._bases, np.uint64), addresses, side="right").astype(np.int64) - 1
        ends = np.array([0, *(region.end for region in self._regions)], np.uint64)[numbers + 1]
        is_out = (ends < size) | (ends - np.uint64(size) < addresses)
        if is_out.any():
            index = int(is_out.argmax())
            address = int(addresses[index])
            raise Fault(Mishap("outside", index, address, size, self.before(address)))
        for number in np.unique(numbers):
            yield self._regions[number], np.flatnonzero(numbers == number)


_NOWHERE = Region("nothing", "system", 0, 0)
_NO_OFFSETS: Offsets = np.zeros(0, np.int64)


def _check_writable(region: Region, addresses: Addresses, size: int, index: int) -> None:
    if region.is_read_only:
        raise Fault(Mishap("read-only", index, int(addresses[index]), size, region))

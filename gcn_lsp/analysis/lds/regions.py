"""The bytes of LDS that each wave of a work-group accesses, and whether those of two accesses meet.

Question: do two accesses certainly touch the same bytes, of one wave or of two?
May or must: must; addresses with different unknown parts are not compared.
Ignored: which lanes are switched off, but for accesses under different values of EXEC, which are not compared.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gcn_lsp.analysis.lds.words import Sharing, Word
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.isa.memory.lds_accesses import LdsAccess

Interval = tuple[int, int]  # from the first byte up to, but not including, the second
Intervals = tuple[Interval, ...]
_SIGN, _BITS = 1 << 31, 1 << 32


class Region(NamedTuple):
    """An access under one address: `offsets` are added to it, in bytes. exec_: a number for the value of EXEC."""

    address: Word
    access: LdsAccess
    offsets: tuple[int, ...]
    exec_: int


class WorkGroup(NamedTuple):
    """The sizes of a work-group and its waves, in work-items."""

    size: int
    wave: int

    @property
    def waves(self) -> int:
        """How many waves there are."""
        return -(-self.size // self.wave)


_by_wave: ByValue[tuple[Region, WorkGroup], tuple[Intervals, ...]] = ByValue(1 << 11)


def of_waves(region: Region, group: WorkGroup) -> tuple[Intervals, ...]:
    """The bytes that each wave accesses, without the unknown part of the address."""
    key = (region, group)
    known = _by_wave.get(key)
    if known is not None:
        return known
    found = []
    for wave in range(group.waves):
        lanes = range(wave * group.wave, min(group.size, (wave + 1) * group.wave))
        found.append(_merged(_of_lanes(region, lanes, group)))
    return _by_wave.keep(key, tuple(found))


def _of_lanes(region: Region, lanes: range, group: WorkGroup) -> Iterable[Interval]:
    address, access = region.address.lanes, region.access
    if access.base == "descriptor":
        lanes = lanes[:1]
    for lane in lanes:
        at = address if isinstance(address, int) else address[lane]
        if region.address.terms and at >= _SIGN:
            at -= _BITS
        at += access.stride * (lane % group.wave)
        for offset in region.offsets:
            yield at + offset, at + offset + access.width


def _merged(intervals: Iterable[Interval]) -> Intervals:
    found: list[Interval] = []
    for first, last in sorted(intervals):
        if found and first <= found[-1][1]:
            if last > found[-1][1]:
                found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return tuple(found)


def common(one: Intervals, other: Intervals) -> Intervals:
    """The bytes of both."""
    found = []
    mine = its = 0
    while mine < len(one) and its < len(other):
        first, last = max(one[mine][0], other[its][0]), min(one[mine][1], other[its][1])
        if first < last:
            found.append((first, last))
        if one[mine][1] < other[its][1]:
            mine += 1
        else:
            its += 1
    return tuple(found)


def without(one: Intervals, other: Intervals) -> Intervals:
    """The bytes of the first that are not of the second."""
    found = []
    for interval in one:
        first, last = interval
        for start, end in other:
            if end <= first or start >= last:
                continue
            if start > first:
                found.append((first, start))
            first = max(first, end)
        if first < last:
            found.append((first, last))
    return tuple(found)


class Meeting(NamedTuple):
    """How two accesses meet. own: in one wave; across: the second touches bytes of another wave's first."""

    own: bool
    across: bool


NOWHERE = Meeting(own=False, across=False)
_meetings: ByValue[tuple[Region, Region, tuple[Region, ...], WorkGroup], Meeting] = ByValue(1 << 12)


def are_comparable(one: Region, other: Region) -> bool:
    """Whether it is known where two accesses are relative to each other."""
    return one.address.terms == other.address.terms and one.exec_ == other.exec_


def meeting(written: Region, read: Region, also: tuple[Region, ...], group: WorkGroup) -> Meeting:
    """How what a wave writes and what a wave reads certainly meet.

    also: what each wave writes besides. Bytes that a wave reads after it has written them itself do not count as those
    of another wave: each wave may have its own part, or all may write the same.
    """
    if not are_comparable(written, read):
        return NOWHERE
    key = (written, read, also, group)
    known = _meetings.get(key)
    if known is None:
        known = _meetings.keep(key, _meeting(written, read, also, group))
    return known


def _meeting(written: Region, read: Region, also: tuple[Region, ...], group: WorkGroup) -> Meeting:
    scope = written.address.scope
    if scope is Sharing.LANE:
        return Meeting(own=_in_one_lane(written, read, group), across=False)
    writes, reads = of_waves(written, group), of_waves(read, group)
    own = any(common(one, other) for one, other in zip(writes, reads, strict=True))
    across = False
    if scope is Sharing.WORK_GROUP:
        others = [of_waves(each, group) for each in also if are_comparable(each, read)]
        for wave, its in enumerate(reads):
            left = without(its, writes[wave])
            for each in others:
                left = without(left, each[wave]) if left else left
            if left and any(common(left, each) for each in writes):
                across = True
                break
    return Meeting(own, across)


def _in_one_lane(written: Region, read: Region, group: WorkGroup) -> bool:
    one, other = (tuple(_of_lanes(each, range(group.size), group)) for each in (written, read))
    if len(written.offsets) != len(one) // group.size or len(read.offsets) != len(other) // group.size:
        return False
    steps = len(written.offsets), len(read.offsets)
    for lane in range(group.size):
        mine, its = (
            intervals[lane * step : (lane + 1) * step] for intervals, step in zip((one, other), steps, strict=True)
        )
        if any(first < end and start < last for first, last in mine for start, end in its):
            return True
    return False

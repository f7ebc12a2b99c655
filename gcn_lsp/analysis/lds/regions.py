"""The bytes of LDS that each wave of a work-group accesses, and whether those of two accesses meet.

Question: do two accesses certainly touch the same bytes, of one wave or of two?
May or must: must; addresses with different unknown parts are not compared.
Ignored: which lanes are switched off, where EXEC is neither a constant nor from a comparison of known words; then
accesses under other values are not compared. Which waves come to an access, but for branches on what certainly differs
between them.
"""

from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import chain, pairwise
from operator import or_

from gcn_lsp.analysis.lds.words import Lanes, Sharing, Word
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.isa.memory.lds_accesses import LdsAccess
from gcn_lsp.records import NamedTuple

Bytes = int  # a set, one bit for each byte
_SIGN, _BITS = 1 << 31, 1 << 32
FURTHEST = 1 << 18
"""Bytes; no LDS is larger."""


ALL_LANES = -1
ALL_WAVES = -1


class Region(NamedTuple):
    """An access under one address: `offsets` are added to it, in bytes.

    exec_: EXEC, below -1 one that is not known. waves: those that come here, one bit for each. lanes: the work-items
    that a comparison has left, one bit for each.
    """

    address: Word
    access: LdsAccess
    offsets: tuple[int, ...]
    exec_: int
    waves: int = ALL_WAVES
    lanes: int = ALL_LANES

    @property
    def is_whole(self) -> bool:
        """Whether no work-item is known to be left out."""
        return self.exec_ < 0 and self.waves == ALL_WAVES and self.lanes == ALL_LANES


class WorkGroup(NamedTuple):
    """The sizes of a work-group and its waves, in work-items."""

    size: int
    wave: int

    @property
    def waves(self) -> int:
        """How many waves there are."""
        return -(-self.size // self.wave)


_by_wave: ByValue[tuple[Region, WorkGroup], tuple[Bytes, ...]] = ByValue(1 << 8)  # of some 20 KB each


def of_waves(region: Region, group: WorkGroup) -> tuple[Bytes, ...]:
    """The bytes that each wave accesses, counted from far below the unknown part of the address."""
    key = (region, group)
    known = _by_wave.get(key)
    if known is not None:
        return known
    lanes_by_wave = _active(region.exec_, region.waves, region.lanes, group)
    return _by_wave.keep(key, tuple(_of_lanes(region, lanes, group) for lanes in lanes_by_wave))


@lru_cache(maxsize=1 << 10)
def furthest(region: Region, lanes: range, group: WorkGroup) -> "tuple[int, int] | None":
    """The byte after the furthest one that some lanes access, and the lane of it; None if that is not known.

    The address has no unknown part. Lanes beyond the work-group are those of larger ones: they are known if the address
    grows evenly.
    """
    address, access = region.address.lanes, region.access
    if access.base == "descriptor":
        return None
    most = max(region.offsets) + access.width
    count = min(len(lanes), group.size)
    starts = (address,) * count if isinstance(address, int) else address[:count]
    if len(lanes) > group.size:
        steps = {after - before for before, after in pairwise(starts)}
        is_even = region.exec_ == ALL_LANES and region.is_whole and not access.stride
        if not is_even or len(steps) != 1 or max(steps) < 1:
            return None
        return starts[0] + max(steps) * lanes[-1] + most, lanes[-1]
    if region.is_whole and not access.stride:
        end = max(starts)
        return end + most, count - 1 - starts[::-1].index(end)
    active = chain.from_iterable(_active(region.exec_, region.waves, region.lanes, group))
    ends = [(starts[lane] + access.stride * (lane % group.wave) + most, lane) for lane in active if lane < count]
    return max(ends, default=None)


def overlap(region: Region, lanes: range, group: WorkGroup) -> "tuple[int, int, int] | None":
    """Two of some lanes whose accesses cover each other in part, and how many bytes apart they are.

    None if there are none, or not enough is known. An access of an instruction with two offsets counts by itself.
    """
    address, access = region.address.lanes, region.access
    is_known = region.exec_ >= ALL_LANES and access.base == "vgpr" and not access.stride
    if not is_known or isinstance(address, int) or region.address.scope is Sharing.LANE:
        return None
    in_waves = _active(region.exec_, region.waves, region.lanes, group)
    apart = in_waves if region.address.scope is Sharing.WAVE else (tuple(chain.from_iterable(in_waves)),)
    for together in apart:
        of_place = {address[lane]: lane for lane in reversed(together) if lane in lanes}
        for before, after in pairwise(sorted(of_place)):
            if after - before < access.width:
                return of_place[before], of_place[after], after - before
    return None


def misplaced(region: Region, lanes: range, group: WorkGroup, needed: int) -> "int | None":
    """The first of some lanes whose address is no multiple of `needed`. The address has no unknown part."""
    address = region.address.lanes
    for lane in chain.from_iterable(_active(region.exec_, region.waves, region.lanes, group)):
        start = _of_lane(address, lane)
        if lane in lanes and any((start + offset) % needed for offset in region.offsets):
            return lane
    return None


def _of_lanes(region: Region, lanes: Sequence[int], group: WorkGroup) -> Bytes:
    """The bytes of some lanes of a wave; none of those outside any LDS."""
    address, access = region.address.lanes, region.access
    if access.base == "descriptor":
        lanes = lanes[:1]
    if not lanes:
        return 0
    if isinstance(address, int) and not access.stride:
        starts = {address}
    else:
        starts = {_of_lane(address, lane) + access.stride * (lane % group.wave) for lane in lanes}
    if region.address.terms:
        starts = {start - _BITS if start >= _SIGN else start for start in starts}
    origin = FURTHEST // 2 if region.address.terms else 0
    width = (1 << access.width) - 1
    first, last = min(starts), max(starts)
    if first + min(region.offsets) + origin < 0 or last + max(region.offsets) + origin >= FURTHEST:
        places = (start + offset + origin for start in starts for offset in region.offsets)
        return reduce(or_, (width << place for place in places if 0 <= place < FURTHEST), 0)
    # The lanes are near each other, and numbers of a few words are joined more quickly than those of all of LDS.
    pattern = reduce(or_, (width << start - first for start in starts))
    return reduce(or_, (pattern << first + offset + origin for offset in region.offsets))


@lru_cache(maxsize=64)
def _active(exec_: int, waves: int, remaining: int, group: WorkGroup) -> tuple[tuple[int, ...], ...]:
    """The lanes of each wave that take part in an access, by their numbers in the work-group."""
    return tuple(
        tuple(
            lane
            for lane in range(wave * group.wave, min(group.size, (wave + 1) * group.wave))
            if waves >> wave & 1 and remaining >> lane & 1 and (exec_ < 0 or exec_ >> lane % group.wave & 1)
        )
        for wave in range(group.waves)
    )


class Meeting(NamedTuple):
    """How two accesses meet. own: in one wave; across: the second touches bytes of another wave's first."""

    own: bool
    across: bool


NOWHERE = Meeting(own=False, across=False)
_meetings: ByValue[tuple[Region, Region, tuple[Region, ...] | None, WorkGroup], Meeting] = ByValue(1 << 16)


def are_comparable(one: Region, other: Region) -> bool:
    """Whether it is known where two accesses are relative to each other."""
    is_known = min(one.exec_, other.exec_) >= ALL_LANES
    return one.address.terms == other.address.terms and (is_known or one.exec_ == other.exec_)


def meeting(written: Region, read: Region, also: "tuple[Region, ...] | None", group: WorkGroup) -> Meeting:
    """How what a wave writes and what a wave reads certainly meet.

    also: what each wave writes besides. Bytes that a wave reads after it has written them itself do not count as those
    of another wave: each wave may have its own part, or all may write the same. None: the wave reads before it writes,
    so all bytes count.
    """
    if not are_comparable(written, read):
        return NOWHERE
    key = (written, read, also, group)
    known = _meetings.get(key)
    if known is None:
        known = NOWHERE if also and meeting(written, read, (), group) == NOWHERE else _meeting(*key)
        _meetings.keep(key, known)
    return known


def _meeting(written: Region, read: Region, also: "tuple[Region, ...] | None", group: WorkGroup) -> Meeting:
    scope = written.address.scope
    if scope is Sharing.LANE:
        return Meeting(own=_in_one_lane(written, read, group), across=False)
    writes, reads = of_waves(written, group), of_waves(read, group)
    own = any(one & other for one, other in zip(writes, reads, strict=True))
    if scope is not Sharing.WORK_GROUP:
        return Meeting(own, across=False)
    if also is None:
        across = any(reduce(or_, writes[:wave] + writes[wave + 1 :], 0) & its for wave, its in enumerate(reads))
        return Meeting(own, across)
    covered = [writes, *(of_waves(each, group) for each in also if are_comparable(each, read))]
    everything = reduce(or_, writes)
    across = False
    for wave, its in enumerate(reads):
        left = its & everything
        for each in covered:
            left &= ~each[wave] if left else left
        across |= bool(left)
    return Meeting(own, across)


def _in_one_lane(written: Region, read: Region, group: WorkGroup) -> bool:
    """Whether two accesses of a lane meet in any lane; the unknown parts of its addresses are equal."""
    if "descriptor" in (written.access.base, read.access.base):
        return False
    apart = read.access.stride - written.access.stride
    one, other = written.address.lanes, read.address.lanes
    is_whole = written.is_whole and read.is_whole
    if isinstance(one, int) and isinstance(other, int) and not apart and is_whole:
        distances = {other - one}
    else:
        exec_ = max(written.exec_, ALL_LANES) & max(read.exec_, ALL_LANES)
        both = _active(exec_, written.waves & read.waves, written.lanes & read.lanes, group)
        lanes = chain.from_iterable(both)
        distances = {_of_lane(other, lane) - _of_lane(one, lane) + apart * (lane % group.wave) for lane in lanes}
    return any(
        -read.access.width < (distance + _SIGN) % _BITS - _SIGN + mine - its < written.access.width
        for distance in distances
        for mine in read.offsets
        for its in written.offsets
    )


def _of_lane(lanes: Lanes, lane: int) -> int:
    return lanes if isinstance(lanes, int) else lanes[lane]

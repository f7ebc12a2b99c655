"""The bytes of accesses, worked out lane by lane, beside what `regions` works out for whole waves."""

import random

from gcn_lsp.analysis.lds import regions, words
from gcn_lsp.analysis.lds.regions import Region, WorkGroup
from gcn_lsp.analysis.lds.words import Sharing
from gcn_lsp.isa.memory.lds_accesses import Base, LdsAccess

_LDS = 1 << 18
_ATOM = words.unknown("base", Sharing.WORK_GROUP).terms
_STARTS = (0, 4, 60, 1 << 17, _LDS - 64, _LDS, (1 << 31) - 8, 1 << 31, (1 << 32) - 4)


def _lane_by_lane(region: Region, group: WorkGroup) -> list[dict[int, set[int]]]:
    """Where each lane that takes part begins to access LDS, for each wave."""
    found: list[dict[int, set[int]]] = [{} for _ in range(group.waves)]
    for lane in range(group.size):
        wave, inside = divmod(lane, group.wave)
        is_on = region.exec_ < 0 or region.exec_ >> inside & 1
        if not region.waves >> wave & 1 or not is_on or (region.access.base == "descriptor" and inside):
            continue
        lanes = region.address.lanes
        at = lanes if isinstance(lanes, int) else lanes[lane]
        if region.address.terms:
            at = at - (1 << 32) * (at >= 1 << 31) + _LDS // 2
        at += region.access.stride * inside
        found[wave][lane] = {at + offset for offset in region.offsets}
    return found


def _drawn(dice: random.Random, group: WorkGroup) -> Region:
    step, start = dice.choice((-4, 0, 1, 4, 16, 1028)), dice.choice(_STARTS)
    lanes = tuple((start + step * dice.choice((lane, lane, lane % 8))) % (1 << 32) for lane in range(group.size))
    bases: tuple[Base, ...] = ("vgpr", "m0", "descriptor")
    base = dice.choice(bases)
    return Region(
        words.of(lanes if dice.random() < 0.7 else start, dice.choice(((), _ATOM))),
        LdsAccess(base, reads=True, writes=False, width=dice.choice((1, 4, 16)), stride=dice.choice((0, 0, 4))),
        dice.choice(((0,), (16,), (0, 1024), (0, _LDS - 4))),
        -1 if base == "descriptor" else dice.choice((-3, -1, -1, 1, 0xF0F0, 0)),
        dice.choice((-1, -1, 1, 0b10)),
    )


def test_bytes_and_the_furthest_are_those_of_the_lanes() -> None:
    dice = random.Random(24)
    for _ in range(200):
        group = WorkGroup(dice.choice((1, 40, 64, 100, 256)), dice.choice((32, 64)))
        region = _drawn(dice, group)
        lanes, width = _lane_by_lane(region, group), region.access.width
        for found, bytes_ in zip(lanes, regions.of_waves(region, group), strict=True):
            starts = {start for each in found.values() for start in each if 0 <= start < _LDS}
            bits = f"{bytes_:b}"[::-1]
            made = {place for place in range(len(bits)) if bits[place] == "1"} if bytes_ else set()
            assert made == {start + byte for start in starts for byte in range(width)}, region
        if not region.address.terms and region.access.base != "descriptor":
            ends = [(max(each) + width, lane) for found in lanes for lane, each in found.items()]
            assert regions.furthest(region, range(group.size), group) == max(ends, default=None), region

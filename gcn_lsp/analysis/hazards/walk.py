"""Walks through the instructions of a segment with the dangers after the earlier ones.

Question: which instructions can earlier ones still harm, and how much has passed since those?
Direction: forward.
Lattice and join: sets of dangers by the site that caused them, each with its distance; the union, the shorter distance.
May or must: may; a hazard on some path is one.
Ignored: which path was taken; a call takes as long as any danger lasts.
"""

from collections.abc import Iterable

from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.hazards.profiles import Danger, Profile, Requirement, Triple
from gcn_lsp.flow.interned import Interned, Table, joined
from gcn_lsp.isa.hazards.model import ANY, NOP, SAME, Row, Separation
from gcn_lsp.records import NamedTuple


class Hazard(NamedTuple):
    """Two instructions too close together.

    first, second: the instructions. row: the rule. registers: those in which they meet. need, present: the required and
    the least actual distance on any path, in the row's unit.
    """

    first: Site
    second: Site
    row: Row
    registers: int
    need: int
    present: int


# A danger with the site that caused it, how much has passed since, and the removed instructions that it has passed.
Pending = tuple[Site, Danger, int, frozenset[Site]]


Firsts = tuple[tuple[int, int], ...]


class HazardState(Interned):
    """The dangers after the instructions so far.

    firsts: registers of the first of three, by their number in `Rows.triples`, ascending. busy: wait states for which
    the matrix unit accepts no other instruction.
    """

    __slots__ = ("busy", "pending", "firsts")

    def __init__(self, pending: frozenset[Pending], firsts: Firsts, busy: int) -> None:
        super().__init__()
        self.pending = pending
        self.firsts = firsts
        self.busy = busy


STATES = Table(HazardState)
NOTHING = STATES.state(frozenset(), (), 0)
_NO_SITES: frozenset[Site] = frozenset()


class SegmentHazards(NamedTuple):
    """The result of a segment for a state before it. needed: removed instructions whose absence causes a hazard."""

    after: HazardState
    hazards: tuple[Hazard, ...]
    needed: frozenset[Site]


class HazardSetting(NamedTuple):
    """What a walk depends on besides the instructions and the state.

    units: the number of units to count. present: classes of second instructions in the program: a danger to an absent
    class is not followed. without_nops: every `s_nop` counts as removed; without: so do these. triples: rows about
    three instructions.
    """

    units: int
    present: int
    without_nops: bool
    triples: tuple[Triple, ...]
    without: frozenset[Site] | None = None

    @property
    def is_trial(self) -> bool:
        """Whether the walk asks for the instructions that cannot be removed."""
        return self.without_nops or self.without is not None

    def removes(self, site: Site, profile: Profile) -> bool:
        """Whether an instruction counts as removed."""
        return (self.without_nops and profile.is_nop) or site in (self.without or _NO_SITES)


def join(first: HazardState, second: HazardState) -> HazardState:
    """The dangers of both, each at its shorter distance; `first` itself if that has them all."""
    return joined(first, second, _joined)


def _joined(first: HazardState, second: HazardState) -> HazardState:
    firsts = _union(first.firsts, second.firsts)
    busy = min(first.busy, second.busy)
    if second.pending <= first.pending:
        same = firsts == first.firsts and busy == first.busy
        return first if same else STATES.state(first.pending, firsts, busy)
    nearest: dict[tuple[Site, Danger], tuple[int, frozenset[Site]]] = {}
    for site, danger, passed, nops in first.pending | second.pending:
        known = nearest.get((site, danger), (passed, nops))
        nearest[(site, danger)] = min(passed, known[0]), nops | known[1] or _NO_SITES
    pending = frozenset((site, danger, passed, nops) for (site, danger), (passed, nops) in nearest.items())
    return STATES.state(pending, firsts, busy)


def _union(first: Firsts, second: Firsts) -> Firsts:
    if first == second or not second:
        return first
    found = dict(first)
    for number, mask in second:
        found[number] = found.get(number, 0) | mask
    return tuple(sorted(found.items()))


# An active danger: where it begins and ends, as counts of its unit; its registers; itself; its site; the `s_nop` that
# it has passed.
_Active = tuple[int, int, int, Danger, Site, frozenset[Site]]


def run(segment: Segment, profiles: tuple[Profile, ...], before: HazardState, setting: HazardSetting) -> SegmentHazards:
    """The dangers after a segment, and the hazards in it."""
    now = [0] * setting.units
    active = _entered(before)
    firsts = dict(before.firsts)
    found: list[Hazard] = []
    needed: set[Site] = set()
    free = before.busy  # when the matrix unit accepts the next instruction
    is_trial = setting.is_trial
    for site, known in zip(segment.sites, profiles, strict=True):
        profile = known
        if is_trial and setting.removes(site, profile):
            active = [_past(entry, profile, site) for entry in active]
            continue
        if is_trial and profile.guess is not None:
            profile = profile.guess  # it may need a removed instruction
        if active and profile.mask and _may_meet(active, profile):
            if is_trial:
                needed.update(*_missed(active, profile, now))
            else:
                hazards = _violated(active, profile, site, now)
                if hazards:
                    found += hazards
                    active = _fixed(active, hazards, now)
        if profile.overwrites and active:
            active = _overwritten(active, profile.overwrites, setting)
        if profile.passes and not is_trial:
            # The unit accepts an instruction after the passes of the one before.
            now[0] = max(now[0], free)
            free = now[0] + profile.passes
        active = _passed(active, profile, site, now, setting)
        if setting.triples:
            _follow_triples(active, firsts, profile, site, now, setting)
    is_guess = is_trial and bool(profiles) and profiles[-1].guess is not None
    is_over = (segment.flow == "call" and not is_guess) or not (active or firsts)  # a function takes time
    after = NOTHING if is_over else _after(active, firsts, now, free)
    return SegmentHazards(after, tuple(found), frozenset(needed) if needed else _NO_SITES)


def _entered(before: HazardState) -> list[_Active]:
    return [
        (-passed, danger.longest - passed, danger.mask, danger, site, nops)
        for site, danger, passed, nops in before.pending
    ]


def _after(active: list[_Active], firsts: dict[int, int], now: list[int], free: int) -> HazardState:
    pending = ((site, danger, now[danger.unit] - born, nops) for born, _, _, danger, site, nops in active)
    return STATES.state(frozenset(pending), tuple(sorted(firsts.items())), max(free - now[0], 0))


def _may_meet(active: list[_Active], profile: Profile) -> bool:
    """Whether an instruction can come too early for anything; most cannot."""
    mask, keys = profile.mask, profile.keys
    for entry in active:  # noqa: SIM110 (twice as fast as a generator, and the time goes here)
        if mask & entry[2] and keys & entry[3].keys:
            return True
    return False


def _passed(
    active: list[_Active], profile: Profile, site: Site, now: list[int], setting: HazardSetting
) -> list[_Active]:
    """The dangers after an instruction, including its own."""
    units = setting.units
    now[0] += profile.steps[0]
    for unit in range(1, units):
        now[unit] += profile.steps[unit]
    if active:
        if profile.marks:
            active = _marked(active, profile.marks)
        if units == 1:
            states = now[0]
            active = [entry for entry in active if entry[1] > states]
        else:
            active = [entry for entry in active if entry[1] > now[entry[3].unit]]
    for danger in profile.dangers:
        if danger.possible & setting.present:
            _add(active, danger, site, _NO_SITES, now)
    return active


def _add(active: list[_Active], danger: Danger, site: Site, nops: frozenset[Site], now: list[int]) -> None:
    """Add a danger and remove older ones that it makes redundant where time does not count."""
    if danger.is_endless:
        group, others = danger.group, ~danger.mask
        active[:] = [
            entry
            for entry in active
            if entry[3].group is not group or entry[2] & others or entry[3].through != danger.through
        ]
    elif danger.group.order:
        order, mask = danger.group.order, danger.mask
        active[:] = [
            entry if rest is entry[3] else (*entry[:2], rest.mask, rest, *entry[4:])
            for entry in active
            if (rest := entry[3].without(mask) if entry[3].group.order == order else entry[3]) is not None
        ]
    born = now[danger.unit]
    active.append((born, born + danger.longest, danger.mask, danger, site, nops))


def _overwritten(active: list[_Active], written: int, setting: HazardSetting) -> list[_Active]:
    """The dangers after an instruction that writes SGPRs.

    If `s_nop` counts as removed, only rows of three instructions use this: LLVM waits for earlier writes all the same,
    and a compiler's `s_nop` should not be reported as useless.
    """
    kept: list[_Active] = []
    for entry in active:
        danger = entry[3]
        group = danger.group
        if danger.mask & written and (group.is_triple or (group.until_written and not setting.without_nops)):
            rest = danger.without(written)
            if rest is not None:
                kept.append((*entry[:2], rest.mask, rest, *entry[4:]))
        else:
            kept.append(entry)
    return kept


def _marked(active: list[_Active], marks: int) -> list[_Active]:
    """The dangers after an instruction that may cancel or activate some; most do neither."""
    for entry in active:
        if (entry[3].cancels | entry[3].through) & marks:
            break
    else:
        return active
    kept: list[_Active] = []
    for entry in active:
        danger = entry[3]
        if danger.cancels & marks:
            continue
        kept.append((*entry[:3], danger.after_through(), *entry[4:]) if danger.through & marks else entry)
    return kept


def _follow_triples(
    active: list[_Active], firsts: dict[int, int], profile: Profile, site: Site, now: list[int], setting: HazardSetting
) -> None:
    """Update the rows of three instructions: a second one leaves a danger, another write removes it."""
    overwritten = profile.overwrites
    if overwritten:
        for number, triple in enumerate(setting.triples):
            mask = firsts.get(number, 0)
            written = 0
            if mask and profile.marks & triple.through:
                written = next(part for mark, part in profile.marked if mark == triple.through) & mask
            if written and triple.danger(written).possible & setting.present:
                _add(active, triple.danger(written), site, _NO_SITES, now)
            if mask & overwritten and not triple.group.stays:
                rest_mask = mask & ~overwritten
                if rest_mask:
                    firsts[number] = rest_mask
                else:
                    del firsts[number]
    for number, mask in profile.firsts:
        firsts[number] = firsts.get(number, 0) | mask


def _past(entry: _Active, nop: Profile, site: Site) -> _Active:
    """A danger after a removed instruction, noted if that would have changed the danger."""
    danger = entry[3]
    if danger.unit == 0 or (danger.cancels | danger.through) & nop.marks:
        return (*entry[:5], entry[5] | {site})
    return entry


def _missed(active: list[_Active], profile: Profile, now: list[int]) -> Iterable[frozenset[Site]]:
    """The removed instructions between an instruction and all that it comes too early for without them."""
    for born, _, registers, danger, _, nops in active:
        if nops and profile.mask & registers and profile.keys & danger.keys:
            present = now[danger.unit] - born
            if any(
                requirement.need > present and profile.keys & requirement.key and _meeting(requirement, profile, danger)
                for requirement in danger.requirements
            ):
                yield nops


def _violated(active: list[_Active], profile: Profile, site: Site, now: list[int]) -> list[Hazard]:
    """The hazards of an instruction: for each kind of fix those that miss the most.

    `active` is in no order, so of several that miss the same amount all are kept.
    """
    worst: dict[tuple[Separation, bool], list[Hazard]] = {}
    for born, _, registers, danger, first, _ in active:
        if not (profile.mask & registers and profile.keys & danger.keys):
            continue
        present = now[danger.unit] - born
        for requirement in danger.requirements:
            if requirement.need <= present or not profile.keys & requirement.key:
                continue
            way = requirement.row.fix, requirement.row.sure
            known = worst.get(way)
            most = known[0].need - known[0].present if known is not None else 0
            missing = requirement.need - present
            if missing < most:
                continue
            met = _meeting(requirement, profile, danger)
            if met and requirement.row.also is not None:
                met = _meeting_twice(requirement.row.also, profile, danger, present, active, now)
            if met:
                hazard = Hazard(first, site, requirement.row, met, requirement.need, present)
                if known is not None and missing == most:
                    known.append(hazard)
                else:
                    worst[way] = [hazard]
    return [hazard for hazards in worst.values() for hazard in hazards]


def _meeting_twice(
    limits: tuple[int, int], profile: Profile, danger: Danger, present: int, active: list[_Active], now: list[int]
) -> int:
    """The registers of a danger that one source of an instruction meets, if another source meets a later danger.

    limits: `Row.also`; present: units since the danger. Empty if there is no such other source.
    """
    most_since, most_before = limits
    later = [
        (mask, now[other.unit] - born)
        for born, _, mask, other, _, _ in active
        if other.group is danger.group and not other.is_after_through
    ]
    newer = 0
    for mask, _ in later:
        newer |= mask
    for one in profile.sources:
        if one & danger.mask and not one & newer:
            for mask, since in later:
                is_near = since <= most_since and present - 1 - since <= most_before
                if is_near and any(mask & other for other in profile.sources if other != one):
                    return one & danger.mask
    return 0


def _fixed(active: list[_Active], hazards: list[Hazard], now: list[int]) -> list[_Active]:
    """The dangers after these hazards are fixed: the walk continues as if they were."""
    fixes = {hazard.row.fix for hazard in hazards}
    if NOP in fixes:
        now[0] += max(hazard.need - hazard.present for hazard in hazards if hazard.row.fix == NOP)
    others = fixes - {NOP}
    return [entry for entry in active if not entry[3].keys or entry[3].group.fix not in others] if others else active


def _meeting(requirement: Requirement, profile: Profile, danger: Danger) -> int:
    """The registers in which two instructions meet as a row says; empty if they do not."""
    row = requirement.row
    if row.opcode and (requirement.form is profile.form) != (row.opcode == "same"):
        return 0
    for keys, mask in zip(profile.classes, profile.met, strict=True):
        if keys & requirement.key:
            met = mask & danger.mask
            if met and (row.overlap == ANY or (mask == danger.whole) == (row.overlap == SAME)):
                return met
    return 0

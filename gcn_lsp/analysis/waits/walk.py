"""Follows instructions with the operations in flight: what each issues, completes, and must wait for.

Question: what is in flight after a segment, and what in it must wait for which operation?
Direction: forward, through one segment, from one state of `waits.state`.
Lattice and join: as in `waits.waits`.
May or must: as in `waits.waits`.
Ignored: as in `waits.waits`.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Effects, Event
from gcn_lsp.analysis.waits.engine import Engine
from gcn_lsp.analysis.waits.state import DMA_DONE, LDS_WRITTEN, MANY, NO_LDS, UNKNOWN, Pending, WaitState
from gcn_lsp.flow.kept import recent
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.records import NamedTuple

# What has certainly happened to LDS, so that it need not be looked at any more.
_SEEN = DMA_DONE | LDS_WRITTEN

# The same hardware unit overwrites what it still reads for an older operation, and keeps the order without a wait.
_LATER_UNIT = "later in the same unit"


class Cause(NamedTuple):
    """An operation in flight that an instruction must wait for.

    overlap: registers that both touch; empty for data in LDS. access: `reads`, `overwrites`, or `reads LDS`. limit: the
    highest count of its counter at which it is done. in_order: whether that follows from its place in the order;
    otherwise `limit` is zero because the counter is out of order, for the reason of kind `disorder`.
    """

    pending: Pending
    counter: str
    overlap: int
    access: str
    limit: int
    in_order: bool
    disorder: str


class Missing(NamedTuple):
    """An instruction that must wait.

    needs: for each counter the highest sufficient count. causes: the operations to wait for, the youngest first.
    too_weak: the wait written for this with too high a count, None if there is none.
    """

    site: Site
    needs: tuple[tuple[str, int], ...]
    causes: tuple[Cause, ...]
    too_weak: Site | None


def lowest(*counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The lowest count of each counter, which is enough for all of them."""
    found: dict[str, int] = {}
    for counter, count in chain(*counts):
        found[counter] = min(count, found.get(counter, count))
    return found


class Passed(NamedTuple):
    """The result of one segment for one state: the state after it, and the findings on the way.

    redundant: waits that never wait, whatever the path.
    """

    after: WaitState
    missing: tuple[Missing, ...]
    redundant: tuple[Site, ...]


@recent(bounds.WAIT_STATES)
def pass_through(segment: Segment, state: WaitState, engine: Engine) -> Passed:
    """The result of a segment for a state, which belongs to one engine."""
    return pass_over_data(segment, state, engine, frozenset())


def pass_over_data(segment: Segment, state: WaitState, engine: Engine, behind: frozenset[Site]) -> Passed:
    """The result of a segment with data among its code. behind: the instructions with data before them."""
    walk = WaitWalk(engine, state)
    for site in segment.sites:
        if behind and site in behind:
            walk.forget()
        walk.step(site)
    after = engine.forgotten(state.lds) if segment.flow == "call" else walk.state()
    return Passed(after, tuple(walk.missing), tuple(walk.redundant))


class WaitWalk:
    """Goes through instructions one by one; ages count from the latest operation, so issuing one changes no entry.

    An entry's `age` is kept as minus its number in the order of issue, `issued` is the number of the last.
    """

    __slots__ = ("_engine", "_entries", "_issued", "_lds", "_most", "_watched", "missing", "redundant")

    def __init__(self, engine: Engine, state: WaitState) -> None:
        self._engine = engine
        self._entries: list[list[Pending]] = [list(entries) for entries in state.pending]
        self._issued = [0] * len(state.most)
        self._most = list(state.most)
        self._lds = state.lds
        self.missing: list[Missing] = []
        self.redundant: list[Site] = []
        self._watched = 0
        self._watch()

    def _watch(self) -> None:
        """Note which registers matter: those that an operation in flight holds."""
        watched = 0
        for entries in self._entries:
            for entry in entries:
                event = entry.raised
                watched |= event.writes | event.reads | event.others
        self._watched = watched

    def state(self) -> WaitState:
        """The state after the last step."""
        pending: list[tuple[Pending, ...]] = []
        lds = self._lds
        for counter, entries in enumerate(self._entries):
            issued = self._issued[counter]
            if not issued:
                pending.append(tuple(entries))
                continue
            limit = self._engine.maxima[counter]
            kept = _youngest(entries, issued)
            pending.append(self._capped(counter, kept, limit))
            if len(pending[-1]) < len(kept) and any(entry.age >= limit and _fills_lds(entry) for entry in kept):
                lds |= DMA_DONE
        return self._engine.state(tuple(pending), tuple(self._most), lds)

    def _capped(self, counter: int, entries: tuple[Pending, ...], limit: int) -> tuple[Pending, ...]:
        if not entries or max(entry.age for entry in entries) < limit or self._disorder(counter) is not None:
            return entries
        return tuple(entry for entry in entries if entry.age < limit)

    def step(self, site: Site) -> None:
        """Follow one instruction."""
        effects = site.effects
        if effects.waits and site not in self._engine.ignored:
            self._wait(site, effects.waits)
        if effects.is_any_wait:
            self.forget()
        if effects.settles:
            self._entries = [
                [entry for entry in entries if not _settles(site, entry.raised, entry.site)]
                for entries in self._entries
            ]
        if effects.touches & self._watched:
            self._check(site, effects)
        if effects.drains:
            self._entries[self._engine.index[effects.drains]] = []
        if effects.events:
            if self._lds & _SEEN != _SEEN:
                self._look_at_lds(site, effects)
            self._issue(site, effects)

    def in_flight(self) -> Iterator[tuple[str, Pending]]:
        """The operations in flight now, oldest first, each with its counter."""
        for counter, entries in enumerate(self._entries):
            aged = _youngest(entries, self._issued[counter])
            for entry in self._capped(counter, aged, self._engine.maxima[counter]):
                yield self._engine.counters[counter], entry

    # Waits

    def _wait(self, site: Site, waits: tuple[tuple[str, int], ...]) -> None:
        index = self._engine.index
        known = [(index[counter], count) for counter, count in waits if counter in index]
        if known and all(self._most[counter] <= count for counter, count in known):
            self.redundant.append(site)
        for counter, count in known:
            self.waited(counter, count, site)
            self._complete(counter, count, site)
        self._watch()

    def forget(self) -> None:
        """Continue as after code that is not in the file."""
        unknown = self._engine.forgotten(self._lds)
        self._entries = [list(entries) for entries in unknown.pending]
        self._issued = [0] * len(unknown.most)
        self._most, self._lds = list(unknown.most), unknown.lds
        self._watch()

    def _complete(self, counter: int, count: int, site: "Site | None") -> None:
        """Note that a counter is at most `count`, guaranteed by the wait `site`."""
        entries = self._entries[counter]
        issued = self._issued[counter]
        self._most[counter] = min(self._most[counter], count)
        if not entries:
            return
        if count == 0 or self._disorder(counter) is None:
            done = [entry for entry in entries if entry.age + issued >= count]
        else:
            done = self._overtaken(counter, count)
        if done and site is not None:
            self.settled(counter, done, site)
        if any(map(_fills_lds, done)):
            self._lds |= DMA_DONE
        gone = set(map(id, done))
        kept = [entry for entry in entries if id(entry) not in gone] if gone else entries
        if site is not None:
            kept = [Pending(entry.age, entry.site, entry.event, site, entry.age + issued) for entry in kept]
        self._entries[counter] = kept
        if done:
            self._translated(counter, done)

    def _overtaken(self, counter: int, count: int) -> list[Pending]:
        """The operations with `count` younger ones of their own kind, if that kind comes back in order.

        They are done even while others come back in any order.
        """
        entries = self._entries[counter]
        latest, length = _latest_alike(entries)
        done: list[Pending] = []
        younger: dict[str, int] = {}
        for entry in reversed(entries):
            kind = entry.raised.kind
            behind = younger.get(kind, 0) + (min(entry.age, length) if kind == latest and entry.age > 0 else 0)
            if behind >= count and self._engine.disorder(counter, frozenset((kind,))) is None:
                done.append(entry)
            if entry.age < 0:
                younger[kind] = behind + 1
        return done

    def waited(self, counter: int, count: int, site: Site) -> None:
        """Called at each wait before it completes anything; for derived analyses."""

    def is_unknown(self, counter: int) -> bool:
        """Whether operations issued by other code may be outstanding."""
        return self._most[counter] == UNKNOWN

    def settled(self, counter: int, done: list[Pending], site: Site) -> None:
        """Called when the wait `site` completes operations; for derived analyses."""

    def age_of(self, counter: int, entry: Pending) -> int:
        """How many operations younger than an entry its counter counts."""
        return entry.age + self._issued[counter]

    def _translated(self, counter: int, done: list[Pending]) -> None:
        """Complete the address translations of finished operations, and of all operations issued before them."""
        translation = self._engine.index.get(wait_events.TRANSLATION)
        if translation is None or translation == counter:
            return
        sites = {entry.site for entry in done}
        entries = self._entries[translation]
        last = max((number for number, entry in enumerate(entries) if entry.site in sites), default=-1)
        if last >= 0:
            ordered = self._disorder(translation) is None
            self._entries[translation] = (
                entries[last + 1 :] if ordered else [entry for entry in entries if entry.site not in sites]
            )

    def _disorder(self, counter: int) -> "str | None":
        kinds = frozenset([entry.raised.kind for entry in self._entries[counter]])
        if self._lds & NO_LDS and wait_events.FLAT in kinds:
            kinds = kinds - {wait_events.FLAT} | {wait_events.FLAT_ALONE}
        return self._engine.disorder(counter, kinds)

    # Checks

    def _check(self, site: Site, effects: Effects) -> None:
        causes: list[Cause] = []
        translated: list[tuple[int, Pending]] = []
        for counter, entries in enumerate(self._entries):
            for entry in entries:
                event = entry.raised
                if not (event.writes | event.reads | event.others) & effects.touches:
                    continue
                overlap, access = self._conflict(event, effects)
                if access == _LATER_UNIT:
                    translated.append((counter, entry))
                elif overlap and self._may_be_in_flight(counter, entry, site):
                    causes.append(self._cause(counter, entry, overlap, access))
        if causes:
            self._report(site, causes)
        for counter, entry in translated:
            # The unit continues only after this one has read its registers, and so have those issued before it.
            self._complete(counter, entry.age + self._issued[counter], None)

    def _kind(self, event: Event) -> str:
        """The kind of an event; in waves without LDS that of a load for FLAT."""
        return wait_events.FLAT_ALONE if self._lds & NO_LDS and event.kind == wait_events.FLAT else event.kind

    def _may_be_in_flight(self, counter: int, entry: Pending, site: Site) -> bool:
        known = self._engine.dependents.get(entry.site)
        return (known is None or site in known) and not self._is_forced_out(counter, entry)

    def _is_forced_out(self, counter: int, entry: Pending) -> bool:
        """Whether as many younger operations were issued as the counter can count, so that this one is done."""
        is_beyond = entry.age + self._issued[counter] >= self._engine.maxima[counter]
        return is_beyond and self._disorder(counter) is None

    def _conflict(self, event: Event, effects: Effects) -> tuple[int, str]:
        """The registers because of which an instruction must wait for an event, and what it does to them."""
        held = event.writes if effects.events else event.writes | event.others
        overlap = held & effects.reads
        if overlap:
            return overlap, "reads"
        overlap = held & effects.writes & ~registers.SCC
        if overlap:
            kind = self._kind(event)
            if kind in self._engine.ordered_writers:
                for own in effects.events:
                    if self._kind(own) == kind and own.counter == event.counter and not _may_overtake(own, effects):
                        overlap &= ~own.writes
            elif kind == wait_events.FLAT:
                for own in effects.events:
                    if own.kind in wait_events.BEHIND_FLAT and own.counter == event.counter:
                        overlap &= ~own.writes
            return overlap, "overwrites"
        overlap = event.reads & effects.writes
        if (
            overlap
            and event.kind not in wait_events.OUT_OF_ORDER
            and any(own.counter == event.counter and own.kind == event.kind for own in effects.events)
        ):
            return registers.NONE, _LATER_UNIT
        return overlap, "overwrites"

    def _cause(self, counter: int, entry: Pending, overlap: int, access: str) -> Cause:
        age = entry.age + self._issued[counter]
        disorder = self._disorder(counter)
        count = 0 if disorder is not None else min(age, self._engine.maxima[counter] - 1)
        name = self._engine.counters[counter]
        return Cause(entry._replace(age=age), name, overlap, access, count, disorder is None, disorder or "")

    def _report(self, site: Site, causes: list[Cause]) -> None:
        causes = self._without_translated(causes)
        needs = lowest((cause.counter, cause.limit) for cause in causes)
        causes.sort(key=lambda cause: cause.pending.age)
        deciding = [cause for cause in causes if cause.limit == needs[cause.counter]]
        waits = {cause.pending.wait for cause in deciding if cause.pending.age_at_wait == cause.pending.age}
        too_weak = waits.pop() if len(waits) == 1 and len(deciding) == len(causes) else None
        self.missing.append(Missing(site, tuple(sorted(needs.items())), tuple(causes), too_weak))
        # The walk continues as if that were fixed; but a wait that is missing makes no other wait redundant.
        most = self._most.copy()
        for counter, limit in needs.items():
            self._complete(self._engine.index[counter], limit, None)
        self._most = most
        self._watch()

    def _without_translated(self, causes: list[Cause]) -> list[Cause]:
        """The causes without translations that end with the other causes: those of the same or older operations."""
        translation = self._engine.index.get(wait_events.TRANSLATION)
        others = [cause for cause in causes if cause.counter != wait_events.TRANSLATION]
        if translation is None or not others or len(others) == len(causes):
            return causes
        waited = {cause.pending.site for cause in others}
        last = min((e.age for e in self._entries[translation] if e.site in waited), default=None)
        if last is None or self._disorder(translation) is not None:
            return causes
        last += self._issued[translation]
        return [cause for cause in causes if cause.counter != wait_events.TRANSLATION or cause.pending.age < last]

    # LDS that loads write to

    def _look_at_lds(self, site: Site, effects: Effects) -> None:
        for event in effects.events:
            if event.kind not in wait_events.LDS_COPIES:
                if event.row not in wait_events.LDS_ACCESSES or site.effects.is_lane_exchange:
                    continue
                if not event.writes:
                    self._lds |= LDS_WRITTEN
                    continue
            if self._lds & _SEEN:
                continue
            fills = [
                (counter, entry)
                for counter, entries in enumerate(self._entries)
                for entry in entries
                if _fills_lds(entry)
            ]
            if any(self._is_forced_out(counter, entry) for counter, entry in fills):
                self._lds |= DMA_DONE
                continue
            causes = [
                self._cause(counter, entry, registers.NONE, "reads LDS")
                for counter, entry in fills
                if self._may_be_in_flight(counter, entry, site)
            ]
            if causes:
                self._report(site, causes)

    # Issue

    def _issue(self, site: Site, effects: Effects) -> None:
        index = self._engine.index
        for number, event in enumerate(effects.events):
            counter = index[event.counter]
            if event.kind == wait_events.POSSIBLE:
                self._most[counter] = min(self._most[counter] + 1, MANY)
                continue
            if self._lds & NO_LDS and event.kind == wait_events.FLAT and event.counter == self._engine.lds:
                continue
            if event.counter == wait_events.TRANSLATION:
                # The hardware issues one kind only after the translations of the other are done.
                self._entries[counter] = [entry for entry in self._entries[counter] if entry.raised.kind == event.kind]
            self._issued[counter] += 1
            if self._most[counter] < MANY:
                self._most[counter] += 1
            self._entries[counter].append(Pending(-self._issued[counter], site, number, None, 0))
            self._watched |= event.writes | event.reads | event.others


def _youngest(entries: Iterable[Pending], issued: int) -> tuple[Pending, ...]:
    """Operations, oldest first, with their ages after so many issued; of those that a loop repeats the last."""
    youngest: dict[tuple[Site, int], Pending] = {}
    for entry in entries:
        youngest.pop((entry.site, entry.event), None)
        youngest[(entry.site, entry.event)] = entry
    return tuple(
        Pending(entry.age + issued, entry.site, entry.event, entry.wait, entry.age_at_wait)
        for entry in youngest.values()
    )


def _fills_lds(entry: Pending) -> bool:
    return entry.raised.kind in wait_events.LDS_FILLS


def _latest_alike(entries: list[Pending]) -> tuple[str, int]:
    """The kind of the last operations that were issued before this segment, and how many they are on every path.

    They are the same on every path if each age has one operation: what is issued later than one in flight is so too.
    """
    by_age: dict[int, list[str]] = {}
    for entry in entries:
        by_age.setdefault(entry.age, []).append(entry.raised.kind)
    latest = by_age.get(0, [])
    length = 0
    while len(latest) == 1 and by_age.get(length) == latest:
        length += 1
    return (latest[0], length) if length else ("", 0)


def _settles(site: Site, raised: Event, raiser: Site) -> bool:
    """Whether an instruction completes an event by its kind: that of a barrier only if both name the same one."""
    if raised.kind != site.effects.settles:
        return False
    one, other = (next((operand.value for operand in each.operands), None) for each in (site, raiser))
    return one is not None and one == other


def _may_overtake(own: Event, effects: Effects) -> bool:
    """Whether an access to LDS may also be one to memory, which is not ordered with it."""
    return own.kind == wait_events.LDS and len(effects.events) > 1

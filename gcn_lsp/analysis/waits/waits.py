"""Follows what is in flight: which operations each counter still counts, on every path, and what has to wait for them.

A register that an outstanding operation will write may neither be read nor overwritten before a wait says that the
operation is done; for some operations also what they read may not be overwritten. For each counter the operations in
flight are kept with their age: how many younger ones it counts. A wait for `n` completes those of age `n` and more,
if the counter comes back in order; otherwise only a wait for zero says anything (see `isa.wait_events`).

States are interned, so that they can be compared and remembered by identity. At a join the younger age wins, which asks
for the lower count; what has as many younger ones as the counter can count is done, since the hardware stops before
it counts further.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import chain
from typing import NamedTuple

from gcn_lsp.analysis.control import forks, kernels, paths
from gcn_lsp.analysis.control import graph as graphs
from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Effects, Event, Model, model_for
from gcn_lsp.flow.interned import Interned, Table, joined
from gcn_lsp.flow.kept import once, recent
from gcn_lsp.flow.solver import solve
from gcn_lsp.isa import wait_events
from gcn_lsp.program.program import Program

_MANY = 1 << 10  # more than any counter counts
_UNKNOWN = 1 << 11  # how much is outstanding is not known, since it was issued elsewhere
# A loop would count up to what the counter holds, one round after the other: a bound that grows at a join is this at
# once, or `_MANY`.
_FEW = 8


class Pending(NamedTuple):
    """An operation in flight on one counter.

    age: how many younger ones the counter counts. event: which of the events of the site's effects. wait: the last wait
    on the counter that did not cover it, and the operation's age then.
    """

    age: int
    site: Site
    event: int
    wait: Site | None
    age_at_wait: int

    @property
    def raised(self) -> Event:
        """The event."""
        return self.site.effects.events[self.event]


class State(Interned):
    """What is in flight at one point, for each of the target's counters.

    pending: oldest first. most: at most how many each counter counts. lds: see `_DMA_DONE`.
    """

    __slots__ = ("lds", "most", "pending")

    def __init__(self, pending: tuple[tuple[Pending, ...], ...], most: tuple[int, ...], lds: int) -> None:
        super().__init__()
        self.pending = pending
        self.most = most
        self.lds = lds


# What is known of LDS: whether data that a load put there has arrived for certain, and whether anything else wrote it.
# While neither has happened, a read of LDS can only be for data that is still in flight.
_DMA_DONE = 1
_LDS_WRITTEN = 2


# The same hardware unit overwrites what it still reads for an older operation: it keeps the order by itself.
_LATER_UNIT = "later in the same unit"


class Cause(NamedTuple):
    """An operation in flight that an instruction has to wait for.

    overlap: registers that both touch; empty for data in LDS. access: `reads`, `overwrites`, or `reads LDS`.
    limit: what its counter may count at most for it to be done. in_order: whether that is for its place in the order;
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
    """An instruction that has to wait.

    needs: for each counter the highest count that is enough. causes: what it has to wait for, the youngest first.
    too_weak: the wait that stands there for this and lets too much pass, None when there is none.
    """

    site: Site
    needs: tuple[tuple[str, int], ...]
    causes: tuple[Cause, ...]
    too_weak: Site | None


def lowest(*counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """For each counter the lowest of its counts, which is enough for all of them."""
    found: dict[str, int] = {}
    for counter, count in chain(*counts):
        found[counter] = min(count, found.get(counter, count))
    return found


class Passed(NamedTuple):
    """What one segment does from one state: the state after it, and what was found on the way.

    redundant: waits that never wait, whatever the path.
    """

    after: State
    missing: tuple[Missing, ...]
    redundant: tuple[Site, ...]


class Engine:
    """The transfer functions for one target. ignored: waits that are taken for not there."""

    def __init__(self, model: Model, ignored: frozenset[Site] = frozenset()) -> None:
        self.model = model
        self._ignored = ignored
        self._apart: dict[tuple[Segment, State], Passed] | None = {} if ignored else None
        self.counters = tuple(dict.fromkeys(model.counters.values()))
        self._index = {name: number for number, name in enumerate(self.counters)}
        self._maxima = tuple(model.maxima.get(name, _MANY - 1) for name in self.counters)
        self._groups = tuple(model.ordered.get(name, ()) for name in self.counters)
        self._ordered_writers = wait_events.ordered_writers(model.target.features)
        self._order: dict[tuple[int, frozenset[str]], str | None] = {}
        self.state = Table(State).state
        nothing = ((),) * len(self.counters)
        self.empty = self.state(nothing, (0,) * len(self.counters), 0)
        self.unknown = self.state(nothing, (_UNKNOWN,) * len(self.counters), _DMA_DONE | _LDS_WRITTEN)

    # Joins

    def join(self, one: State, other: State) -> State:
        """The state that covers both; `one` itself if it covers `other`."""
        return joined(one, other, self._joined)

    def _joined(self, one: State, other: State) -> State:
        pending = tuple(
            mine if mine == theirs else _merged(mine, theirs)
            for mine, theirs in zip(one.pending, other.pending, strict=True)
        )
        most = tuple(map(_bound, one.most, other.most))
        return self.state(pending, most, one.lds | other.lds)

    # Transfer

    def passed(self, segment: Segment, state: State) -> Passed:
        """What `segment` does from `state`."""
        if self._apart is None:
            return _passed(segment, state, self)
        known = self._apart.get((segment, state))
        if known is None:
            known = self._apart[(segment, state)] = _walked(segment, state, self)
        return known

    def disorder(self, counter: int, kinds: frozenset[str]) -> "str | None":
        """None while operations of these kinds come back in order; otherwise the kind that is at fault, or empty."""
        key = (counter, kinds)
        if key not in self._order:
            is_ordered = not kinds or any(kinds <= group for group in self._groups[counter])
            named = next((kind for kind in sorted(kinds) if kind in wait_events.OUT_OF_ORDER), "")
            self._order[key] = None if is_ordered else named
        return self._order[key]


def _bound(mine: int, theirs: int) -> int:
    """How much may be outstanding at a join."""
    if mine >= theirs or theirs == _UNKNOWN:
        return max(mine, theirs)
    return _FEW if theirs <= _FEW else _MANY


def _walked(segment: Segment, state: State, engine: Engine) -> Passed:
    walk = Walk(engine, state)
    for site in segment.sites:
        walk.step(site)
    after = engine.unknown if segment.flow == "call" else walk.state()
    return Passed(after, tuple(walk.missing), tuple(walk.redundant))


# A segment is cut for one target and a state belongs to one engine, so these two say all. An edit makes new states, a
# loop takes a few.
_passed = recent(5)(_walked)


def _merged(mine: tuple[Pending, ...], theirs: tuple[Pending, ...]) -> tuple[Pending, ...]:
    """The operations of both, each at its younger age; in the order of `mine` where nothing changes."""
    found = {(each.site, each.event): each for each in mine}
    for each in theirs:
        key = (each.site, each.event)
        known = found.get(key)
        if known is None:
            found[key] = each
        elif known != each:
            age = min(known.age, each.age)
            if known.wait is not None and (known.wait is not each.wait or known.age_at_wait != each.age_at_wait):
                found[key] = known._replace(age=age, wait=None, age_at_wait=0)
            elif age != known.age:
                found[key] = known._replace(age=age)
    merged = tuple(found.values())
    return mine if merged == mine else tuple(sorted(merged, key=_by_age))


def _by_age(pending: Pending) -> int:
    return -pending.age


class Walk:
    """Goes through instructions one by one; ages count from here, so that issuing changes no entry.

    An entry's `age` is kept as minus its number in the order of issue, `issued` is the number of the last.
    """

    __slots__ = ("_engine", "_entries", "_issued", "_lds", "_most", "_watched", "missing", "redundant")

    def __init__(self, engine: Engine, state: State) -> None:
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
        """Note which registers matter: those that something in flight holds."""
        watched = 0
        for entries in self._entries:
            for entry in entries:
                event = entry.raised
                watched |= event.writes | event.reads
        self._watched = watched

    def state(self) -> State:
        """The state after the last step."""
        pending: list[tuple[Pending, ...]] = []
        for counter, entries in enumerate(self._entries):
            issued = self._issued[counter]
            if not issued:
                pending.append(tuple(entries))
                continue
            youngest: dict[tuple[Site, int], Pending] = {}
            for entry in entries:  # oldest first: of what a loop issues again, the last stays
                youngest.pop((entry.site, entry.event), None)
                youngest[(entry.site, entry.event)] = entry
            limit = self._engine._maxima[counter]
            kept = tuple(
                Pending(entry.age + issued, entry.site, entry.event, entry.wait, entry.age_at_wait)
                for entry in youngest.values()
            )
            pending.append(self._capped(counter, kept, limit))
        return self._engine.state(tuple(pending), tuple(self._most), self._lds)

    def _capped(self, counter: int, entries: tuple[Pending, ...], limit: int) -> tuple[Pending, ...]:
        if not entries or max(entry.age for entry in entries) < limit or self._disorder(counter) is not None:
            return entries
        return tuple(entry for entry in entries if entry.age < limit)

    def step(self, site: Site) -> None:
        """Go over one instruction."""
        effects = site.effects
        if effects.waits and site not in self._engine._ignored:
            self._wait(site, effects.waits)
        if effects.settles:
            self._entries = [
                [entry for entry in entries if entry.raised.kind != effects.settles] for entries in self._entries
            ]
        if effects.touches & self._watched:
            self._check(site, effects)
        if effects.drains:
            self._entries[self._engine._index[effects.drains]] = []
        if effects.events:
            if self._lds != _DMA_DONE | _LDS_WRITTEN:
                self._look_at_lds(site, effects)
            self._issue(site, effects)

    def in_flight(self) -> Iterator[tuple[str, Pending]]:
        """What is in flight now, oldest first, with the counter."""
        for counter, entries in enumerate(self._entries):
            for entry in entries:
                yield self._engine.counters[counter], entry._replace(age=entry.age + self._issued[counter])

    # Waits

    def _wait(self, site: Site, waits: tuple[tuple[str, int], ...]) -> None:
        index = self._engine._index
        known = [(index[counter], count) for counter, count in waits if counter in index]
        if known and all(self._most[counter] <= count for counter, count in known):
            self.redundant.append(site)
        for counter, count in known:
            self.waited(counter, count, site)
            self._complete(counter, count, site)
        self._watch()

    def _complete(self, counter: int, count: int, site: "Site | None") -> None:
        """A counter is known to be at `count` at most; `site` is the wait that says so."""
        entries = self._entries[counter]
        issued = self._issued[counter]
        self._most[counter] = min(self._most[counter], count)
        if not entries:
            return
        is_ordered = count == 0 or self._disorder(counter) is None
        done = [entry for entry in entries if is_ordered and entry.age + issued >= count]
        if done and site is not None:
            self.settled(counter, done, site)
        if any(entry.raised.kind == wait_events.LDS_DMA for entry in done):
            self._lds |= _DMA_DONE
        kept = entries if not done else [entry for entry in entries if entry.age + issued < count]
        if site is not None:
            kept = [Pending(entry.age, entry.site, entry.event, site, entry.age + issued) for entry in kept]
        self._entries[counter] = kept
        if done:
            self._translated(counter, done)

    def waited(self, counter: int, count: int, site: Site) -> None:
        """Called at each wait before it completes anything, for analyses that build on this one."""

    def is_unknown(self, counter: int) -> bool:
        """Whether operations may be outstanding that were issued elsewhere."""
        return self._most[counter] == _UNKNOWN

    def settled(self, counter: int, done: list[Pending], site: Site) -> None:
        """Called when the wait `site` completes operations, for analyses that build on this one."""

    def age_of(self, counter: int, entry: Pending) -> int:
        """How many younger operations the counter counts than one of the entries."""
        return entry.age + self._issued[counter]

    def _translated(self, counter: int, done: list[Pending]) -> None:
        """What is done has had its address translated, and so has what was issued before it."""
        translation = self._engine._index.get(wait_events.TRANSLATION)
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
        return self._engine.disorder(counter, kinds)

    # Checks

    def _check(self, site: Site, effects: Effects) -> None:
        causes: list[Cause] = []
        translated: list[tuple[int, Pending]] = []
        for counter, entries in enumerate(self._entries):
            for entry in entries:
                event = entry.raised
                if not (event.writes | event.reads) & effects.touches:
                    continue
                overlap, access = self._conflict(event, effects)
                if access == _LATER_UNIT:
                    translated.append((counter, entry))
                elif overlap and not self._is_forced_out(counter, entry):
                    causes.append(self._cause(counter, entry, overlap, access))
        if causes:
            self._report(site, causes)
        for counter, entry in translated:
            # The unit goes on only when this one has read its registers, and so have those issued before it.
            self._complete(counter, entry.age + self._issued[counter], None)

    def _is_forced_out(self, counter: int, entry: Pending) -> bool:
        """Whether as many younger operations were issued as the counter can count, so that this one is done."""
        is_beyond = entry.age + self._issued[counter] >= self._engine._maxima[counter]
        return is_beyond and self._disorder(counter) is None

    def _conflict(self, event: Event, effects: Effects) -> tuple[int, str]:
        """The registers because of which an instruction has to wait for an event, and what it does to them."""
        overlap = event.writes & effects.reads
        if overlap:
            return overlap, "reads"
        overlap = event.writes & effects.writes & ~registers.SCC
        if overlap:
            if event.kind in self._engine._ordered_writers:
                for own in effects.events:
                    if own.kind == event.kind and own.counter == event.counter and not _may_overtake(own, effects):
                        overlap &= ~own.writes
            elif event.kind == wait_events.FLAT:
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
        count = 0 if disorder is not None else min(age, self._engine._maxima[counter] - 1)
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
        # From here on it is as if that were mended; but no wait is redundant because of one that is not there.
        most = self._most.copy()
        for counter, limit in needs.items():
            self._complete(self._engine._index[counter], limit, None)
        self._most = most
        self._watch()

    def _without_translated(self, causes: list[Cause]) -> list[Cause]:
        """The causes without translations that are over when the other causes are: those of the same or older ones."""
        translation = self._engine._index.get(wait_events.TRANSLATION)
        others = [cause for cause in causes if cause.counter != wait_events.TRANSLATION]
        if translation is None or not others or len(others) == len(causes):
            return causes
        waited = {cause.pending.site for cause in others}
        last = min((e.age for e in self._entries[translation] if e.site in waited), default=None)
        if last is None or self._disorder(translation) is not None:
            return causes
        last += self._issued[translation]
        return [cause for cause in causes if cause.counter != wait_events.TRANSLATION or cause.pending.age < last]

    # LDS that loads fill

    def _look_at_lds(self, site: Site, effects: Effects) -> None:
        for event in effects.events:
            if event.row not in wait_events.LDS_ACCESSES or site.effects.is_lane_exchange:
                continue
            if not event.writes:
                self._lds |= _LDS_WRITTEN
                continue
            if self._lds:
                continue
            causes = [
                self._cause(counter, entry, registers.NONE, "reads LDS")
                for counter, entries in enumerate(self._entries)
                for entry in entries
                if entry.raised.kind == wait_events.LDS_DMA
            ]
            if causes:
                self._report(site, causes)

    # Issue

    def _issue(self, site: Site, effects: Effects) -> None:
        index = self._engine._index
        for number, event in enumerate(effects.events):
            counter = index[event.counter]
            if event.kind == wait_events.POSSIBLE:
                self._most[counter] = min(self._most[counter] + 1, _MANY)
                continue
            if event.counter == wait_events.TRANSLATION:
                # The hardware issues one kind only when the translations of the other are done.
                self._entries[counter] = [entry for entry in self._entries[counter] if entry.raised.kind == event.kind]
            self._issued[counter] += 1
            if self._most[counter] < _MANY:
                self._most[counter] += 1
            self._entries[counter].append(Pending(-self._issued[counter], site, number, None, 0))
            self._watched |= event.writes | event.reads


class Waits:
    """What the analysis found in one version of a program.

    starts: the nodes at which the hardware starts waves, with nothing in flight.
    """

    def __init__(self, graph: Graph, engine: Engine, starts: frozenset[int]) -> None:
        self.graph = graph
        self.engine = engine
        nodes = graph.nodes
        entries = {node: engine.empty if node in starts else engine.unknown for node in (*graph.entries, *starts)}
        self.entries = entries
        plain: list[Passed | None] = [None] * len(nodes)

        def transfer(node: int, state: State) -> State:
            passed = plain[node] = engine.passed(nodes[node], state)
            return passed.after

        states = solve(graph.successors, entries, transfer, engine.join)
        self.before = [[] if state is None else [state] for state in states]
        self._passes = [[passed] for passed in plain if passed is not None]
        if any(passed.missing for passed in plain if passed is not None):
            # Only what is found on paths that may not exist at all is worth telling them apart.
            self.before = paths.forward(
                graph, entries, lambda segment, state: engine.passed(segment, state).after, engine.join
            )
            passes = [
                [engine.passed(segment, state) for state in states]
                for segment, states in zip(nodes, self.before, strict=True)
            ]
            for node, arrivals in self._parted(passes).items():
                self.before[node] = arrivals
                passes[node] = [engine.passed(nodes[node], state) for state in arrivals]
            self._passes = [each for each in passes if each]

    def _parted(self, passes: list[list[Passed]]) -> dict[int, list[State]]:
        """The states in which control comes to nodes behind a branch that goes by the way on which it was come to."""
        engine, nodes = self.engine, self.graph.nodes

        def follow(state: State, nodes_: Sequence[int]) -> tuple[State, bool]:
            missing = False
            for node in nodes_:
                passed = engine.passed(nodes[node], state)
                missing |= bool(passed.missing)
                state = passed.after
            return state, missing

        found: dict[int, list[State]] = {}
        wrong = [node for node, each in enumerate(passes) if any(passed.missing for passed in each)]
        for fork in forks.behind_which(self.graph, wrong):
            arrivals = [follow(passed.after, fork.stem)[0] for node in fork.predecessors for passed in passes[node]]
            kept = forks.right_ways(
                [[follow(state, arm)[1] for arm in fork.arms] for state in arrivals],
            )
            if kept is None:
                continue
            for arm, ways in zip(fork.arms, kept, strict=True):
                states = [arrivals[way] for way in ways]
                for node in arm:
                    found[node] = list(dict.fromkeys(states))
                    states = [engine.passed(nodes[node], state).after for state in states]
        return found

    @cached_property
    def missing(self) -> tuple[Missing, ...]:
        """Instructions that have to wait, in program order; with what has to be waited for on any way to them."""
        return tuple(
            each for passes in self._passes if any(passed.missing for passed in passes) for each in _missing(passes)
        )

    @cached_property
    def redundant(self) -> tuple[Site, ...]:
        """Waits that never wait, on any path, in program order."""
        return tuple(
            site
            for first, *others in self._passes
            for site in first.redundant
            if all(site in passed.redundant for passed in others)
        )

    def along(self, segment: Segment) -> Iterator[tuple[Site, tuple[tuple[str, Pending], ...]]]:
        """Each instruction of a segment with what is in flight before it: operations, oldest first, by counter.

        Empty where no way leads to the segment.
        """
        node = self.graph.node_of(segment)
        states = self.before[node] if node is not None else []
        if not states:
            return
        walk = Walk(self.engine, reduce(self.engine.join, states))
        for site in segment.sites:
            yield site, tuple(walk.in_flight())
            walk.step(site)


def _missing(passes: list[Passed]) -> Sequence[Missing]:
    """What has to wait in one node, in any of the states in which control comes to it."""
    if len(passes) == 1:
        return passes[0].missing
    found: dict[Site, Missing] = {}
    for passed in passes:
        for each in passed.missing:
            known = found.get(each.site)
            found[each.site] = each if known is None else _both(known, each)
    return sorted(found.values(), key=lambda each: each.site.index)


def _both(one: Missing, other: Missing) -> Missing:
    """What an instruction has to wait for that is come to in two ways."""
    needs = lowest(one.needs, other.needs)
    known = {(cause.pending.site, cause.counter) for cause in one.causes}
    causes = (*one.causes, *(cause for cause in other.causes if (cause.pending.site, cause.counter) not in known))
    too_weak = one.too_weak if one.too_weak is other.too_weak else None
    return Missing(one.site, tuple(sorted(needs.items())), causes, too_weak)


def _may_overtake(own: Event, effects: Effects) -> bool:
    """Whether an access to LDS may as well be one to memory, which is in no order with it."""
    return own.kind == wait_events.LDS and len(effects.events) > 1


@lru_cache(maxsize=8)
def engine_for(model: Model) -> Engine:
    """The engine of a target's model, shared by every program for it."""
    return Engine(model)


@once
def of(program: Program) -> "Waits | None":
    """The analysis of a program; None when its target is not known."""
    graph = graphs.of(program)
    if graph is None or program.target is None:
        return None
    return Waits(graph, engine_for(model_for(program.target)), kernels.starts(program, graph))

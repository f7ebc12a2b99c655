"""Finds waits that ask for more than anything after them needs.

Follows, besides what is in flight, what each wait has completed, until something touches its registers: then the wait
was needed, for a count of as many younger operations as there were. A store or a write to LDS has no registers and
counts as waited for because of memory, and so does everything at a barrier, a store, or wherever memory may be ordered
or control continues at an unknown place.

Question: which of the operations that a wait completed have been needed since?
Direction: forward, together with what is in flight.
Lattice and join: the state of the waits and a set of credits; the join of the states, the union of the credits.
May or must: may; a wait that some path needs is needed.
Ignored: memory; operations that may have been waited for because of it count as needed.
"""

from collections.abc import Iterator
from functools import lru_cache, reduce

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.analysis.waits import walk
from gcn_lsp.analysis.waits.engine import Engine, engine_for
from gcn_lsp.analysis.waits.state import Pending, WaitState
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.flow.interned import Interned, Table, joined
from gcn_lsp.flow.kept import recent
from gcn_lsp.flow.solver import solve
from gcn_lsp.isa.memory import memory_order
from gcn_lsp.records import NamedTuple


class Credit(NamedTuple):
    """Registers that a wait has made ready. age: the highest count on the counter that would have been enough."""

    wait: Site
    counter: int
    age: int
    held: int


class Settled(Interned):
    """The operations that waits have completed and nothing has touched since, and those in flight."""

    __slots__ = ("credits", "flight")

    def __init__(self, flight: WaitState, credits: frozenset[Credit]) -> None:
        super().__init__()
        self.flight = flight
        self.credits = credits


Need = tuple[Site, int, int]  # a wait, a counter, and the highest count that is enough


class _Passed(NamedTuple):
    after: Settled
    needs: frozenset[Need]
    effective: frozenset[Site]  # waits that complete something


class Slack:
    """The transfer functions for one target."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.intern = Table(Settled).state

    def join(self, one: Settled, other: Settled) -> Settled:
        """The state that covers both; `one` itself if it covers `other`."""
        return joined(one, other, self._joined)

    def _joined(self, one: Settled, other: Settled) -> Settled:
        return self.intern(self.engine.join(one.flight, other.flight), one.credits | other.credits)


@recent(bounds.WAIT_STATES)
def _passed(segment: Segment, state: Settled, slack: Slack, *, ends_openly: bool) -> _Passed:
    """The result of a segment from a state. ends_openly: where control continues after it is not known."""
    engine = slack.engine
    steps = _SlackWalk(engine, state)
    for site in segment.sites:
        steps.step(site)
    if ends_openly:
        steps.need_all()
    after = engine.forgotten(state.flight.lds) if segment.flow == "call" else steps.state()
    return _Passed(slack.intern(after, steps.kept()), frozenset(steps.needs), frozenset(steps.effective))


class _SlackWalk(walk.WaitWalk):
    """Goes through instructions and notes which waits were needed."""

    __slots__ = ("_credits", "_held", "effective", "needs")

    def __init__(self, engine: Engine, state: Settled) -> None:
        super().__init__(engine, state.flight)
        self._credits = list(state.credits)
        self._held = reduce(lambda held, credit: held | credit.held, self._credits, registers.NONE)
        self.needs: set[Need] = set()
        self.effective: set[Site] = set()

    def step(self, site: Site) -> None:
        effects = site.effects
        if self._credits:
            if effects.touches & self._held:
                self._touch(effects.touches)
            if (effects.events or effects.writes == registers.NONE) and orders_memory(site):
                self.need_all()
        super().step(site)

    def waited(self, counter: int, count: int, site: Site) -> None:
        if self.is_unknown(counter):
            self.needs.add((site, counter, count))

    def settled(self, counter: int, done: list[Pending], site: Site) -> None:
        self.effective.add(site)
        for entry in done:
            event = entry.raised
            held = event.writes | event.reads
            age = self.age_of(counter, entry)
            if not held or self._disorder(counter) is not None:
                self.needs.add((site, counter, age if not held else 0))
            else:
                self._credits.append(Credit(site, counter, age, held))
                self._held |= held
        if len(self._credits) > bounds.CREDITS:
            self.need_all()

    def _touch(self, touched: int) -> None:
        kept: list[Credit] = []
        for credit in self._credits:
            if credit.held & touched:
                self._need(credit)
            else:
                kept.append(credit)
        self._credits = kept
        self._held = reduce(lambda held, credit: held | credit.held, kept, registers.NONE)

    def _need(self, credit: Credit) -> None:
        self.needs.add((credit.wait, credit.counter, credit.age))

    def need_all(self) -> None:
        """Count every completed operation as needed from here."""
        for credit in self._credits:
            self._need(credit)
        self._credits = []
        self._held = registers.NONE

    def kept(self) -> frozenset[Credit]:
        return frozenset(self._credits)


def orders_memory(site: Site) -> bool:
    """Whether waits before an instruction may have been for memory.

    At the end of the program nothing is read any more; stores count as needed anyway.
    """
    if site.effects.flow == "end":
        return False
    instruction = site.item.instruction
    if instruction is None or instruction.form is None:
        return True
    form = instruction.form
    if form.may_store and form.family != "DS":
        return True
    modifiers = {operand.slot: operand.value for operand in instruction.operands if operand.kind == "modifier"}
    return memory_order.orders(form, modifiers)


class Excess(NamedTuple):
    """A wait for more than is needed. enough: the highest sufficient count of each counter, None for none."""

    site: Site
    enough: tuple[tuple[str, "int | None"], ...]


def excesses(found: Waits) -> Iterator[Excess]:
    """The waits of a program for more than anything after them needs, in program order."""
    slack = _slack_for(found.engine.model)
    graph, engine = found.graph, found.engine
    nodes = graph.nodes

    def passed(node: int, state: Settled) -> _Passed:
        segment = nodes[node]
        return _passed(segment, state, slack, ends_openly=node in graph.open_ends or segment.flow in ("call", "jump"))

    entries = {node: slack.intern(state, frozenset()) for node, state in found.entries.items()}
    before = solve(graph.successors, entries, lambda node, state: passed(node, state).after, slack.join)
    needs: dict[Site, dict[int, int]] = {}
    effective: set[Site] = set()
    for node, state in enumerate(before):
        if state is not None:
            what = passed(node, state)
            effective |= what.effective
            for site, counter, age in what.needs:
                counts = needs.setdefault(site, {})
                counts[counter] = min(age, counts.get(counter, age))
    for node, state in enumerate(before):
        for site in nodes[node].sites if state is not None else ():
            excess = _excess(engine, site, needs.get(site, {})) if site in effective else None
            if excess is not None:
                yield excess


def _excess(engine: Engine, site: Site, needs: dict[int, int]) -> "Excess | None":
    enough: list[tuple[str, int | None]] = []
    if site.effects.touches or site.effects.events:
        return None  # it does not only wait
    for name, count in site.effects.waits:
        if name not in engine.counters:
            return None
        needed = needs.get(engine.counters.index(name))
        enough.append((name, needed))
        if needed is not None and needed <= count:
            return None  # one right count keeps the instruction; its others cost little
    return Excess(site, tuple(enough))


@lru_cache(maxsize=8)
def _slack_for(model: Model) -> Slack:
    return Slack(engine_for(model))

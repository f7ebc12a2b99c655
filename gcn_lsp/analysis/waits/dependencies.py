"""Follows what an instruction must wait for with `s_wait_alu` in the expert scheduling mode.

In that mode the hardware does not keep the dependencies between the VALU and other vector instructions, see
`isa.expert_mode`. Outside of it, and where only some paths are in it, nothing is pending.

Question: which VALU results may not have been written, and which VGPRs may memory instructions not have read?
Direction: forward.
Lattice and join: sets of operations with their ages for each counter; the union, the younger age of each.
May or must: may; a dependency pending on some path is pending.
Ignored: which path was taken, and operations with more younger ones than the counter counts.
"""

from gcn_lsp.analysis.control import solutions
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.machine import expert_mode
from gcn_lsp.isa.machine.expert_mode import RESULTS, SOURCES
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.records import NamedTuple


class Pending(NamedTuple):
    """An instruction that a counter still counts, with the VGPRs that it has not written or not read yet.

    age: how many younger ones are counted. order: those of one name finish in order.
    """

    age: int
    site: Site
    order: str
    held: int


class CountedState(NamedTuple):
    """The instructions that each counter counts, oldest first."""

    results: tuple[Pending, ...]
    sources: tuple[Pending, ...]


class Missing(NamedTuple):
    """An instruction that must wait: for a counter to be at most `limit`, because of the VGPRs `overlap`.

    reads: whether it reads them; otherwise it overwrites them.
    """

    site: Site
    counter: str
    limit: int
    cause: Pending
    overlap: int
    reads: bool


_NOTHING = CountedState((), ())


@once
def missing(graph: Graph) -> tuple[Missing, ...]:
    """The instructions of a program that must wait, in program order."""
    model = graph.model
    if graph.in_force is None:
        return ()

    def passed(segment: Segment, state: CountedState) -> tuple[CountedState, tuple[Missing, ...]]:
        return _pass_through(segment, state, model)

    found = solutions.of(graph, missing, dict.fromkeys(graph.entries, _NOTHING), passed, _join)
    return tuple(each for result in found.results if result for each in result)


def _join(one: CountedState, other: CountedState) -> CountedState:
    joined = CountedState(_union(one.results, other.results), _union(one.sources, other.sources))
    return one if joined == one else joined


def _union(mine: tuple[Pending, ...], theirs: tuple[Pending, ...]) -> tuple[Pending, ...]:
    found = {each.site: each for each in mine}
    for each in theirs:
        known = found.get(each.site)
        if known is None or each.age < known.age:
            found[each.site] = each
    merged = tuple(found.values())
    return mine if merged == mine else tuple(sorted(merged, key=lambda each: -each.age))


def _pass_through(segment: Segment, state: CountedState, model: Model) -> tuple[CountedState, tuple[Missing, ...]]:
    walk = _DependencyWalk(model, state)
    for site in segment.sites:
        walk.step(site)
    after = (
        _NOTHING if segment.flow == "call" else CountedState(tuple(walk.pending[RESULTS]), tuple(walk.pending[SOURCES]))
    )
    return after, tuple(walk.missing)


class _DependencyWalk:
    def __init__(self, model: Model, state: CountedState) -> None:
        self._model = model
        self.pending = {RESULTS: list(state.results), SOURCES: list(state.sources)}
        self.missing: list[Missing] = []

    def step(self, site: Site) -> None:
        pending = self.pending
        if not site.modes & expert_mode.IN_FORCE:
            pending[RESULTS], pending[SOURCES] = [], []
            return
        effects, model = site.effects, self._model
        for counter, count in model.dependencies_waited(site.item.instruction):
            self._complete(counter, count)
        for counter, count in effects.waits:
            if counter in expert_mode.DONE_WITH:
                self._complete(SOURCES, count)
        if site.mnemonic == wait_events.WAIT_FOR_ALL:
            pending[RESULTS], pending[SOURCES] = [], []
        own = model.dependency_raised(site.item.instruction)
        if own is None or own[0].counter != RESULTS:
            self._check(site, RESULTS, effects.reads, reads=True)
            self._check(site, RESULTS, effects.writes, reads=False)
        self._check(site, SOURCES, effects.writes, reads=False, but_not=own[0].order if own is not None else "")
        if own is not None:
            raised, times = own
            self._issue(site, raised, times)

    def _check(self, site: Site, counter: str, touched: int, *, reads: bool, but_not: str = "") -> None:
        entries = self.pending[counter]
        causes = [each for each in entries if each.held & touched and each.order != but_not]
        if not causes:
            return
        cause = causes[-1]
        is_ordered = all(each.order == cause.order for each in entries)
        limit = min(each.age for each in causes) if is_ordered else 0
        self.missing.append(Missing(site, counter, limit, cause, cause.held & touched, reads))
        self._complete(counter, limit)

    def _complete(self, counter: str, count: int) -> None:
        """Note that a counter is at most `count`."""
        kept: list[Pending] = []
        younger: dict[str, int] = {}
        entries = self.pending[counter]
        is_ordered = len({each.order for each in entries}) == 1
        for each in reversed(entries):
            age = each.age if is_ordered else younger.get(each.order, 0)
            younger[each.order] = younger.get(each.order, 0) + 1
            if age < count:
                kept.append(each)
        self.pending[counter] = kept[::-1]

    def _issue(self, site: Site, raised: expert_mode.Raised, times: int) -> None:
        effects = site.effects
        held = registers.vectors(effects.writes if raised.counter == RESULTS else effects.reads) if raised.holds else 0
        limit = self._model.dependency_limits[raised.counter]
        entries = [
            each._replace(age=each.age + times)
            for each in self.pending[raised.counter]
            if each.age + times < limit and each.site is not site
        ]
        self.pending[raised.counter] = [*entries, Pending(0, site, raised.order, held)]

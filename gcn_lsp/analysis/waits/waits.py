"""Follows the operations in flight: which ones each counter still counts, on every path, and what must wait for them.

A register that an outstanding operation will write may neither be read nor overwritten before a wait guarantees that
the operation is done; some operations also forbid overwriting what they read. For each counter the operations in flight
are kept with their age: how many younger ones it counts. A wait for `n` completes those of age `n` and more if the
counter's operations come back in order; otherwise only a wait for zero guarantees anything (see `isa.wait_events`).

States are interned, so they can be compared and looked up by identity. At a join the younger age wins, which requires
the lower count; an operation with as many younger ones as the counter can count is done, since the hardware stops
before it counts further. `state` has the lattice, `engine` a target's counters, `walk` the transfer.

Question: which operations may be in flight before an instruction, and which of those must be done?
Direction: forward, from every entry, along the paths that `control.paths` tells apart.
Lattice and join: for each counter the operations with their ages; the union, each at its younger age.
May or must: may be in flight; a wait is missing if some path needs it.
Ignored: memory, but for LDS that a load fills; what a called function leaves in flight.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, reduce

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import forks, graphs, kernels, paths, solutions
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine.effects import model_for
from gcn_lsp.analysis.waits import feasible, over_data
from gcn_lsp.analysis.waits.engine import Engine, engine_for
from gcn_lsp.analysis.waits.state import NO_LDS, Pending, WaitState
from gcn_lsp.analysis.waits.walk import Missing, Passed, WaitWalk, lowest, pass_over_data, pass_through
from gcn_lsp.flow.kept import once
from gcn_lsp.program.program import Program


class Waits:
    """The result of the analysis for one version of a program.

    starts: the nodes where the hardware starts waves, with nothing in flight. split: those where it starts waves
    without LDS; if there are any, functions have none either. behind_data: instructions with data before them that
    control runs through.
    """

    def __init__(
        self,
        graph: Graph,
        engine: Engine,
        starts: frozenset[int],
        split: frozenset[int],
        behind_data: frozenset[Site] = frozenset(),
    ) -> None:
        self.graph = graph
        self._behind_data = behind_data
        self._with_data = frozenset(id(site.segment) for site in behind_data)
        self.engine = engine
        nodes = graph.nodes
        other = engine.forgotten(NO_LDS if split else 0)
        entries = dict.fromkeys(graph.entries, other) | {
            node: engine.started(NO_LDS if node in split else 0) for node in starts
        }
        self.entries = entries

        def passed(segment: Segment, state: WaitState) -> tuple[WaitState, Passed]:
            found = self._pass(segment, state)
            return found.after, found

        self._plain = solutions.of(graph, (Waits, engine, behind_data), entries, passed, engine.join)
        self._apart: list[list[WaitState]] | None = None
        self._is_exact = True
        if any(each is not None and each.missing for each in self._plain.results):
            # Paths are separated only if something is found that may be on a path that does not exist.
            self._apart, self._is_exact = paths.forward(
                graph,
                (engine, behind_data),
                entries,
                lambda segment, state: self._pass(segment, state).after,
                engine.join,
            )
            # At most nodes one state arrives, the same as if paths were not separated.
            plain = zip(self._plain.before, self._plain.results, strict=True)
            passes = [
                [passed]
                if passed is not None and len(states) == 1 and states[0] is before
                else [self._pass(segment, state) for state in states]
                for segment, states, (before, passed) in zip(nodes, self._apart, plain, strict=True)
            ]
            for node, arrivals in self._parted(passes).items():
                self._apart[node] = arrivals
                passes[node] = [self._pass(nodes[node], state) for state in arrivals]
            self._passes = [each for each in passes if each]

    def _pass(self, segment: Segment, state: WaitState) -> Passed:
        if id(segment) in self._with_data:
            return pass_over_data(segment, state, self.engine, self._behind_data)
        return pass_through(segment, state, self.engine)

    def before(self, node: int) -> list[WaitState]:
        """The states in which control arrives at a node; none if it never does."""
        if self._apart is not None:
            return self._apart[node]
        state = self._plain.before[node]
        return [state] if state is not None else []

    @cached_property
    def _passes(self) -> list[list[Passed]]:
        """The results of each node that control arrives at."""
        return [[passed] for passed in self._plain.results if passed is not None]

    def _parted(self, passes: list[list[Passed]]) -> dict[int, list[WaitState]]:
        """States at nodes after a branch whose outcome depends on the incoming path."""
        nodes = self.graph.nodes

        def follow(state: WaitState, nodes_: Sequence[int]) -> tuple[WaitState, bool]:
            missing = False
            for node in nodes_:
                passed = self._pass(nodes[node], state)
                missing |= bool(passed.missing)
                state = passed.after
            return state, missing

        found: dict[int, list[WaitState]] = {}
        wrong = [node for node, each in enumerate(passes) if any(passed.missing for passed in each)]
        for fork in forks.containing(self.graph, wrong):
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
                    states = [self._pass(nodes[node], state).after for state in states]
        return found

    @cached_property
    def missing(self) -> tuple[Missing, ...]:
        """Instructions that must wait, in program order, each with everything in flight on any path to it."""
        if self._apart is None:
            return ()
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

    def corrected(self) -> "dict[Site, frozenset[Site]] | None":
        """The dependents of operations, see `Engine`, if they are others than those that were assumed; else None."""
        assumed = self.engine.dependents
        if self._is_exact and not assumed:
            return None
        pairs = [(cause.pending.site, each.site) for each in self.missing for cause in each.causes]
        before = [self.before(node) for node in range(len(self.graph.nodes))]
        operations = dict.fromkeys((*assumed, *(operation for operation, _ in pairs)))
        found = dict(feasible.dependents(self.graph, self.engine, self.entries, before, operations))
        is_right = all(operation not in found or site in found[operation] for operation, site in pairs) and all(
            operation in found and found[operation] <= sites for operation, sites in assumed.items()
        )
        return None if is_right else found

    def at(self, node: int) -> tuple[tuple[str, Pending], ...]:
        """The operations in flight where control comes to a node, oldest first, by counter."""
        return self._in_flight(self.before(node))

    def after(self, nodes: Sequence[int]) -> tuple[tuple[str, Pending], ...]:
        """The operations in flight after any of some nodes, oldest first, by counter."""
        graph = self.graph
        return self._in_flight(
            [self._pass(graph.nodes[node], state).after for node in nodes for state in self.before(node)]
        )

    def _in_flight(self, states: Sequence[WaitState]) -> tuple[tuple[str, Pending], ...]:
        return tuple(WaitWalk(self.engine, reduce(self.engine.join, states)).in_flight()) if states else ()

    def along(
        self, segment: Segment, wanted: "Collection[Site] | None" = None
    ) -> Iterator[tuple[Site, tuple[tuple[str, Pending], ...]]]:
        """Each instruction of a segment with the operations in flight before it, oldest first, by counter.

        Empty if the segment is not reachable. wanted: the instructions to yield, if not all.
        """
        if wanted is not None and not wanted:
            return
        node = self.graph.node_of(segment)
        states = self.before(node) if node is not None else []
        if not states:
            return
        walk = WaitWalk(self.engine, reduce(self.engine.join, states))
        for site in segment.sites:
            if self._behind_data and site in self._behind_data:
                walk.forget()
            if wanted is None or site in wanted:
                yield site, tuple(walk.in_flight())
            walk.step(site)

    def in_flight(self, site: Site) -> tuple[tuple[str, Pending], ...]:
        """The operations in flight before an instruction, oldest first, by counter."""
        return next((pending for _, pending in self.along(site.segment, (site,))), ())


def _missing(passes: list[Passed]) -> Sequence[Missing]:
    """The missing waits in one node, for any of the states on arrival."""
    if len(passes) == 1:
        return passes[0].missing
    found: dict[Site, Missing] = {}
    for passed in passes:
        for each in passed.missing:
            known = found.get(each.site)
            found[each.site] = each if known is None else _both(known, each)
    return sorted(found.values(), key=lambda each: each.site.index)


def _both(one: Missing, other: Missing) -> Missing:
    """The missing wait of an instruction on two paths."""
    needs = lowest(one.needs, other.needs)
    known = {(cause.pending.site, cause.counter) for cause in one.causes}
    causes = (*one.causes, *(cause for cause in other.causes if (cause.pending.site, cause.counter) not in known))
    too_weak = one.too_weak if one.too_weak is other.too_weak else None
    return Missing(one.site, tuple(sorted(needs.items())), causes, too_weak)


@once
def of(program: Program) -> "Waits | None":
    """The analysis of a program; None if its target is not known."""
    graph = graphs.of(program)
    if graph is None or program.target is None:
        return None
    starts, split = kernels.starts(program, graph), kernels.split(program, graph)
    engine = engine_for(model_for(program.target))
    return solved(graph, engine, starts, split, over_data.behind(program, graph))


def solved(
    graph: Graph, engine: Engine, starts: frozenset[int], split: frozenset[int], behind_data: frozenset[Site]
) -> Waits:
    """The analysis with one engine, without findings on paths that do not exist."""
    plain = found = Waits(graph, engine, starts, split, behind_data)
    for _ in range(bounds.ROUNDS):
        dependents = found.corrected()
        if dependents is None:
            return found
        found = Waits(graph, Engine(engine.model, engine.ignored, dependents), starts, split, behind_data)
    return plain

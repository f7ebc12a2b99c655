"""Forward dataflow along the paths that exist: branches on the same question go the same way.

Kernels ask the same question more than once (`s_cmp_eq_u32 s[counter], 1` before the prefetch and again before the
loop), and what is in flight after the second depends on the answer. So states are kept by the answers that still
matter: a fact is the answer to a scalar compare whose registers have not been written since, kept as long as a branch
on the same question may follow.

Question: which answers to repeated questions does control bring to a node, and which state with each?
Direction: forward; a backward pass before it finds where an answer matters.
Lattice and join: for each set of answers the caller's states; the caller's join.
May or must: as the caller's; branches that contradict an answer are not taken.
Ignored: answers to questions asked once. Where a node has more than eight sets of answers, those that have made no
difference to the state; where it has more than 16, all.
"""

import heapq
from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import or_
from typing import Generic, TypeVar

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import solutions
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.flow import solver
from gcn_lsp.flow.kept import once, renewed
from gcn_lsp.flow.search import Fixpoint
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.records import NamedTuple

State = TypeVar("State")

# A comparison: the question, and each operand as file, number and value.
Question = tuple[str, tuple[tuple[str, int, "int | float | None"], ...]]

_YES = sum(1 << 2 * number for number in range(bounds.QUESTIONS))  # the facts that are answers of yes, see `Facts`


class BranchCondition(NamedTuple):
    """The condition of a segment's last branch. taken: the answer that takes it. reads: the registers compared."""

    question: Question
    taken: bool
    reads: int


class _Summary(NamedTuple):
    """A segment's last condition, None if it is not known, and the registers that it writes."""

    condition: BranchCondition | None
    writes: int


@once
def _summary(segment: Segment) -> _Summary:
    writes = registers.NONE
    for site in segment.sites:
        writes |= site.effects.writes
    condition = _condition(segment.sites) if segment.flow == "conditional" else None
    return _Summary(condition, writes & registers.ALL_SCALARS)


def _across(graph: Graph, node: int) -> "BranchCondition | None":
    """The condition of a node whose compare is in the node before, because a chunk of the file ends between them."""
    sites: Sequence[Site] = graph.nodes[node].sites
    if sites[-1].mnemonic not in control_flow.SCC_BRANCHES:
        return None
    while not any(site.effects.writes & registers.SCC for site in sites):
        before = graph.predecessors[node]
        if len(before) != 1 or graph.nodes[before[0]].flow != "next":
            return None
        node = before[0]
        sites = (*graph.nodes[node].sites, *sites)
    return _condition(sites)


def _condition(sites: Sequence[Site]) -> "BranchCondition | None":
    """The condition of the conditional branch that some instructions end with."""
    on_set = control_flow.SCC_BRANCHES.get(sites[-1].mnemonic)
    if on_set is None:
        return None
    written = registers.NONE
    for site in reversed(sites[:-1]):
        effects = site.effects
        if not effects.writes & registers.SCC:
            written |= effects.writes
            continue
        asked = control_flow.COMPARES.get(site.mnemonic)
        if asked is None or effects.reads & written:
            return None
        operands = tuple((operand.file, operand.first, operand.value) for operand in site.operands)
        name, set_when_yes = asked
        return BranchCondition((name, operands), on_set == set_when_yes, effects.reads)
    return None


class Facts:
    """The questions of a graph that occur more than once, and where their answers matter.

    Facts are an integer: bit 2n means that the answer to question n is yes, bit 2n + 1 that it is no.
    """

    def __init__(self, graph: Graph, summaries: list[_Summary]) -> None:
        self.shape = graph.shape
        self.summaries = summaries
        asked: dict[Question, list[int]] = {}
        for node, summary in enumerate(self.summaries):
            if summary.condition is not None:
                asked.setdefault(summary.condition.question, []).append(node)
        repeated = [question for question, nodes in asked.items() if len(nodes) > 1][: bounds.QUESTIONS]
        self.number = {question: number for number, question in enumerate(repeated)}
        # The facts about questions on the same registers, by these: kernels ask many questions about few registers.
        self._about: dict[int, int] = {}
        for number, question in enumerate(repeated):
            condition = self.summaries[asked[question][0]].condition
            assert condition is not None, "only segments with a condition ask"
            self._about[condition.reads] = self._about.get(condition.reads, 0) | 3 << 2 * number
        self.questions = list(self.number.items()), list(self._about.items())
        self.matter = self._where_they_matter(graph) if repeated else [0] * len(graph.nodes)

    def are_alike(self, first: int, other: "Facts", others_first: int, count: int) -> bool:
        """Whether all is the same about `count` nodes, from `first` here, from `others_first` in another graph."""
        mine, theirs = slice(first, first + count), slice(others_first, others_first + count)
        return (
            self.questions == other.questions
            and self.matter[mine] == other.matter[theirs]
            and self.summaries[mine] == other.summaries[theirs]
            and self.shape.blocks.ways[mine] == other.shape.blocks.ways[theirs]
        )

    def killed(self, writes: int) -> int:
        """The facts that a write to these registers invalidates."""
        found = 0
        for reads, facts in self._about.items():
            if reads & writes:
                found |= facts
        return found

    def ways(self, graph: Graph, node: int, known: int) -> list[tuple[int, int]]:
        """Where control goes from a node with some facts, and the facts known there."""
        successors = graph.successors[node]
        summary = self.summaries[node]
        if known:
            known &= ~self.killed(summary.writes)
        condition = summary.condition
        number = self.number.get(condition.question) if condition is not None else None
        if condition is None or number is None or len(successors) != len(_EDGES):
            return [(successor, known) for successor in successors]
        yes, no = 1 << 2 * number, 2 << 2 * number
        return [
            (successors[edge], known | (yes if answer else no))
            for edge, answer in ((0, not condition.taken), (1, condition.taken))
            if not known & (no if answer else yes)
        ]

    def _where_they_matter(self, graph: Graph) -> list[int]:
        """For each node, the facts that a branch from there on may need, as a mask."""
        kills = [self.killed(summary.writes) for summary in self.summaries]
        own = [
            3 << 2 * self.number[summary.condition.question]
            if summary.condition is not None and summary.condition.question in self.number
            else 0
            for summary in self.summaries
        ]
        search: Fixpoint[int, int] = Fixpoint(or_)  # of negative numbers: from the end, since it goes backward
        for node, mask in enumerate(own):
            if mask:
                # A question at the end of a segment that writes its registers does not have the answer known before it.
                search.arrive(-node, mask & ~kills[node])
        for place, facts in search:
            for before in graph.predecessors[-place]:
                left = facts & ~kills[before]
                if left:
                    search.arrive(-before, left)
        return [search.states.get(-node, 0) for node in range(len(graph.nodes))]


def about(facts: int) -> int:
    """All facts about the questions that some facts answer."""
    return facts | (facts & _YES) << 1 | (facts & ~_YES) >> 1


@renewed
def facts_of(graph: Graph, earlier: "Facts | None") -> Facts:
    """The repeated questions of a graph."""
    summaries = [_summary(segment) for segment in graph.nodes]
    for node in graph.shape.conditional:
        if summaries[node].condition is None:
            summaries[node] = summaries[node]._replace(condition=_across(graph, node))
    is_same = earlier is not None and earlier.shape is graph.shape and earlier.summaries == summaries
    return earlier if is_same and earlier is not None else Facts(graph, summaries)


class Forward(NamedTuple, Generic[State]):
    """For each node the states on arrival, each a different object; empty if control never arrives.

    is_exact: whether no answer was dropped because there were too many.
    """

    states: list[list[State]]
    is_exact: bool


def forward(
    graph: Graph,
    problem: Hashable,
    entries: Mapping[int, State],
    transfer: Callable[[Segment, State], State],
    join: Callable[[State, State], State],
) -> "Forward[State]":
    """The states on arrival at each node.

    problem: as in `control.solutions`. entries: states in which control enters from outside, by node. transfer: the
    state after a segment. join: as in `flow.solver.solve`.
    """
    facts = facts_of(graph)
    nodes = graph.nodes
    kept = solutions.of_graph(graph)
    known: dict[int, _Block[State]] = kept.earlier.pop((forward, problem), {})
    arrived: list[_Arrived[State]] = [{} for _ in nodes]
    for node, state in entries.items():
        arrived[node][0] = state
    walk = _Walk(graph, facts, arrived, transfer, join)
    passed: dict[int, _Block[State]] = {}
    for first, end in graph.shape.blocks.limits:
        if any(arrived[first:end]):
            key = id(nodes[first])
            passed[key] = walk.pass_block(first, end, known.get(key))
    kept.known[(forward, problem)] = passed
    return Forward([_distinct([*states.values()]) for states in arrived], walk.is_exact)


def _distinct(states: list[State]) -> list[State]:
    return states if len(states) <= 1 else list({id(state): state for state in states}.values())


# The states before a node, by the facts known there, in the order of their arrival.
_Arrived = dict[int, State]
_SEVERAL = (-1, 0)  # no place


class _Block(NamedTuple, Generic[State]):
    """What happened in one block of the graph: it depends on what `pass_block` compares. See `flow.solver.Block`.

    first: the number of its first node. arrived, before: never changed again. orders: the keys of `arrived`. leaving:
    the states that left it, each with the distances of its node from the first one, and of the node after it from that;
    after either the facts known. is_exact: whether no facts were dropped.
    """

    nodes: Sequence[Segment]
    arrived: "list[_Arrived[State]]"
    orders: list[tuple[int, ...]]
    facts: Facts
    first: int
    before: "list[_Arrived[State]]"
    leaving: list[tuple[int, int, int, int, State]]
    is_exact: bool


class _Walk(Generic[State]):
    """The way through the graph: nodes are taken in ascending order, so nothing in a block depends on a later one.

    is_exact: whether no facts were dropped so far.
    """

    def __init__(
        self,
        graph: Graph,
        facts: Facts,
        arrived: list[_Arrived[State]],
        transfer: Callable[[Segment, State], State],
        join: Callable[[State, State], State],
    ) -> None:
        self._graph = graph
        self._facts = facts
        self._arrived = arrived
        self._transfer = transfer
        self._join = join
        self._only: dict[tuple[int, int], tuple[int, int]] = {}  # the one place that control comes from
        self.is_exact = True

    def pass_block(self, first: int, end: int, known: "_Block[State] | None") -> _Block[State]:
        """Pass the nodes of a block, or do what happened in an earlier block that is the same."""
        facts, arrived = self._facts, self._arrived
        values, start = self._graph.nodes[first:end], arrived[first:end]
        orders = [*map(tuple, start)]
        if (
            known is not None
            and known.arrived == start
            and known.orders == orders
            and known.nodes == values
            and (known.facts is facts or known.facts.are_alike(known.first, facts, first, end - first))
        ):
            arrived[first:end] = known.before
            self.is_exact &= known.is_exact
            for offset, facts_before, way, facts_after, state in known.leaving:
                self._arrive((first + offset, facts_before), first + offset + way, facts_after, state)
            return known
        leaving: list[tuple[int, int, int, int, State]] = []
        was_exact, self.is_exact = self.is_exact, True
        arrived[first:end] = map(dict, start)
        waiting = [(node, each) for node in range(first, end) for each in arrived[node]]
        heapq.heapify(waiting)
        is_waiting = set(waiting)
        while waiting:
            place = heapq.heappop(waiting)
            is_waiting.discard(place)
            node, facts_known = place
            after = self._transfer(self._graph.nodes[node], arrived[node][facts_known])
            for successor, facts_after in facts.ways(self._graph, node, facts_known):
                changed = self._arrive(place, successor, facts_after, after)
                if successor >= end:
                    leaving.append((node - first, facts_known, successor - node, facts_after, after))
                elif changed is not None and changed not in is_waiting:
                    is_waiting.add(changed)
                    heapq.heappush(waiting, changed)
        passed = _Block(values, start, orders, facts, first, arrived[first:end], leaving, self.is_exact)
        self.is_exact &= was_exact
        return passed

    def _arrive(self, place: tuple[int, int], node: int, known: int, after: State) -> "tuple[int, int] | None":
        """Note a state that comes from a place to a node; the place there, None if nothing changes."""
        states = self._arrived[node]
        known &= self._facts.matter[node]
        if known not in states and len(states) >= bounds.VARIANTS:
            fewer = _fewer(known, states, after)
            self.is_exact &= fewer == known
            known = fewer
        before = states.get(known)
        here = node, known
        is_only = before is None or self._only.get(here) == place
        self._only[here] = place if is_only else _SEVERAL
        joined = solver.arrived(before, after, self._join, is_only=is_only)
        if joined is before:
            return None
        states[known] = joined
        return here


def _fewer(known: int, states: "_Arrived[State]", after: State) -> int:
    """Fewer facts for a node with many sets: those in common with the sets that have the same state."""
    for facts, state in states.items():
        if state == after:
            known &= facts
    return known if known in states or len(states) < bounds.MOST_VARIANTS else 0


_EDGES = ("on", "branch")  # the order of a conditional branch's successors in the graph

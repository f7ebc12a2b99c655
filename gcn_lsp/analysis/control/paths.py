"""Forward dataflow along the paths that exist: branches on the same question go the same way.

Kernels ask the same question more than once (`s_cmp_eq_u32 s[counter], 1` before the prefetch and again before the
loop), and what is in flight after the second depends on the answer. So states are kept by the answers that still
matter: a fact is the answer to a scalar compare whose registers have not been written since, kept as long as a branch
on the same question may follow.

Question: which answers to repeated questions does control bring to a node, and which state with each?
Direction: forward; a backward pass before it finds where an answer matters.
Lattice and join: for each set of answers the caller's states; the caller's join.
May or must: as the caller's; branches that contradict an answer are not taken.
Ignored: answers to questions asked once, and all answers where a node has more than eight sets.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.flow.kept import once
from gcn_lsp.flow.solver import explore
from gcn_lsp.isa import control_flow

State = TypeVar("State")

# A comparison: the question, and each operand as file, number and value.
Question = tuple[str, tuple[tuple[str, int, "int | float | None"], ...]]

_VARIANTS = 8  # sets of facts for a node; beyond that they are dropped
_QUESTIONS = 60


class Condition(NamedTuple):
    """The condition of a segment's last branch. taken: the answer that takes it. reads: the registers compared."""

    question: Question
    taken: bool
    reads: int


class _Summary(NamedTuple):
    """A segment's last condition, None if it is not known, and the registers that it writes."""

    condition: Condition | None
    writes: int


@once
def _summary(segment: Segment) -> _Summary:
    writes = registers.NONE
    for site in segment.sites:
        writes |= site.effects.writes
    condition = _condition(segment.sites) if segment.flow == "conditional" else None
    return _Summary(condition, writes & registers.ALL_SCALARS)


def _across(graph: Graph, node: int) -> "Condition | None":
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


def _condition(sites: Sequence[Site]) -> "Condition | None":
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
        return Condition((name, operands), on_set == set_when_yes, effects.reads)
    return None


class _Facts:
    """The questions of a graph that occur more than once, and where their answers matter.

    Facts are an integer: bit 2n means that the answer to question n is yes, bit 2n + 1 that it is no.
    """

    def __init__(self, graph: Graph) -> None:
        self.summaries = [_summary(segment) for segment in graph.nodes]
        for node, segment in enumerate(graph.nodes):
            if segment.flow == "conditional" and self.summaries[node].condition is None:
                self.summaries[node] = self.summaries[node]._replace(condition=_across(graph, node))
        asked: dict[Question, list[int]] = {}
        for node, summary in enumerate(self.summaries):
            if summary.condition is not None:
                asked.setdefault(summary.condition.question, []).append(node)
        repeated = [question for question, nodes in asked.items() if len(nodes) > 1][:_QUESTIONS]
        self.number = {question: number for number, question in enumerate(repeated)}
        # The facts about questions on the same registers, by these: kernels ask many questions about few registers.
        self._about: dict[int, int] = {}
        for number, question in enumerate(repeated):
            condition = self.summaries[asked[question][0]].condition
            assert condition is not None, "only segments with a condition ask"
            self._about[condition.reads] = self._about.get(condition.reads, 0) | 3 << 2 * number
        self.matter = self._where_they_matter(graph) if repeated else [0] * len(graph.nodes)

    def killed(self, writes: int) -> int:
        """The facts that a write to these registers invalidates."""
        found = 0
        for reads, facts in self._about.items():
            if reads & writes:
                found |= facts
        return found

    def _where_they_matter(self, graph: Graph) -> list[int]:
        """For each node, the facts that a branch from there on may need, as a mask."""
        kills = [self.killed(summary.writes) for summary in self.summaries]
        own = [
            3 << 2 * self.number[summary.condition.question]
            if summary.condition is not None and summary.condition.question in self.number
            else 0
            for summary in self.summaries
        ]
        matter = [0] * len(graph.nodes)
        waiting = [node for node, mask in enumerate(own) if mask]
        for node in waiting:
            # A question at the end of a segment that writes its registers does not have the answer known before it.
            matter[node] = own[node] & ~kills[node]
        predecessors = graph.predecessors
        while waiting:
            node = waiting.pop()
            for before in predecessors[node]:
                after = matter[before] | (matter[node] & ~kills[before])
                if after != matter[before]:
                    matter[before] = after
                    waiting.append(before)
        return matter


def forward(
    graph: Graph,
    entries: Mapping[int, State],
    transfer: Callable[[Segment, State], State],
    join: Callable[[State, State], State],
) -> list[list[State]]:
    """For each node, the states on arrival, each a different object; empty if control never arrives.

    entries: states in which control enters from outside, by node. transfer: the state after a segment. join: as in
    `flow.solver.explore`.
    """
    facts = _Facts(graph)
    nodes = graph.nodes
    variants: list[set[int]] = [set() for _ in nodes]

    def arrive(node: int, known: int) -> tuple[int, int]:
        known &= facts.matter[node]
        if known not in variants[node]:
            if len(variants[node]) >= _VARIANTS:
                known = 0
            variants[node].add(known)
        return node, known

    def step(place: tuple[int, int], state: State) -> Iterable[tuple[tuple[int, int], State]]:
        node, known = place
        after = transfer(nodes[node], state)
        successors = graph.successors[node]
        summary = facts.summaries[node]
        if known:
            known &= ~facts.killed(summary.writes)
        condition = summary.condition
        number = facts.number.get(condition.question) if condition is not None else None
        if condition is None or number is None or len(successors) != len(_EDGES):
            return [(arrive(successor, known), after) for successor in successors]
        yes, no = 1 << 2 * number, 2 << 2 * number
        return [
            (arrive(successors[edge], known | (yes if answer else no)), after)
            for edge, answer in ((0, not condition.taken), (1, condition.taken))
            if not known & (no if answer else yes)
        ]

    found: list[list[State]] = [[] for _ in nodes]
    for (node, _), state in explore({(node, 0): state for node, state in entries.items()}, step, join).items():
        if not any(state is each for each in found[node]):
            found[node].append(state)
    return found


_EDGES = ("on", "branch")  # the order of a conditional branch's successors in the graph

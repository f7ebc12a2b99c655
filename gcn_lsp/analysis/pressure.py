"""How many registers hold a value that is still needed, before and after each instruction: the register pressure.

A value is needed from where it is written until its last read on some path. A vector write under a mask leaves the
other lanes' values, and counts as a write all the same: what counts is how many registers an allocator would need.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from gcn_lsp.analysis import graph as graphs
from gcn_lsp.analysis import registers
from gcn_lsp.analysis.graph import Graph
from gcn_lsp.analysis.segments import Segment
from gcn_lsp.asm.program import Program


class Pressure(NamedTuple):
    """Registers in use, of each file."""

    vgprs: int
    agprs: int
    sgprs: int

    def at_least(self, other: "Pressure") -> "Pressure":
        """The higher of each."""
        return Pressure(max(self[0], other[0]), max(self[1], other[1]), max(self[2], other[2]))


NONE = Pressure(0, 0, 0)


class Pressures:
    """The pressure at every instruction of one version of a program."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._after = _needed_after(graph)

    def of_node(self, node: int) -> tuple[Pressure, ...]:
        """For each instruction of a node what is in use while it runs: what it needs, and what is needed after it."""
        found = []
        needed = self._after[node]
        for site in reversed(self.graph.nodes[node].sites):
            effects = site.effects
            found.append(count(needed | effects.reads | effects.writes))
            needed = needed & ~effects.writes | effects.reads
        return tuple(reversed(found))


def of(program: Program) -> "Pressures | None":
    """The pressures of a program, found once; None when its target is not known."""
    found = _FOUND.get(program)
    if found is None:
        graph = graphs.of(program)
        if graph is None:
            return None
        found = _FOUND[program] = Pressures(graph)
    return found


_FOUND: "WeakKeyDictionary[Program, Pressures]" = WeakKeyDictionary()


def count(needed: int) -> Pressure:
    """How many registers of each file are in a set; half a VGPR takes a whole one."""
    return Pressure(
        bin(registers.whole(registers.vectors(needed))).count("1") // 2,
        bin(needed & registers.ALL_ACCUMULATORS).count("1"),
        bin(needed & registers.SGPRS).count("1"),
    )


def _needed_after(graph: Graph) -> list[int]:
    """The registers needed after each node, the least fixed point backwards along the graph's ways."""
    passes = [_pass(segment) for segment in graph.nodes]
    before = [0] * len(passes)
    after = [0] * len(passes)
    waiting = list(range(len(passes)))  # the last node is taken first: straight code is settled in one round
    is_waiting = [True] * len(passes)
    while waiting:
        node = waiting.pop()
        is_waiting[node] = False
        needed = 0
        for successor in graph.successors[node]:
            needed |= before[successor]
        called = graph.calls.get(node)
        if called is not None:
            needed |= before[called]
        after[node] = needed
        reads, writes = passes[node]
        needed = needed & ~writes | reads
        if needed != before[node]:
            before[node] = needed
            for predecessor in graph.predecessors[node]:
                if not is_waiting[predecessor]:
                    is_waiting[predecessor] = True
                    waiting.append(predecessor)
    return after


def _pass(segment: Segment) -> tuple[int, int]:
    """What a segment reads before it writes it, and what it writes; remembered with the segment."""
    known = segment.memo.get(__name__)
    if known is None:
        reads = writes = 0
        for site in segment.sites:
            reads |= site.effects.reads & ~writes
            writes |= site.effects.writes
        known = segment.memo[__name__] = (reads, writes)
    assert isinstance(known, tuple)
    return known

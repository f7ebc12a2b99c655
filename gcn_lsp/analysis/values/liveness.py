"""Finds the registers that some path still reads: liveness, backward from the ends of the program.

A write to a VGPR replaces it in the active lanes only. So the state has two sets: `here`, registers that may be read in
a lane that is active at this point, and `anywhere`, those that may be read in any lane. A VALU result removes its
register from `here`; where EXEC changes, inactive lanes may become active, and `here` becomes `anywhere`. Scalar
results remove their registers from both. At the end of the wave nothing is live; where control goes to an unknown
place, everything is (`results.EVERYTHING`).

Question: which registers may be read before they are written, in an active lane and in any lane?
Direction: backward.
Lattice and join: pairs of sets of registers; the union of each.
May or must: may; a register that nothing reads is dead.
Ignored: which path is taken, and functions' results: where control continues at an unknown place, everything is live.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.machine.results import EVERYTHING
from gcn_lsp.flow import solver
from gcn_lsp.flow.kept import latest, once
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Live(NamedTuple):
    """The registers that may be read later: in a lane that is active at this point, and in any lane."""

    here: int
    anywhere: int


_NOTHING = Live(registers.NONE, registers.NONE)
_ALL = Live(EVERYTHING, EVERYTHING)
_SCALARS = (1 << 256) - 1  # the sets that do not depend on EXEC


class _Summary(NamedTuple):
    """The effect of a whole segment on the sets.

    here = here_read | (here after it & here_passes) | (anywhere after it & anywhere_passes)
    anywhere = anywhere_read | (anywhere after it & scalar_passes)
    """

    here_read: int
    here_passes: int
    anywhere_passes: int
    anywhere_read: int
    scalar_passes: int


class Liveness:
    """The live registers of a program. after: those at the end of each node of the graph."""

    def __init__(self, graph: Graph, opaque: frozenset[int]) -> None:
        self.graph = graph
        self.opaque = opaque
        count = len(graph.nodes)
        self._unknown = opaque | graph.open_ends | graph.fallen | graph.calls.keys()
        self._unknown |= {node for node, segment in enumerate(graph.nodes) if segment.flow == "call"}
        # The solver goes forward in ascending order; so nodes are numbered from the end here.
        before = solver.solve(
            [[count - 1 - each for each in graph.predecessors[count - 1 - node]] for node in range(count)],
            {node: _ALL if count - 1 - node in self._unknown else _NOTHING for node in range(count)},
            lambda node, live: self._transferred(count - 1 - node, live),
            join,
        )
        self.after: list[Live] = [live if live is not None else _NOTHING for live in reversed(before)]

    def _transferred(self, node: int, live: Live) -> Live:
        if node in self.opaque:
            return _ALL
        return before_segment(self.graph.nodes[node], live)

    def each_after(self, node: int) -> Iterator[Live]:
        """The live registers after each instruction of a node, the last one first."""
        if node in self.opaque:  # a write removes nothing there: a node ends where a chunk does
            yield from (_ALL for _ in self.graph.nodes[node].sites)
            return
        here, anywhere = self.after[node]
        for result in reversed(results.of_segment(self.graph.nodes[node])):
            yield Live(here, anywhere)
            here, anywhere = _before(result, here, anywhere)

    def after_instruction(self, node: int, index: int) -> Live:
        """The live registers after instruction `index` of a node."""
        return list(self.each_after(node))[-1 - index]

    def before(self, node: int) -> Live:
        """The live registers at the start of a node."""
        return self._transferred(node, self.after[node])


@once
def of(program: Program) -> "Liveness | None":
    """The liveness of a program; None if its target is not known."""
    graph = graphs.of(program)
    return Liveness(graph, results.opaque(program, graph)) if graph is not None else None


@latest
def before_segment(segment: Segment, live: Live) -> Live:
    """The live registers before a segment, from those after it."""
    return _apply(_summary(segment), live)


def _before(result: results.Result, here: int, anywhere: int) -> tuple[int, int]:
    """The sets before an instruction, from those after it."""
    used, replaced, _, _, _, all_lanes, sets_exec = result
    if sets_exec:
        here = anywhere
    here = here & ~replaced | used
    if all_lanes:
        return here, anywhere & ~replaced | used
    return here, anywhere & ~(replaced & _SCALARS) | used


@once
def _summary(segment: Segment) -> _Summary:
    here_read = anywhere_read = registers.NONE
    here_passes = scalar_passes = EVERYTHING
    anywhere_passes = registers.NONE
    for used, replaced, _, _, _, all_lanes, sets_exec in reversed(results.of_segment(segment)):
        if sets_exec:
            here_read, here_passes, anywhere_passes = anywhere_read, registers.NONE, scalar_passes
        gone = ~replaced
        here_read = here_read & gone | used
        here_passes &= gone
        anywhere_passes &= gone
        if not all_lanes:
            gone = ~(replaced & _SCALARS)
        anywhere_read = anywhere_read & gone | used
        scalar_passes &= gone
    return _Summary(here_read, here_passes, anywhere_passes, anywhere_read, scalar_passes)


def _apply(summary: _Summary, live: Live) -> Live:
    here_read, here_passes, anywhere_passes, anywhere_read, scalar_passes = summary
    here, anywhere = live
    return Live(
        here_read | here & here_passes | anywhere & anywhere_passes,
        anywhere_read | anywhere & scalar_passes,
    )


def join(one: Live, other: Live) -> Live:
    """The registers of both; `one` itself if it has them all."""
    here = one.here | other.here
    anywhere = one.anywhere | other.anywhere
    return one if here == one.here and anywhere == one.anywhere else Live(here, anywhere)

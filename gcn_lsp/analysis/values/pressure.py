"""Counts the registers with a value that is still needed: register pressure by line and by kernel.

Liveness as a register allocator sees it: a result replaces all of a VGPR, whatever EXEC is, so a register is free
before it is written again. That is the minimum that the code could use; `values.liveness`, which must be right about
every lane, counts more. Functions of the file count with what they read; unknown places do not.

Question: how many registers hold a value that may be read later?
Direction: backward.
Lattice and join: sets of registers; the union.
May or must: may; a value that some path reads takes up its register.
Ignored: lanes, unknown places, and which path is taken.
"""

from collections.abc import Collection, Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.flow import solver
from gcn_lsp.flow.kept import latest, once
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_SGPRS = (1 << 106) - 1


class Pressure(NamedTuple):
    """Live registers: VGPRs, AGPRs, and SGPRs without VCC."""

    vgprs: int
    agprs: int
    sgprs: int

    def at_least(self, other: "Pressure") -> "Pressure":
        """The higher value of each."""
        return Pressure(max(self[0], other[0]), max(self[1], other[1]), max(self[2], other[2]))


NONE = Pressure(0, 0, 0)


class Highest(NamedTuple):
    """The highest pressure in a part of a program: its value, and the first instruction that has it."""

    vgprs: int
    vgprs_at: "Site | None"
    agprs: int
    agprs_at: "Site | None"
    sgprs: int
    sgprs_at: "Site | None"


class Pressures:
    """The pressure at every instruction of a program."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        count = len(graph.nodes)
        # The solver goes forward in ascending order; so nodes are numbered from the end here.
        ways = [[count - 1 - each for each in graph.predecessors[count - 1 - node]] for node in range(count)]
        for node, called in graph.calls.items():
            ways[count - 1 - called].append(count - 1 - node)
        before = solver.solve(
            ways,
            dict.fromkeys(range(count), registers.NONE),
            lambda node, live: _live_in(graph.nodes[count - 1 - node], live),
            registers.union,
        )
        self._after: list[int] = [live or registers.NONE for live in reversed(before)]

    def of_node(self, node: int) -> tuple[Pressure, ...]:
        """The pressure at each instruction of a node: of the registers live before or after it, or written by it."""
        return _of_segment(self.graph.nodes[node], self._after[node])

    def highest(self, nodes: Collection[int]) -> Highest:
        """The highest pressure in some nodes."""
        found: list[tuple[int, Site | None]] = [(0, None)] * len(Pressure._fields)
        for node in sorted(nodes):
            for site, pressure in zip(self.graph.nodes[node].sites, self.of_node(node), strict=True):
                for index, count in enumerate(pressure):
                    if count > found[index][0]:
                        found[index] = (count, site)
        (vgprs, vgprs_at), (agprs, agprs_at), (sgprs, sgprs_at) = found
        return Highest(vgprs, vgprs_at, agprs, agprs_at, sgprs, sgprs_at)


@once
def of(program: Program) -> "Pressures | None":
    """The pressures of a program; None if its target is not known."""
    graph = graphs.of(program)
    return Pressures(graph) if graph is not None else None


def _live_in(segment: Segment, live: int) -> int:
    used, passes = _summary(segment)
    return used | live & passes


@once
def _summary(segment: Segment) -> tuple[int, int]:
    """The registers whose value a segment needs before it, and those that it leaves unchanged."""
    used, passes = registers.NONE, results.EVERYTHING
    for result in reversed(results.of_segment(segment)):
        gone = ~result.replaced
        used = used & gone | _named(result)
        passes &= gone
    return used, passes


@latest
def _of_segment(segment: Segment, after: int) -> tuple[Pressure, ...]:
    return tuple(_pressures(segment, after))[::-1]


def _named(result: results.Result) -> int:
    """The registers that an instruction reads, if they are known."""
    return result.used if result.used >= 0 else registers.NONE


def _pressures(segment: Segment, live: int) -> Iterator[Pressure]:
    """The pressure at each instruction, the last one first."""
    for result in reversed(results.of_segment(segment)):
        during = live | result.writes
        live = live & ~result.replaced | _named(result)
        yield Pressure(*map(max, _counts(during), _counts(live)))


_LOW_HALVES = int.from_bytes(b"\x55" * 512, "little")  # of more VGPRs than any target has


def _counts(live: int) -> tuple[int, int, int]:
    halves = live >> 1024
    vectors = ((halves | halves >> 1) & _LOW_HALVES).bit_count()
    return vectors, (live & registers.ALL_ACCUMULATORS).bit_count(), (live & _SGPRS).bit_count()

"""Finds conditions that are overwritten before anything reads them: a comparison, a carry, then a branch on the carry.

Only straight code is searched: the comparison, the side effect on SCC or VCC, and the branch or selection that reads it
follow one another with nothing leading in or out between them.

Question: is the result of a comparison overwritten before a reader that is meant for it?
Direction: forward from each comparison without a reader, through straight code.
Lattice and join: none; paths do not join in straight code.
May or must: must; one path leads through the stretch.
Ignored: branches before the reader.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.analysis.control import graphs, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.values import dead, liveness
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.machine import comparisons
from gcn_lsp.program.program import Program

_CONDITIONS = {"SCC": registers.SCC, "VCC": registers.VCC}


class Clobbered(NamedTuple):
    """A comparison whose result nothing reads, its overwriter, and the reader of that. condition: SCC or VCC."""

    condition: str
    comparison: Site
    overwriting: Site
    reader: Site


@once
def conditions(program: Program) -> tuple[Clobbered, ...]:
    """The conditions of a program that are overwritten, in program order.

    Those that look like it in straight code are few, so liveness, which costs more, is mostly not asked for.
    """
    graph = graphs.of(program)
    candidates = tuple(_in_straight_code(graph)) if graph is not None else ()
    live = liveness.of(program) if candidates else None
    if live is None:
        return ()
    return tuple(
        each for node, each in candidates if node not in live.opaque and each.comparison in dead.in_node(live, node)
    )


class _Followed(NamedTuple):
    """A comparison and what follows it so far: the overwriter, None before it, and the reader of that.

    is_over: whether what follows further cannot matter.
    """

    condition: str
    comparison: Site
    overwriting: Site | None = None
    reader: Site | None = None
    is_over: bool = False


def _in_straight_code(graph: Graph) -> Iterator[tuple[int, Clobbered]]:
    for stretch in straight.stretches(graph):
        for number, node in enumerate(stretch):
            for each in _in_segment(graph.nodes[node]):
                found = _through(graph, each, stretch[number + 1 :])
                if found.overwriting is not None and found.reader is not None:
                    yield node, Clobbered(found.condition, found.comparison, found.overwriting, found.reader)


def _through(graph: Graph, each: _Followed, nodes: straight.Stretch) -> _Followed:
    for node in nodes:
        if each.is_over:
            break
        each = _after(each, graph.nodes[node], 0)
    return each


@once
def _in_segment(segment: Segment) -> tuple[_Followed, ...]:
    """The comparisons of a segment, each followed to its end, without those that are not overwritten for a reader."""
    found = []
    for site in segment.sites:
        if site.mnemonic.startswith(comparisons.STARTS):
            writes = site.effects.writes
            condition = next((name for name, mask in _CONDITIONS.items() if not writes & ~mask), "")
            if condition:
                each = _after(_Followed(condition, site), segment, site.index + 1)
                if not each.is_over or each.reader is not None:
                    found.append(each)
    return tuple(found)


def _after(each: _Followed, segment: Segment, first: int) -> _Followed:
    """A comparison followed through the instructions of a segment, from number `first`."""
    writes, overwriting = each.comparison.effects.writes, each.overwriting
    for site, result in zip(segment.sites[first:], results.of_segment(segment)[first:], strict=True):
        if result.used & writes:
            asks = site.effects.flow == "conditional" or site.mnemonic.startswith(comparisons.SELECTIONS)
            reader = site if overwriting is not None and asks else None
            return each._replace(overwriting=overwriting, reader=reader, is_over=True)
        if result.writes & writes:
            is_on_the_side = result.is_computed and bool(result.writes & ~_CONDITIONS[each.condition])
            if overwriting is not None or not is_on_the_side:
                return each._replace(is_over=True)
            overwriting = site
    return each._replace(overwriting=overwriting)

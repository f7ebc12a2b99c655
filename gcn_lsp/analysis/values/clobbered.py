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


def _in_straight_code(graph: Graph) -> Iterator[tuple[int, Clobbered]]:
    for stretch in straight.stretches(graph):
        for number, node in enumerate(stretch):
            for site in _comparisons(graph.nodes[node]):
                found = _followed(_following(graph, stretch[number:], site), site)
                if found is not None:
                    yield node, found


@once
def _comparisons(segment: Segment) -> tuple[Site, ...]:
    return tuple(site for site in segment.sites if site.mnemonic.startswith(comparisons.STARTS))


def _following(graph: Graph, nodes: straight.Stretch, site: Site) -> Iterator[tuple[Site, results.Result]]:
    """The instructions after a site of the first of `nodes` in straight code."""
    for number, node in enumerate(nodes):
        segment = graph.nodes[node]
        first = 0 if number else site.index + 1
        yield from zip(segment.sites[first:], results.of_segment(segment)[first:], strict=True)


def _followed(following: Iterator[tuple[Site, results.Result]], comparison: Site) -> "Clobbered | None":
    writes = comparison.effects.writes
    condition = next((name for name, mask in _CONDITIONS.items() if not writes & ~mask), "")
    if not condition:
        return None
    overwriting: Site | None = None
    for site, result in following:
        if overwriting is not None and result.used & writes:
            asks = site.effects.flow == "conditional" or site.mnemonic.startswith(comparisons.SELECTIONS)
            return Clobbered(condition, comparison, overwriting, site) if asks else None
        if result.used & writes:
            return None
        if result.writes & writes:
            is_on_the_side = result.is_computed and bool(result.writes & ~_CONDITIONS[condition])
            if overwriting is not None or not is_on_the_side:
                return None
            overwriting = site
    return None

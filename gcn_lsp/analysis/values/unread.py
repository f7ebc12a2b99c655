"""Finds scalar comparisons whose result nothing reads: the branch that was to follow is missing.

Question: which comparison sets an SCC that no path reads before it is overwritten or the wave ends?
Direction: forward in its segment; backward beyond that, by `values.liveness`.
May or must: must; one path with a reader is enough for silence.
Ignored: excerpts, which store nothing; vector comparisons, which hand-written code leaves behind.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.analysis.values import clobbered, dead, liveness
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.program.program import Program


@once
def comparisons(program: Program) -> tuple[Site, ...]:
    """The comparisons of a program without a reader, in program order, but for those that `clobbered` has.

    Those without one in their segment are few, so liveness, which costs more, is mostly not asked for.
    """
    graph = graphs.of(program)
    candidates = _candidates(graph) if graph is not None else ()
    live = liveness.of(program) if candidates else None
    if graph is None or live is None:
        return ()
    others = {each.setting for each in clobbered.conditions(program)}
    return tuple(
        site
        for node, sites in candidates
        if node not in live.opaque and node in dead.storing(graph)
        for site in sites
        if site not in others and site in dead.in_node(live, node)
    )


def _in_segment(segment: Segment, _: Model) -> tuple[Site, ...]:
    return tuple(_unread(segment))


def _unread(segment: Segment) -> Iterator[Site]:
    """The comparisons of a segment whose SCC no other instruction of it reads."""
    known = results.of_segment(segment)
    for site in segment.sites:
        if site.effects.writes != registers.SCC or not control_flow.COMPARISONS.fullmatch(site.mnemonic):
            continue
        for result in known[site.index + 1 :]:
            if result.used & registers.SCC:
                break
            if result.replaced & registers.SCC:
                yield site
                break
        else:
            yield site


_candidates = in_segments(_in_segment)

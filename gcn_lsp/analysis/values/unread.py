"""Finds scalar comparisons whose result nothing reads: the branch that was to follow is missing.

Question: which comparison sets an SCC that no path reads before it is overwritten or the wave ends?
Direction: forward, from each comparison without a reader in its segment. An SCC is soon overwritten, so this costs less
than `values.liveness`.
May or must: must; one path with a reader is enough for silence, and so is one that nobody knows.
Ignored: excerpts, which store nothing; vector comparisons, which hand-written code leaves behind.
"""

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.analysis.values import clobbered, dead
from gcn_lsp.flow.kept import once
from gcn_lsp.flow.search import Search
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.program.program import Program


@once
def comparisons(program: Program) -> tuple[Site, ...]:
    """The comparisons of a program without a reader, in program order, but for those that `clobbered` has."""
    graph = graphs.of(program)
    if graph is None:
        return ()
    opaque = results.opaque(program, graph)
    found = [
        (node, site)
        for node, sites in _candidates(graph)
        for site in sites
        if node not in opaque and not _may_be_read(graph, opaque, node, site.index + 1)
    ]
    if not found:
        return ()
    others = {each.setting for each in clobbered.conditions(program)}
    storing = dead.storing(graph)
    return tuple(site for node, site in found if node in storing and site not in others)


def _may_be_read(graph: Graph, opaque: frozenset[int], node: int, first: int) -> bool:
    """Whether anything may read SCC after instruction `first` of a node before it is overwritten."""
    search: Search[tuple[int, int]] = Search(((node, first),))
    for here, start in search:
        if here in opaque:
            return True
        is_read = _reads(graph.nodes[here], start)
        if is_read:
            return True
        if is_read is None:
            is_call = graph.nodes[here].flow == "call" or here in graph.calls
            if is_call or here in graph.open_ends or here in graph.fallen:
                return True
            search.add((after, 0) for after in graph.successors[here])
    return False


def _reads(segment: Segment, first: int) -> "bool | None":
    """Whether a segment reads SCC from instruction `first` on, or overwrites it; None if it does neither."""
    for result in results.of_segment(segment)[first:]:
        if result.used & registers.SCC:
            return True
        if result.replaced & registers.SCC:
            return False
    return None


def _in_segment(segment: Segment, _: Model) -> tuple[Site, ...]:
    """The comparisons of a segment whose SCC no other instruction of it reads."""
    return tuple(
        site
        for site in segment.sites
        if site.effects.writes == registers.SCC
        and control_flow.COMPARISONS.fullmatch(site.mnemonic)
        and not _reads(segment, site.index + 1)
    )


_candidates = in_segments(_in_segment)

"""Finds branches around code for fewer lanes, before which nothing takes lanes away.

Question: does a branch on EXEC follow a saved EXEC, or a comparison of lanes that nothing reads, with nothing between
that writes EXEC?
Direction: backward, through the straight code before each branch.
May or must: must; one path leads through the stretch.
Ignored: other branches on an EXEC that nothing narrows: LLVM writes those that are never taken so.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import dead, given_back, inactive, liveness
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Unnarrowed(NamedTuple):
    """A branch that is taken without lanes although nothing takes some away.

    before: what makes lanes that nothing reads, or, if `is_copy`, saves EXEC.
    """

    branch: Site
    before: Site
    is_copy: bool


def found(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[Unnarrowed]:
    """The branches on EXEC for which straight code saves EXEC, or computes lanes, but takes none away."""
    for node, branch in _branches(graph):
        if node in opaque:
            continue
        later = registers.NONE
        for site in straight.back(graph, branch):
            effects = site.effects
            if not effects.known or effects.writes & registers.EXEC or effects.flow != "next":
                break
            if inactive.is_saving(site):
                yield Unnarrowed(branch, site, is_copy=True)
                break
            lanes = effects.writes & ~registers.SCC
            is_mask = _makes_lanes(site) and not lanes & ~registers.SGPRS
            if is_mask and lanes and not lanes & later and _is_dead(program, site):
                yield Unnarrowed(branch, site, is_copy=False)
                break
            later |= effects.reads


def _makes_lanes(site: Site) -> bool:
    """Whether an instruction computes a mask of lanes that is not just the lanes that are off."""
    is_rest = any(mask & registers.EXEC for _, mask in site.effects.slots)
    return given_back.COMPUTES.fullmatch(site.mnemonic) is not None and not is_rest


def _is_dead(program: Program, site: Site) -> bool:
    live = liveness.of(program)
    node = live.graph.node_of(site.segment) if live is not None else None
    return live is not None and node is not None and site in dead.in_node(live, node)


_branches = in_segments(
    lambda segment, _: (
        segment.sites[-1]
        if segment.flow == "conditional" and segment.sites[-1].mnemonic in control_flow.EXEC_BRANCHES
        else None
    )
)

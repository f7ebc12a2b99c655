"""Finds matrix instructions of a loop that begin anew in each round: what earlier rounds made is overwritten, unread.

Question: which result in a loop does each round overwrite, without any reader in the loop, though one is behind it?
Direction: along the loop; whether something behind it reads the result, by `values.liveness`.
May or must: must; no instruction of the loop reads the result or writes it besides, and no round leaves it out.
Ignored: loops with calls, jumps or unknown code. Whether the loop has more than one round.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import loops
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.loops import Loop
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site, touched
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.analysis.values import liveness
from gcn_lsp.isa.machine import register_results
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_RESULT, _ADDED = "vdst", "src2"


class Lost(NamedTuple):
    """A matrix instruction whose results but that of the last round are lost. branch: the one back to the head."""

    site: Site
    branch: Site


def found(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[Lost]:
    """The matrix instructions of a program that should add to what the round before has left, and do not."""
    candidates = list(_candidates(graph, opaque))
    live = liveness.of(program) if candidates else None
    if live is None:
        return
    for node, site, loop in candidates:
        if live.after_instruction(node, site.index).anywhere & site.effects.slot(_RESULT):
            yield Lost(site, graph.nodes[loop.last].sites[-1])


def _candidates(graph: Graph, opaque: frozenset[int]) -> Iterator[tuple[int, Site, Loop]]:
    for node, sites in _beginnings(graph):
        loop = loops.innermost(graph, node)
        if loop is None or not opaque.isdisjoint(loop.body) or not loops.is_passed_in_each_round(graph, loop, node):
            continue
        parts = [graph.nodes[each] for each in loop.body]
        if any(part.flow in ("call", "jump") for part in parts):
            continue
        for site in sites:
            result = site.effects.slot(_RESULT)
            if not any(touched(part) & result for part in parts if part is not site.segment):
                others = (each for each in site.segment.sites if each is not site)
                if not any(each.effects.touches & result for each in others):
                    yield node, site, loop


def _of_segment(segment: Segment, _: Model) -> tuple[Site, ...]:
    """The matrix instructions of a segment that add to something else than what they write."""
    return tuple(site for site in segment.sites if _begins(site))


_beginnings = in_segments(_of_segment)


def _begins(site: Site) -> bool:
    instruction = site.item.instruction
    if instruction is None or instruction.form is None or not register_results.is_in_all_lanes(instruction.form):
        return False
    result = site.effects.slot(_RESULT)
    names = {operand.slot for operand in instruction.operands}
    return bool(result) and _ADDED in names and not result & site.effects.reads

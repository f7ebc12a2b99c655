"""Finds barriers that some waves of a work-group skip: a branch on EXEC leads around them, by the work-item id.

Waves that end do not count at a barrier, so a wave that skips one is missed only if it arrives at another one later:
then each barrier has waves that are at different places of the program.

Question: which barriers does a branch lead around that some waves of each work-group take, and others not?
Direction: forward from each branch; backward from it to the comparison that set EXEC.
May or must: must, of the comparison; may, of the barrier after the skipped one.
Ignored: branches on anything but the work-item id along x compared with a constant, in kernels that use no other axis,
and, in those that no compiler wrote, on comparisons of words that `lds.protocol` follows. What it knows to be a check
of the grid's bounds may cut a work-group in two, unless the number of elements is always a multiple of its size.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import starting_points, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.lds import protocol
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.analysis.values import kernel_inputs
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import comparisons, control_flow, roles
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Skipped(NamedTuple):
    """A barrier, the branch around it, the comparison that this depends on, and a barrier after both ways meet.

    is_likely: whether waves differ in the last work-group only, and in some launches.
    """

    barrier: Site
    branch: Site
    comparison: Site
    later: Site
    is_likely: bool = False


class _Parting(NamedTuple):
    """A comparison in which waves differ. is_likely: see `Skipped`."""

    comparison: Site
    is_likely: bool


_SAVES = roles.mnemonics("save exec")
_ID = "work-item id"
_AXIS = "work-item id x"
_IDS = 0x3FF  # the bits of an id in a register with three


def skipped(program: Program, graph: Graph) -> Iterator[Skipped]:
    """The skipped barriers of a program, one for each branch."""
    arrivals = {node: arrived[0] for node, arrived in starting_points.in_nodes(graph, starting_points.BARRIER)}
    for node, branch in _branches(graph) if arrivals else ():
        ways = graph.successors[node]
        if len(ways) != len(("on", "around")):
            continue
        on, around = ways
        inside = graph.reached((on,), barred=_into(graph, around))
        barrier = next((arrivals[each] for each in sorted(inside) if each in arrivals), None)
        if barrier is None or around in inside or not _leads_to(graph, inside, around):
            continue
        later = next((arrivals[each] for each in sorted(graph.reached((around,))) if each in arrivals), None)
        parting = _parting(program, graph, node, branch) if later is not None else None
        if parting is not None and later is not None:
            yield Skipped(barrier, branch, parting.comparison, later, parting.is_likely)


def _branch(segment: Segment, _: Model) -> "Site | None":
    """The branch at the end of a segment that may lead around a barrier."""
    is_one = segment.flow == "conditional" and control_flow.EXEC_BRANCHES.get(segment.sites[-1].mnemonic, False)
    return segment.sites[-1] if is_one else None


_branches = in_segments(_branch)


def _into(graph: Graph, node: int) -> frozenset[tuple[int, int]]:
    return frozenset((before, node) for before in graph.predecessors[node])


def _leads_to(graph: Graph, inside: set[int], node: int) -> bool:
    return any(before in inside for before in graph.predecessors[node])


def _parting(program: Program, graph: Graph, node: int, branch: Site) -> "_Parting | None":
    """The comparison that sets EXEC before a branch, if waves of a work-group differ in it."""
    saved = next((site for site in straight.back(graph, branch) if site.effects.writes & registers.EXEC), None)
    if saved is None or saved.mnemonic not in _SAVES:
        return None
    mask = saved.effects.slot("src0") or saved.effects.slot("ssrc0")
    found = next((site for site in straight.back(graph, saved) if site.effects.writes & mask), None)
    if found is None:
        return None
    if _differs(program, graph, found):
        return _Parting(found, is_likely=False)
    known = protocol.of_all(program)  # late, as it takes long
    if known is None or branch not in known.parting | known.bounded:
        return None
    return _Parting(found, is_likely=branch not in known.parting)


def _differs(program: Program, graph: Graph, site: Site) -> bool:
    """Whether a comparison of the work-item id with a constant holds in some waves of a work-group only."""
    operands = {operand.slot: operand for operand in site.operands}
    first, second = operands.get("src0"), operands.get("src1")
    relation = comparisons.relation_of_lanes(site.mnemonic)
    if first is None or second is None or relation is None:
        return False
    if type(first.value) is not int:
        first, second, relation = second, first, comparisons.MIRRORED[relation]
    if type(first.value) is not int or not _is_id(program, graph, site, second):
        return False
    if relation == "eq":
        return True
    lanes = graph.model.target.wavefront_size
    number = first.value + (relation in ("ge", "lt"))  # `n >= id` is `n + 1 > id`
    return 0 < number <= lanes if relation in ("gt", "ge") else lanes <= number < _IDS


def _is_id(program: Program, graph: Graph, site: Site, operand: Operand) -> bool:
    """Whether an operand is the work-item id along x of a kernel that uses no other."""
    node = graph.node_of(site.segment)
    if node is None or not kernel_inputs.held_at(program, graph, site, operand, among=_IDS):
        return False
    ids = {
        each.title
        for _, resources in kernel_inputs.kernels_of(program, node)
        for each in resources.inputs
        if each.title.startswith(_ID)
    }
    return ids == {_AXIS}

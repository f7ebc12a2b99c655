"""Finds results that nothing reads: instructions that compute or load and have no live result, by `values.liveness`.

Question: which instructions only compute or load what nothing reads?
Direction: backward; `values.liveness` has the fixed point. Later uses of a register are searched forward.
Lattice and join: as in `values.liveness`.
May or must: must; one path with a reader is enough for silence.
Ignored: results that are often left over, see `_is_usual`, and excerpts, which store nothing.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site, touched
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.results import EVERYTHING, of_segment
from gcn_lsp.analysis.values.liveness import Live, Liveness
from gcn_lsp.flow import search
from gcn_lsp.flow.kept import latest, once
from gcn_lsp.isa.machine import register_results, roles

# Other registers change how the machine works, or have other readers.
_JUDGED = registers.ALL_ACCUMULATORS | registers.SGPRS | registers.SCC | registers.vectors(EVERYTHING)


def sites(liveness: Liveness) -> Iterator[Site]:
    """The instructions whose result no path uses, in program order.

    Copies and constants are reported only if nothing touches the register later, values derived from EXEC never. Code
    that stores nothing is an excerpt, in which a result without a reader means nothing.
    """
    for node in range(len(liveness.graph.nodes)):
        if node not in liveness.opaque and in_node(liveness, node) and node in storing(liveness.graph):
            for site in in_node(liveness, node):
                if not _is_usual(site) and not (_is_preset(site) and _is_touched_later(liveness.graph, node, site)):
                    yield site


@once
def storing(graph: Graph) -> frozenset[int]:
    """The nodes of code that stores something: those connected to a node with a store."""
    neighbours = [(*after, *before) for after, before in zip(graph.successors, graph.predecessors, strict=True)]
    stores = [node for node, segment in enumerate(graph.nodes) if _stores(segment)]
    return frozenset(search.reached(stores, neighbours.__getitem__))


@once
def _stores(segment: Segment) -> bool:
    forms = [site.item.instruction.form for site in segment.sites if site.item.instruction is not None]
    return any(form is not None and (form.may_store or form.family == "EXP") for form in forms)


def _is_usual(site: Site) -> bool:
    """Whether a site is half of a pair that often remains when the other half is not needed.

    That is a scalar derived from EXEC, or a lane or an accumulator that is read back.
    """
    instruction, effects = site.item.instruction, site.effects
    form = instruction.form if instruction is not None else None
    if form is not None and form.mnemonic in register_results.GETS_BACK:
        return True
    return any(mask & registers.EXEC for _, mask in effects.slots) and not effects.writes & ~registers.ALL_SCALARS


def _is_preset(site: Site) -> bool:
    instruction = site.item.instruction
    return instruction is not None and instruction.form is not None and instruction.form.mnemonic in _PRESETS


_PRESETS = roles.mnemonics("move", "dual move", "reverse bits", "to scalar", "to lane")


def _is_touched_later(graph: Graph, node: int, site: Site) -> bool:
    """Whether an instruction that may run after a site, except itself, touches a register that it writes."""
    writes = site.effects.writes
    segment = graph.nodes[node]
    if any(other.effects.touches & writes for other in segment.sites[site.index + 1 :]):
        return True
    later = graph.reached(graph.successors[node])
    if node in later and any(each.effects.touches & writes for each in segment.sites[: site.index]):
        return True
    return any(touched(graph.nodes[other]) & writes for other in later if other != node)


def in_node(liveness: Liveness, node: int) -> tuple[Site, ...]:
    """The instructions of a node that only compute results that nothing reads."""
    return _dead(liveness.graph.nodes[node], liveness.after[node], liveness, node)


@latest
def _dead(segment: Segment, after: Live, liveness: Liveness, node: int) -> tuple[Site, ...]:
    found = []
    walk = zip(reversed(segment.sites), reversed(of_segment(segment)), liveness.each_after(node), strict=True)
    for site, result, live in walk:
        writes = result.writes
        if not writes or writes & ~_JUDGED or not (result.is_computed or is_load(site)):
            continue
        is_copy_to_itself = writes == result.used & ~_IMPLICIT and _is_preset(site)
        if not writes & (live.anywhere if result.all_lanes else live.here) and not is_copy_to_itself:
            found.append(site)
    found.reverse()
    return tuple(found)


def is_load(site: Site) -> bool:
    """Whether an instruction only loads from memory into registers, as far as another load would do.

    With a cache policy it may be volatile, or there to fetch the line; an atomic is never only a load.
    """
    form = site.item.instruction.form if site.item.instruction is not None else None
    if form is None or not form.may_load or form.may_store or not site.effects.writes:
        return False
    return not any(operand.slot == "cpol" and operand.value != 0 for operand in site.operands)


_IMPLICIT = registers.EXEC | registers.MODE | registers.M0

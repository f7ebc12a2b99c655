"""Finds the next readers of a register on each path from a place: on demand, by walking the graph forward.

Question: which instructions may read a value before it is replaced?
Direction: forward, from one place.
Lattice and join: sets of instructions; the union.
May or must: may; a read on some path counts, and of the reads on one path only the first.
Ignored: EXEC, and which path was taken.
"""

from operator import or_

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.flow.search import Fixpoint
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Readers(NamedTuple):
    """The possible next readers of a register, in program order. by_unknown: code that is not known may read it."""

    sites: tuple[Site, ...]
    by_unknown: bool


def moves(site: Site) -> bool:
    """Whether an instruction only moves a value: compilers move what has none on paths that need none."""
    role = roles.of(site.mnemonic)
    return role is not None and role.verb == "move"


def after(program: Program, graph: Graph, node: int, index: int, register: int) -> Readers:
    """The next readers of a register set after instruction `index` of a node."""
    opaque = results.with_data(program, graph)
    found: dict[int, Site] = {}
    by_unknown = False
    # The registers searched for from the start of each node, and from the first place.
    search: Fixpoint[int, int] = Fixpoint(or_)
    search.arrive(_FIRST, register)
    for place, sought in search:
        at, start = (node, index + 1) if place == _FIRST else (place, 0)
        if at in opaque:
            by_unknown = True
            continue
        segment = graph.nodes[at]
        known = results.of_segment(segment)
        wanted = sought
        for number in range(start, len(segment.sites)):
            site = segment.sites[number]
            read = site.effects.reads & wanted
            if read or not site.effects.known:
                by_unknown |= not site.effects.known
                if read:
                    found[id(site)] = site
                wanted &= ~read
            wanted &= ~known[number].replaced
            if not wanted:
                break
        if not wanted:
            continue
        if segment.flow == "call" or at in graph.open_ends:
            by_unknown = True
        for following in graph.successors[at]:
            search.arrive(following, wanted)
    return Readers(tuple(sorted(found.values(), key=graph.order)), by_unknown)


def only_masked(site: Site, register: int) -> bool:
    """Whether an instruction reads registers only to take lanes out of them, as masks, or to add lanes.

    Compilers begin such a mask in a loop with whatever the register held, since EXEC names all lanes that count.
    """
    effects = site.effects
    form = site.item.instruction.form if site.item.instruction is not None else None
    is_scalar = form is not None and "SALU" in form.flags
    return is_scalar and bool(effects.reads & registers.EXEC) and not register & effects.reads & ~effects.writes


_FIRST = -1  # the place that a search starts from

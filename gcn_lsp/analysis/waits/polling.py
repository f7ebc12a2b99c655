"""Finds loops that wait for a value in memory: they load it again and again from one address, and nothing else.

Question: which loop has one access, a load whose address no round changes, and ends by what that load returns?
Direction: forward through the rounds, from the load to the branches that leave the loop.
Lattice and join: the registers computed from what the load returned; the union.
May or must: may, for the result that a branch depends on; must, for the address and the accesses.
Ignored: which lanes are active, memory, and loops that call functions or wait at a barrier.
"""

from collections.abc import Iterator
from functools import reduce
from operator import or_

from gcn_lsp.analysis.control import loops
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.loops import Loop
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.waits import accesses
from gcn_lsp.flow.search import Fixpoint
from gcn_lsp.isa.machine import barriers
from gcn_lsp.isa.memory import memory_model
from gcn_lsp.records import NamedTuple


class Poll(NamedTuple):
    """A loop that waits for a value in memory.

    flag: the load. body: the nodes of the loop. exits: those that control reaches when the loop ends. is_decided:
    whether every way out depends on the value; others may count the rounds.
    """

    flag: Site
    body: frozenset[int]
    exits: tuple[int, ...]
    is_decided: bool


def found(graph: Graph) -> Iterator[Poll]:
    """The loops of a graph that wait for a value in memory."""
    for _, _, poll in _polls(graph):
        yield poll


_branches = in_segments(lambda segment, _: segment.flow in ("branch", "conditional"))


def _poll(graph: Graph, loop: Loop, _: int) -> "Poll | None":
    sites = [site for node in sorted(loop.body) for site in graph.nodes[node].sites]
    flag = _only_load(sites)
    if flag is None or any(node in graph.open_ends or node in graph.fallen for node in loop.body):
        return None
    written = reduce(or_, (site.effects.writes for site in sites))
    address = reduce(or_, (mask for name, mask in flag.effects.slots if name not in flag.effects.defined), 0)
    if address & written:
        return None
    decided = _decided(graph, loop, flag)
    leaving = [node for node in sorted(loop.body) if not loop.body.issuperset(graph.successors[node])]
    if decided.isdisjoint(leaving):
        return None
    exits = (after for node in leaving for after in graph.successors[node] if after not in loop.body)
    return Poll(flag, loop.body, tuple(dict.fromkeys(exits)), decided.issuperset(leaving))


_polls = loops.in_loops(_branches, loops.closed_by, _poll)


def _only_load(sites: list[Site]) -> "Site | None":
    """The load that is the only access of some instructions; None if they do more, or make its cache forget."""
    if any(not site.effects.known or site.effects.flow in ("call", "jump", "end") for site in sites):
        return None
    if any(barriers.arrives(site.mnemonic) or memory_model.refreshes(site.mnemonic) for site in sites):
        return None
    made = [site for site in sites if site.effects.events]
    return made[0] if len(made) == 1 and accesses.loads(made[0]) else None


def _decided(graph: Graph, loop: Loop, flag: Site) -> frozenset[int]:
    """The nodes of a loop that end with a branch on a value computed from what a load in it returned."""
    decided = set()
    search: Fixpoint[int, int] = Fixpoint(or_)
    search.arrive(loop.head, registers.NONE)
    for node, before in search:
        segment, computed = graph.nodes[node], before
        for number, result in enumerate(results.of_segment(segment)):
            is_computed = segment.sites[number] is flag or result.used & computed & ~registers.EXEC
            kept = registers.within(computed, ~result.replaced)
            computed = kept | result.writes if is_computed else kept
        branch = segment.sites[-1] if segment.sites else None
        if branch is not None and registers.TESTED.get(branch.mnemonic, registers.NONE) & computed:
            decided.add(node)
        for after in graph.successors[node]:
            if after in loop.body:
                search.arrive(after, computed)
    return frozenset(decided)

"""Plans the fewest sound waits: drops those that only registers need, and finds the places of new ones.

A wait stays if it orders memory: if it is for a counter that no register waits for, or comes before a barrier, the end,
a call, cache maintenance, an atomic, an access with a cache policy, or a store that does not need it for its own
registers. It also stays where the file does not show what is in flight: the first wait for zero in a function and after
a call. `waits` then finds the needed waits as if the others did not exist.

Question: which waits can go, and which counts are then needed where? Which counters may have been raised outside?
Direction: forward, from the functions of the file and from calls; the rest is asked of `waits.waits`.
Lattice and join: sets of counters that unknown code has raised last; the union.
May or must: may; a wait on a counter that some path has unknown stays.
Ignored: which path was taken.
"""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from gcn_lsp.analysis.control import graphs, kernels
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.waits import over_data, waits
from gcn_lsp.analysis.waits.engine import Engine
from gcn_lsp.flow.search import Fixpoint, Search
from gcn_lsp.isa.memory import memory_order
from gcn_lsp.program.program import Program


class Plan(msgspec.Struct, frozen=True):
    """The changes. dropped: waits to remove. needed: the counts to wait for before an instruction."""

    graph: Graph
    dropped: tuple[Site, ...]
    needed: tuple[tuple[Site, Mapping[str, int]], ...]


def plan(program: Program, may_drop: Callable[[Site], bool] = lambda _: True) -> "Plan | None":
    """The plan for a program; None if its target is not known. may_drop: which waits may be removed at all."""
    graph = graphs.of(program)
    if graph is None:
        return None
    plain = [
        site
        for segment in graph.nodes
        for site in segment.sites
        if site.effects.waits and _is_wait_only(site) and may_drop(site)
    ]
    starts, split = kernels.starts(program, graph), kernels.split(program, graph)
    blind = frozenset(_blind(graph, starts))
    candidates = frozenset(site for site in plain if site not in blind and not _orders_memory(graph, site))
    data = over_data.behind(program, graph)
    found = waits.solved(graph, Engine(graph.model, ignored=candidates), starts, split, data)
    missing = {each.site: dict(each.needs) for each in found.missing}
    kept = {site for site in candidates if _is_for_a_store(graph, site, missing)}
    if kept:
        candidates -= kept
        found = waits.solved(graph, Engine(graph.model, ignored=candidates), starts, split, data)
        missing = {each.site: dict(each.needs) for each in found.missing}
    dropped = tuple(site for site in plain if site in candidates)
    return Plan(graph, dropped, tuple(missing.items()))


def _blind(graph: Graph, starts: frozenset[int]) -> Iterator[Site]:
    """Waits on counters with unknown contents: code outside the file has raised them last."""
    everything = frozenset(graph.model.counters.values())
    calls = (node for node, segment in enumerate(graph.nodes) if segment.flow == "call")
    returns = (after for node in calls for after in graph.successors[node])
    search: Fixpoint[int, frozenset[str]] = Fixpoint(frozenset.union)
    for node in (*_functions(graph, starts), *returns):
        search.arrive(node, everything)
    for node, arrived in search:
        unknown = arrived
        for site in graph.nodes[node].sites:
            if any(counter in unknown for counter, _ in site.effects.waits):
                yield site
                unknown -= {counter for counter, count in site.effects.waits if count == 0}
        for successor in graph.successors[node] if unknown else ():
            search.arrive(successor, unknown)


def _functions(graph: Graph, starts: frozenset[int]) -> Iterator[int]:
    """The nodes where functions begin. Without a kernel in the file, their ends identify them."""
    for node in graph.entries:
        if starts:
            if node not in starts:
                yield node
        elif not graph.open_ends.isdisjoint(graph.reached((node,))):
            yield node


def _is_wait_only(site: Site) -> bool:
    """Whether an instruction only waits."""
    return not site.effects.touches and not site.effects.events


def _orders_memory(graph: Graph, site: Site) -> bool:
    if any(counter in memory_order.MEMORY_COUNTERS for counter, _ in site.effects.waits):
        return True
    return any(_is_ordered(following) for following in _following(graph, site))


def _is_ordered(site: Site) -> bool:
    instruction = site.item.instruction
    if instruction is None or instruction.form is None:
        return True  # unknown
    modifiers = {operand.slot: operand.value for operand in instruction.operands if operand.kind == "modifier"}
    return memory_order.orders(instruction.form, modifiers)


def _is_for_a_store(graph: Graph, site: Site, missing: Mapping[Site, Mapping[str, int]]) -> bool:
    """Whether a wait comes before a store that needs it for no register, so that it can only be for memory."""
    counters = {counter for counter, _ in site.effects.waits}
    for following in _following(graph, site):
        instruction = following.item.instruction
        form = instruction.form if instruction is not None else None
        if form is not None and form.may_store and counters.isdisjoint(missing.get(following, {})):
            return True
    return False


def _following(graph: Graph, site: Site) -> Iterator[Site]:
    """The next instruction after a wait, other waits aside, on each path."""
    node = graph.node_of(site.segment)
    search = Search([(node, site.index + 1)] if node is not None else ())
    for at, start in search:
        sites, index = graph.nodes[at].sites, start
        while index < len(sites) and sites[index].effects.waits and _is_wait_only(sites[index]):
            index += 1
        if index < len(sites):
            yield sites[index]
        else:
            search.add((after, 0) for after in graph.successors[at])

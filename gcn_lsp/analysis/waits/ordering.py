"""Finds releases and acquires that lack a part: steps of the sequences of `isa.memory_model` that others do not see.

A release is stores of data, a write-back where the target needs one, a wait, and the store of a flag. An acquire is a
load of the flag, a wait, and an invalidation before the data are loaded. Nothing marks a flag, and a relaxed access has
neither part. So a sequence counts as meant only if one of its parts is there that has no other purpose.

Question: which parts of a sequence follow one another without the part that belongs between them?
Direction: forward from write-backs and loops that wait for a flag; at the other parts, from what `waits` knows is in
flight.
May or must: may, over the paths of the graph.
Ignored: addresses. A search ends at a call, since the function's effects are not known.
"""

from collections.abc import Callable, Iterator
from functools import partial

from gcn_lsp.analysis.control import starting_points, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.waits import accesses, polling
from gcn_lsp.analysis.waits.state import Pending
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.flow.kept import once
from gcn_lsp.flow.search import Search
from gcn_lsp.isa.machine import barriers
from gcn_lsp.isa.memory import memory_model
from gcn_lsp.records import NamedTuple


class Unordered(NamedTuple):
    """A step of a sequence that comes too early, and the earlier one that it needs complete.

    counter: the counter that the wave must wait for between them.
    """

    later: Site
    earlier: Site
    counter: str


class Unwritten(NamedTuple):
    """A store of a flag without a write-back between a store of data and the wait for that.

    needed: the write-back.
    """

    flag: Site
    wait: Site
    data: Site
    needed: str


class Stale(NamedTuple):
    """A load without an invalidation since the loop that waited for a flag. flag: the load in the loop."""

    load: Site
    flag: Site


class Narrow(NamedTuple):
    """An access of a flag that ends at a cache, and the invalidation after it. lacking: the modifiers that it lacks."""

    flag: Site
    invalidation: Site
    lacking: tuple[str, ...]


# Releases


def unfinished_write_backs(found: Waits) -> Iterator[Unordered]:
    """Stores that a wave issues after a write-back without a wait for it."""
    graph = found.graph
    for node, site in starting_points.of(graph, starting_points.WRITE_BACK):
        if memory_model.is_within_group(site.mnemonic, accesses.policy(site)):
            continue
        stores = [(counter, each) for counter, each in found.in_flight(site) if _is_store(counter, each)]
        counter = next((counter for counter, _ in stores), "") or accesses.store_counter(site)
        if not counter:
            continue  # nothing to write back: LLVM omits the wait
        for later in _first(graph, node, site.index + 1, accesses.stores, partial(accesses.waits_for, counter=counter)):
            yield Unordered(later, site, counter)


def unwritten(found: Waits) -> Iterator[Unwritten]:
    """Flags that are stored after a wait for the stores of the data, and without a write-back."""
    graph = found.graph
    features = graph.model.target.features
    if not memory_model.write_back(memory_model.ANY_SCOPE, features):
        return
    for flag in (flag for _, flags in _all_flags(graph) for flag in flags):
        needed = memory_model.write_back(accesses.policy(flag), features)
        wait = accesses.wait_before(graph, flag) if needed and not _is_waited_for(graph, flag) else None
        if wait is None:
            continue
        waited = list(found.in_flight(wait))
        stores = [
            each.site for counter, each in waited if _is_store(counter, each) and accesses.is_plain(each.site, features)
        ]
        is_for_data = any(each.raised.writes for counter, each in waited if accesses.waits_for(wait, counter))
        near = {id(each): each for each in _since_write_back(graph, wait)}
        data = [each for each in stores if id(each) in near]
        if data and not is_for_data and len(data) == len(stores):
            yield Unwritten(flag, wait, data[-1], needed)


def unpublished(found: Waits) -> Iterator[Unordered]:
    """Barriers that a wave reaches with a store in flight, though it invalidates its caches after them.

    Only a barrier that publishes memory has that; it has to be released as well.
    """
    graph = found.graph
    seen: set[Site] = set()
    for _, site in starting_points.of(graph, starting_points.INVALIDATE):
        arrival = _arrival_before(graph, site)
        if arrival is None or arrival in seen:
            continue
        seen.add(arrival)
        for counter, each in found.in_flight(arrival):
            if _is_store(counter, each):
                yield Unordered(arrival, each.site, counter)
                break


# Acquires


def early_invalidations(found: Waits) -> Iterator[Unordered]:
    """Invalidations that a wave issues while its load of a flag, or the atomic directly before, is in flight."""
    graph = found.graph
    features = graph.model.target.features
    for _, site in starting_points.of(graph, starting_points.INVALIDATE):
        before = next(straight.back(graph, site), None)
        if before is not None and accesses.invalidates(before):
            continue  # the first of a group is reported
        atomic = _atomic_before(graph, site)
        for counter, each in found.in_flight(site):
            is_flag = counter in accesses.LOADS and each.raised.writes and not accesses.is_plain(each.site, features)
            if is_flag or (each.site is atomic and counter in accesses.STORES):
                yield Unordered(site, each.site, counter)
                break


def stale_loads(graph: Graph) -> Iterator[Stale]:
    """Loads after a loop that waits for a flag, without an invalidation on the way."""
    features = graph.model.target.features
    wanted = partial(accesses.reads_data, features=features)
    for poll in polling.found(graph):
        is_for_others = not memory_model.lacks(accesses.policy(poll.flag), features)
        for after in poll.exits if is_for_others else ():
            yield from (Stale(load, poll.flag) for load in _first(graph, after, 0, wanted, accesses.refreshes))


# Flags


def narrow_polls(graph: Graph) -> Iterator[Narrow]:
    """Loads of flags in loops that may read an old value from a cache each time, though waves elsewhere set the flag.

    That they do so shows in an invalidation after the loop, for what other work-groups have stored.
    """
    features = graph.model.target.features

    def is_next(site: Site) -> bool:
        return memory_model.is_beyond_group(site.mnemonic, accesses.policy(site), features)

    def ends(site: Site) -> bool:
        is_access = bool(site.effects.events) and not accesses.invalidates(site)
        return is_access or not site.effects.known or barriers.arrives(site.mnemonic)

    for poll in polling.found(graph):
        lacking = memory_model.lacks(accesses.policy(poll.flag), features)
        if lacking and poll.is_decided:
            found = (_first(graph, after, 0, is_next, ends) for after in poll.exits)
            yield from (Narrow(poll.flag, each, lacking) for sites in found for each in sites)


# What the graph says of a place


def _first(
    graph: Graph, node: int, index: int, wanted: Callable[[Site], bool], ends: Callable[[Site], bool]
) -> list[Site]:
    """The first wanted instruction on each path from a place, unless one that `ends` the search comes before it."""
    search = Search([(node, index)])
    for at, start in search:
        segment = graph.nodes[at]
        for site in segment.sites[start:]:
            if ends(site):
                break
            if wanted(site):
                return [site]
        else:
            search.add((after, 0) for after in graph.successors[at] if segment.flow != "call")
    return []


def _is_waited_for(graph: Graph, store: Site) -> bool:
    """Whether the wave waits for a store at once, as for a volatile one, before which it waits for older ones too."""

    def waits(site: Site) -> bool:
        return any(accesses.waits_for(site, counter) for counter in accesses.STORES)

    node = graph.node_of(store.segment)
    return node is not None and bool(_first(graph, node, store.index + 1, waits, lambda site: not waits(site)))


def _since_write_back(graph: Graph, wait: Site) -> Iterator[Site]:
    """The instructions before a wait in straight code, back to a write-back or a barrier; none if there is one."""
    found = []
    for site in straight.back(graph, wait):
        if memory_model.writes_back(site.mnemonic):
            return
        if barriers.arrives(site.mnemonic) or not site.effects.known:
            break
        found.append(site)
    yield from found


def _arrival_before(graph: Graph, invalidation: Site) -> "Site | None":
    """Where the wave has arrived at the barrier directly before an invalidation."""
    is_past = False
    for site in straight.back(graph, invalidation):
        if is_past and barriers.arrives(site.mnemonic):
            return site
        if not is_past and barriers.completes(site.mnemonic):
            is_past = True
            if barriers.arrives(site.mnemonic):
                return site
        elif not accesses.invalidates(site) and (site.effects.events or not site.effects.known):
            return None
    return None


def _atomic_before(graph: Graph, invalidation: Site) -> "Site | None":
    """The atomic before an invalidation with no other access between them."""
    before = next((site for site in straight.back(graph, invalidation) if site.effects.events), None)
    form = accesses.form(before) if before is not None else None
    is_atomic = form is not None and form.may_load and before is not None and accesses.stores(before)
    return before if is_atomic else None


# What an instruction is


def _is_store(counter: str, pending: Pending) -> bool:
    """Whether an operation in flight stores to memory; atomics may be relaxed."""
    form = accesses.form(pending.site)
    return (
        counter in accesses.STORES
        and form is not None
        and form.family in accesses.FAMILIES
        and form.may_store
        and not form.may_load
        and not pending.raised.writes
    )


@once
def _flags(segment: Segment) -> tuple[Site, ...]:
    """The stores of a segment that waves of other work-groups are to see."""
    return tuple(
        site for site in segment.sites if accesses.policy(site) & memory_model.BEYOND_GROUP and accesses.stores(site)
    )


_all_flags = in_segments(lambda segment, _: _flags(segment))

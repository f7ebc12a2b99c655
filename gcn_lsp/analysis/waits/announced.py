"""Finds data that a wave gives to others by a flag or a count, without a part of what makes them visible.

Nothing marks a flag or the data behind it, so both have to show. A flag is what a loop of the same program waits for. A
count is what an atomic returns on a way to a branch, after which the last work-group reads what all have stored: "the
last block is done". The data are what is stored before that and loaded after it, by an address from the same argument.

Question: which data are stored before a flag or a count, and loaded elsewhere after it, and what lies between?
Direction: backward from the flag or the atomic to the stores, forward from the loop or the atomic to the loads.
Lattice and join: the places that control passes, each with whether a wait or a write-back is on the way.
May or must: may, over the paths of the graph; must, for the argument that an address is computed from.
Ignored: which lanes are active, and stores before a barrier, which other waves of the group may have made.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.values import addresses
from gcn_lsp.analysis.waits import accesses, polling, waits
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.flow.kept import once
from gcn_lsp.flow.search import Search
from gcn_lsp.isa.machine import barriers
from gcn_lsp.isa.memory import memory_model
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Announced(NamedTuple):
    """Data that a flag or a count announces too early. reader: what loads them. needed: the steps before the flag."""

    flag: Site
    data: Site
    reader: Site
    needed: tuple[str, ...]


class Unrefreshed(NamedTuple):
    """Data that are loaded after a count, but may come from a cache. data: a store of them."""

    load: Site
    atomic: Site
    data: Site


class Limited(NamedTuple):
    """A flag or a count that other work-groups need not see. reader: the load in the loop or the invalidation."""

    flag: Site
    reader: Site
    lacking: str


Found = Announced | Unrefreshed | Limited


@once
def of(program: Program) -> tuple[Found, ...]:
    """What the flags and the counts of a program lack."""
    found = waits.of(program)
    return tuple(_found(program, found)) if found is not None and not program.final_state.incomplete else ()


def _found(program: Program, found: Waits) -> Iterator[Found]:
    search = _Protocols(program, found)
    for poll in polling.found(found.graph):
        yield from search.of_flag(poll)
    for _, sites in _counts(found.graph):
        for site in sites:
            yield from search.of_count(site)


_counts = in_segments(lambda segment, _: tuple(filter(accesses.counts, segment.sites)))
_stores = in_segments(
    lambda segment, _: tuple(site for site in segment.sites if accesses.stores(site) and not site.effects.writes)
)


class _Stored(NamedTuple):
    """A store before a flag, and what is on a way between them."""

    site: Site
    is_waited_for: bool
    is_written_back: bool


class _Loaded(NamedTuple):
    """A load after a count, and whether an invalidation is on the way to it."""

    node: int
    site: Site
    invalidation: Site | None


class _Protocols:
    """The searches in one program."""

    def __init__(self, program: Program, found: Waits) -> None:
        self._program = program
        self._waits = found
        self._graph = found.graph
        self._features = found.graph.model.target.features
        first = memory_model.sequence(self._features).release[0]
        self._write_back = first if memory_model.writes_back(first.split()[0]) else ""

    def of_flag(self, poll: polling.Poll) -> Iterator[Found]:
        """What the stores of the flag of a loop lack, if what is loaded after it may be from other work-groups."""
        flag = addresses.key(self._program, self._graph, poll.flag)
        if flag is None or memory_model.lacks(accesses.policy(poll.flag), self._features):
            return
        loads = self._loads_after((after, 0) for after in poll.exits)
        readers = {
            argument: each.site
            for each in loads
            if each.invalidation is not None
            and (argument := addresses.argument(self._program, self._graph, each.site)) is not None
        }
        for node, sites in _stores(self._graph):
            for store in sites:
                if node in poll.body or addresses.key(self._program, self._graph, store) != flag:
                    continue
                lacking = memory_model.hides(
                    accesses.policy(store), self._features, is_atomic=accesses.is_atomic(store)
                )
                if lacking and readers:
                    yield Limited(store, poll.flag, lacking)
                for data in self._data_before(node, store):
                    argument = addresses.argument(self._program, self._graph, data.site)
                    reader = readers.get(argument) if argument is not None else None
                    if reader is not None and addresses.key(self._program, self._graph, data.site) != flag:
                        yield from self._announced(store, data, reader)

    def of_count(self, count: Site) -> Iterator[Found]:
        """What an atomic lacks by whose result the last work-group knows that all others are done."""
        node = self._graph.node_of(count.segment)
        stored = list(self._data_before(node, count)) if node is not None else []
        if node is None or not stored:
            return
        arguments = {
            argument: each
            for each in stored
            if (argument := addresses.argument(self._program, self._graph, each.site)) is not None
        }
        if not arguments:
            return
        for loaded in self._loads_after(((node, count.index + 1),)):
            argument = addresses.argument(self._program, self._graph, loaded.site)
            data = arguments.get(argument) if argument is not None else None
            if data is None or not self._is_chosen(node, loaded.node) or self._has_one_address(data.site, loaded.site):
                continue
            is_released = data.is_waited_for and (data.is_written_back or not self._write_back)
            lacking = memory_model.hides(accesses.policy(count), self._features, is_atomic=True)
            if loaded.invalidation is not None and not is_released:
                yield from self._announced(count, data, loaded.site)
            elif loaded.invalidation is None and is_released and self._is_release(count, data):
                yield Unrefreshed(loaded.site, count, data.site)
            elif loaded.invalidation is not None and lacking:
                yield Limited(count, loaded.invalidation, lacking)

    def _announced(self, flag: Site, data: _Stored, reader: Site) -> Iterator[Announced]:
        counter = accesses.store_counter(data.site)
        lacks_write_back = bool(self._write_back) and not data.is_written_back
        if counter and (lacks_write_back or not data.is_waited_for):
            wait = wait_text.written({counter: 0}, self._features)
            yield Announced(flag, data.site, reader, (*((self._write_back,) if lacks_write_back else ()), *wait))

    def _is_release(self, count: Site, data: _Stored) -> bool:
        """Whether the wait before an atomic is for what was stored: by a write-back, or for nothing that was loaded."""
        wait = accesses.wait_before(self._graph, count)
        if data.is_written_back or wait is None:
            return data.is_written_back
        counter = accesses.store_counter(data.site)
        return not any(name == counter and pending.raised.writes for name, pending in self._waits.in_flight(wait))

    def _has_one_address(self, one: Site, other: Site) -> bool:
        first, second = (addresses.key(self._program, self._graph, site) for site in (one, other))
        return first is not None and first == second

    # Searches

    def _data_before(self, node: int, flag: Site) -> Iterator[_Stored]:
        """The stores before a flag, back to barriers and calls."""
        graph = self._graph
        in_flight = {id(each.site) for _, each in self._waits.in_flight(flag)}
        search = Search([(node, flag.index, frozenset[str](), False)])
        for at, end, before, was_written in search:
            awaited, is_written_back, is_over = before, was_written, False
            for site in reversed(graph.nodes[at].sites[:end]):
                if not site.effects.known or barriers.arrives(site.mnemonic):
                    is_over = True
                    break
                awaited |= {counter for counter, count in site.effects.waits if count == 0}
                if memory_model.writes_back(site.mnemonic):
                    is_written_back |= not memory_model.is_within_group(site.mnemonic, accesses.policy(site))
                elif accesses.stores(site) and not accesses.is_atomic(site):
                    is_done = accesses.store_counter(site) in awaited or id(site) not in in_flight
                    yield _Stored(site, is_done, is_written_back)
            search.add(
                (each, len(graph.nodes[each].sites), awaited, is_written_back)
                for each in (() if is_over else graph.predecessors[at])
                if graph.nodes[each].flow != "call"
            )

    def _loads_after(self, starts: "Iterator[tuple[int, int]] | tuple[tuple[int, int], ...]") -> Iterator[_Loaded]:
        """The loads of data that control reaches, each with the last invalidation for others' stores on the way."""
        graph = self._graph
        search: Search[tuple[int, int, Site | None]] = Search((node, index, None) for node, index in starts)
        for at, start, before in search:
            invalidation = before
            for site in graph.nodes[at].sites[start:]:
                if memory_model.is_beyond_group(site.mnemonic, accesses.policy(site), self._features):
                    invalidation = site
                elif accesses.reads_data(site, self._features):
                    yield _Loaded(at, site, invalidation)
            if graph.nodes[at].flow != "call":
                search.add((after, 0, invalidation) for after in graph.successors[at])

    def _is_chosen(self, count: int, load: int) -> bool:
        """Whether some way from an atomic leads to the end, or around again, without a load."""
        graph = self._graph
        search = Search(graph.successors[count] if load != count else ())
        for node in search:
            if node != load and graph.nodes[node].flow == "end":
                return True
            search.add(graph.successors[node] if node != load else ())
        return False

"""Finds writes to LDS that may still be in flight when a wave arrives at the barrier that is to publish them.

Other waves read LDS as soon as the barrier is complete. A wave that arrives while its own writes are counted as
outstanding has not stored them yet, and no wait of the readers helps.

Question: which writes to LDS may be outstanding at a barrier before a read of LDS?
Direction: forward, from what `waits` knows is in flight; then forward from the barrier to the first read.
May or must: may, over the paths of the graph; the write has to be in flight on a path to the barrier, and the read
among the first ones on a path from it: before the wait for them and before the next barrier.
Ignored: address registers, but for constant offsets: what is further apart counts as two of several buffers that a
pipeline fills in turn. Loads that put their data into LDS, which pipelines keep in flight over barriers on purpose.
Accesses of the part of LDS that only the wave itself uses, by its number. Writes that a wait for a count above 1
directly before the barrier leaves out: these are for a later barrier.
"""

from collections.abc import Iterator
from enum import IntEnum
from functools import reduce

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import starting_points, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Event
from gcn_lsp.analysis.values import lds_by_wave
from gcn_lsp.analysis.waits.engine import Engine
from gcn_lsp.analysis.waits.state import Pending, WaitState
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.analysis.waits.walk import WaitWalk
from gcn_lsp.flow.kept import once, recent
from gcn_lsp.flow.search import Search
from gcn_lsp.isa.machine import barriers
from gcn_lsp.isa.schema import Form
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.program.kernels import lds_usage
from gcn_lsp.records import NamedTuple


class Unpublished(NamedTuple):
    """A barrier that a wave may reach with a write to LDS in flight.

    arrival: the instruction that says that the wave has arrived. write: such a write, with its counter. read: a read of
    LDS after the barrier that may need it.
    """

    arrival: Site
    write: Site
    counter: str
    read: Site


class _Write(NamedTuple):
    site: Site
    counter: str
    offsets: tuple[int, ...]


def unpublished(found: Waits) -> Iterator[Unpublished]:
    """The barriers of a program that publish LDS too early, in program order."""
    graph, engine = found.graph, found.engine
    for node, arrivals in starting_points.in_nodes(graph, starting_points.BARRIER):
        states = found.before(node)
        if not states:
            continue
        state = states[0] if len(states) == 1 else reduce(engine.join, states)
        for arrival, writes in _early(graph.nodes[node], state, engine, arrivals):
            if _is_counted(graph, arrival, writes[0].counter):
                continue
            pair = _read_after(graph, node, arrival, writes)
            if pair is not None and not lds_by_wave.share(graph, pair[0].site, pair[1]):
                write, read = pair
                yield Unpublished(arrival, write.site, write.counter, read)


def _is_counted(graph: Graph, arrival: Site, counter: str) -> bool:
    """Whether a wait for a count above 1 stands directly before an arrival: it leaves the youngest writes out."""
    for site in _back(graph, arrival):
        counts = [count for name, count in site.effects.waits if name == counter]
        if counts:
            return counts[0] > 1  # one left is more often a slip
        if site.effects.events or site.effects.touches & ~registers.ALL_SCALARS:
            return False
    return False


def _back(graph: Graph, site: Site) -> Iterator[Site]:
    """The instructions before a site, the nearest first, over branches that are not taken."""
    yield from straight.back(graph, site)
    node = graph.node_of(site.segment)
    while node is not None and len(graph.predecessors[node]) == 1 and graph.predecessors[node][0] < node:
        (node,) = graph.predecessors[node]
        if graph.nodes[node].flow != "next":  # else it was straight
            yield from reversed(graph.nodes[node].sites)


@recent(bounds.BARRIER_STATES)
def _early(
    segment: Segment, state: WaitState, engine: Engine, arrivals: tuple[Site, ...]
) -> tuple[tuple[Site, tuple[_Write, ...]], ...]:
    """Those of the arrivals of a segment that have writes to LDS in flight, the youngest write first."""
    walk = WaitWalk(engine, state)
    last = arrivals[-1].index
    if _first_write(segment) > last and not any(_is_write(each) for _, each in walk.in_flight()):
        return ()
    found = []
    for site in segment.sites[: last + 1]:
        if site in arrivals:
            pending = [(counter, each.site) for counter, each in walk.in_flight() if _is_write(each)]
            if pending:
                writes = (_Write(write, counter, _offsets(write)) for counter, write in reversed(pending))
                found.append((site, tuple(writes)))
        walk.step(site)
    return tuple(found)


@once
def _first_write(segment: Segment) -> int:
    """The index of the first instruction of a segment that writes to LDS; the number of instructions if none does."""
    writes = (site.index for site in segment.sites if any(_is_write_event(site, each) for each in site.effects.events))
    return next(writes, len(segment.sites))


def _is_write(pending: Pending) -> bool:
    """Whether an operation in flight writes to LDS, for certain, and to LDS alone."""
    return _is_write_event(pending.site, pending.raised)


def _is_write_event(site: Site, event: Event) -> bool:
    form = _form(site)
    is_lds = event.kind == wait_events.LDS and event.row == wait_events.LDS_ROW
    return is_lds and form is not None and form.may_store and not site.effects.is_lane_exchange


def _reads(site: Site) -> bool:
    """Whether an instruction reads what LDS holds."""
    form = _form(site)
    if form is None or site.effects.is_lane_exchange:
        return False
    is_access = form.may_load and any(event.row == wait_events.LDS_ROW for event in site.effects.events)
    return is_access or barriers.copies_from_lds(form.mnemonic)


class _Stage(IntEnum):
    """How far a path after an arrival has come."""

    WAITING = 0  # for the other waves
    PAST = 1  # the barrier
    READING = 2  # LDS


def _read_after(graph: Graph, node: int, arrival: Site, writes: tuple[_Write, ...]) -> "tuple[_Write, Site] | None":
    """The read that may need one of the writes: among the first reads after the barrier, up to the wait for them."""
    stage = _Stage.WAITING if barriers.is_split(arrival.mnemonic) else _Stage.PAST
    search = Search([(node, arrival.index + 1, stage)])
    for at, index, stage in search:
        result = _follow(graph.nodes[at], index, writes, stage)
        if isinstance(result, tuple):
            return result
        if result is not None:
            ways = graph.successors[at]
            if graph.nodes[at].flow == "call":  # what the wave does after the function has returned is not known
                ways = (graph.calls[at],) if at in graph.calls else ()
            search.add((after, 0, result) for after in ways)
    return None


def _follow(
    segment: Segment, index: int, writes: tuple[_Write, ...], stage: _Stage
) -> "tuple[_Write, Site] | _Stage | None":
    """What comes in a segment: the pair, the stage at its end, or None for the next arrival or a wait for reads."""
    for site in segment.sites[index:]:
        if barriers.arrives(site.mnemonic):
            return None
        if barriers.completes(site.mnemonic):
            stage = _Stage.PAST
        elif stage is _Stage.READING and any(counter == writes[0].counter for counter, _ in site.effects.waits):
            return None
        elif stage is not _Stage.WAITING and _reads(site):
            stage = _Stage.READING
            offsets = _offsets(site)
            for write in writes:
                if any(abs(one - other) < bounds.SAME_DATA for one in offsets for other in write.offsets):
                    return write, site
    return stage


def _offsets(site: Site) -> tuple[int, ...]:
    """The constant parts of the addresses of an access, in bytes."""
    instruction = site.item.instruction
    form = _form(site)
    return (0,) if instruction is None or form is None else lds_usage.offsets(instruction, form)


def _form(site: Site) -> "Form | None":
    return site.item.instruction.form if site.item.instruction is not None else None

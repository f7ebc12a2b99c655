"""Finds writes to LDS that may still be in flight when a wave arrives at the barrier that is to publish them.

Other waves read LDS as soon as the barrier is complete. A wave that arrives while its own writes are counted as
outstanding has not stored them yet, and no wait of the readers helps.

Question: which writes to LDS may be outstanding at a barrier before a read of LDS?
Direction: forward, from what `waits` knows is in flight; then forward from the barrier to the first read.
May or must: may, over the paths of the graph; the write has to be in flight on a path to the barrier, and the read has
to be before the next barrier on a path from it.
Ignored: addresses. Loads that put their data into LDS, which pipelines keep in flight over barriers on purpose.
"""

from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

from gcn_lsp.analysis.control import sought
from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.waits.engine import Engine
from gcn_lsp.analysis.waits.state import Pending, State
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.analysis.waits.walk import Walk
from gcn_lsp.flow.kept import recent
from gcn_lsp.isa import barriers, wait_events
from gcn_lsp.isa.schema import Form


class Unpublished(NamedTuple):
    """A barrier that a wave may reach with a write to LDS in flight.

    arrival: the instruction that says that the wave has arrived. write: the youngest such write, with its counter.
    read: a read of LDS that comes after the barrier.
    """

    arrival: Site
    write: Site
    counter: str
    read: Site


def unpublished(found: Waits) -> Iterator[Unpublished]:
    """The barriers of a program that publish LDS too early, in program order."""
    graph, engine = found.graph, found.engine
    for node in sorted({node for node, _ in sought.of(graph, sought.BARRIER)}):
        states = found.before[node]
        for arrival, write, counter in _early(graph.nodes[node], reduce(engine.join, states), engine) if states else ():
            read = _read_behind(graph, node, arrival)
            if read is not None:
                yield Unpublished(arrival, write, counter, read)


@recent(2)  # an edit makes new states
def _early(segment: Segment, state: State, engine: Engine) -> tuple[tuple[Site, Site, str], ...]:
    """The arrivals in a segment with a write to LDS in flight: the youngest one, and its counter."""
    walk = Walk(engine, state)
    found = []
    for site in segment.sites:
        if barriers.arrives(site.mnemonic):
            writes = [(counter, each) for counter, each in walk.in_flight() if _is_write(each)]
            if writes:
                counter, youngest = writes[-1]
                found.append((site, youngest.site, counter))
        walk.step(site)
    return tuple(found)


def _is_write(pending: Pending) -> bool:
    """Whether an operation in flight writes to LDS, for certain, and to LDS alone."""
    event, form = pending.raised, _form(pending.site)
    is_lds = event.kind == wait_events.LDS and event.row == wait_events.LDS_ROW
    return is_lds and form is not None and form.may_store and not pending.site.effects.is_lane_exchange


def _reads(site: Site) -> bool:
    """Whether an instruction reads what LDS holds."""
    form = _form(site)
    if form is None or site.effects.is_lane_exchange:
        return False
    is_access = form.may_load and any(event.row == wait_events.LDS_ROW for event in site.effects.events)
    return is_access or barriers.copies_from_lds(form.mnemonic)


def _read_behind(graph: Graph, node: int, arrival: Site) -> "Site | None":
    """The first read of LDS after the barrier of an arrival, on some path before the next arrival."""
    is_split = barriers.is_split(arrival.mnemonic)
    seen: set[tuple[int, bool]] = set()
    open_ones: list[tuple[int, int, bool]] = [(node, arrival.index + 1, not is_split)]
    while open_ones:
        at, index, is_past = open_ones.pop()
        result = _follow(graph.nodes[at], index, is_past=is_past)
        if isinstance(result, Site):
            return result
        if result is not None:
            new = [(after, result) for after in graph.successors[at] if (after, result) not in seen]
            seen.update(new)
            open_ones += ((after, 0, is_past) for after, is_past in new)
    return None


def _follow(segment: Segment, index: int, *, is_past: bool) -> "Site | bool | None":
    """What comes in a segment: the read, or None for the next arrival, or whether the barrier has been passed."""
    for site in segment.sites[index:]:
        if barriers.arrives(site.mnemonic):
            return None
        if barriers.completes(site.mnemonic):
            is_past = True
        elif is_past and _reads(site):
            return site
    return is_past if segment.flow != "call" else None


def _form(site: Site) -> "Form | None":
    return site.item.instruction.form if site.item.instruction is not None else None

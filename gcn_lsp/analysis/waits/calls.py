"""Finds what functions and their callers leave in flight for each other.

By LLVM's calling convention a function waits, before anything else, for what its caller may have in flight, and before
it returns for what it has begun itself. Only stores with a counter of their own may stay in flight.

A part of a shader ends without a return, and its epilog takes over the registers as a caller does. What writes none may
stay in flight there: code that LLVM knows never to be reached ends just so, after any store.

Question: which operations are in flight at a return or end, and what does a function touch before it has waited?
Direction: at returns, from what `waits` knows; forward from the entry of each function.
May or must: may, over the paths of the graph.
Ignored: whether the caller has anything in flight, unless all callers are in the file.
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain
from operator import or_

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import functions
from gcn_lsp.analysis.control.functions import Function
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Event
from gcn_lsp.analysis.waits.state import Pending
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.flow import solver
from gcn_lsp.flow.kept import recent
from gcn_lsp.isa.kernels import calling_convention
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Outstanding(NamedTuple):
    """A return with operations in flight, one for each counter, the youngest.

    exit: the return, or the last instruction of a part of a shader, which `is_part`.
    """

    function: str
    exit: Site
    operations: tuple[tuple[str, Site], ...]
    is_part: bool


class Unguarded(NamedTuple):
    """The first instruction of a function that touches registers which its caller may still be loading.

    start: the first instruction of the function. counters: those that it has not waited for.
    """

    function: str
    start: Site
    user: Site
    counters: tuple[str, ...]


def outstanding(program: Program, found: Waits) -> Iterator[Outstanding]:
    """The returns that leave operations in flight; an invalidation may be, since loads after it keep behind it."""
    for function in functions.of(program, found.graph):
        for node, site in function.returns:
            at_return = (each for at, each in found.along(found.graph.nodes[node]) if at is site)
            last = _to_wait_for(chain.from_iterable(at_return))
            if last:
                yield Outstanding(function.name, site, last, is_part=False)
    for part in functions.parts(program, found.graph):
        last = _to_wait_for(each for each in found.after(part.nodes) if each[1].raised.writes)
        if last:
            yield Outstanding(part.name, part.last, last, is_part=True)


def _to_wait_for(in_flight: Iterable[tuple[str, Pending]]) -> tuple[tuple[str, Site], ...]:
    """The youngest operation of each counter that whoever goes on does not wait for."""
    return tuple(
        {
            counter: pending.site
            for counter, pending in in_flight
            if counter not in calling_convention.LEFT_IN_FLIGHT and not _may_stay(pending.raised)
        }.items()
    )


def _may_stay(event: Event) -> bool:
    """Whether an operation need not be done: an invalidation, or what a copy into LDS does not count."""
    return wait_events.is_uncounted(event.row, event.kind) or event.row == wait_events.INVALIDATE_ROW


def unguarded(program: Program, found: Waits) -> Iterator[Unguarded]:
    """The functions that do not wait at their entry."""
    graph = found.graph
    counters = tuple(name for name in found.engine.counters if name in calling_convention.FOR_MEMORY)
    for function in functions.of(program, graph):
        if not function.is_global and _is_called_at_rest(found, function):
            continue
        states = solver.solve(
            graph.successors,
            {function.entry: frozenset(counters)},
            lambda node, state: _guard(graph.nodes[node], state)[0],
            lambda one, other: one if other <= one else one | other,
        )
        uses = [_guard(graph.nodes[node], state)[1] for node in sorted(function.nodes) if (state := states[node])]
        first = next((use for use in uses if use is not None), None)
        start = next(site for node in sorted(function.nodes) for site in graph.nodes[node].sites)
        if first is not None:
            user, open_ones = first
            yield Unguarded(function.name, start, user, tuple(name for name in counters if name in open_ones))


_CARRIED = registers.ALL_ACCUMULATORS | registers.SGPRS | registers.vectors(-1)
# What a function may use at once: the caller has computed the return address, and never loads these two.
_READY = registers.of_tuple("s", 30, 4)


@recent(bounds.CALL_STATES)
def _guard(segment: Segment, counters: frozenset[str]) -> "tuple[frozenset[str], tuple[Site, frozenset[str]] | None]":
    """The counters not waited for after a segment, none after the first use of a register; and that use."""
    for site in segment.sites:
        effects = site.effects
        counters -= {counter for counter, count in effects.waits if count == 0}
        if not counters:
            break
        if effects.touches & _CARRIED & ~_READY:
            return frozenset(), (site, counters)
    return counters, None


def _is_called_at_rest(found: Waits, function: Function) -> bool:
    """Whether all calls of a function of this file are known, and nothing is in flight at any of them."""
    callers = [node for node, entry in found.graph.calls.items() if entry == function.entry]
    for node in callers:
        segment = found.graph.nodes[node]
        for site, in_flight in found.along(segment):
            held = reduce(or_, (pending.raised.writes for _, pending in in_flight), registers.NONE)
            if site is segment.sites[-1] and held:
                return False
    return bool(callers)

"""Finds barrier operations that cannot be meant: without their counterpart, or on a barrier that does not exist.

Question: has a wave signalled to the barrier of its work-group, and not waited for it yet, at a place?
Direction: forward, from the start of each kernel.
Lattice and join: sets of `_IDLE` and `_SIGNALLED`; the union.
May or must: must; a place that control reaches in both states is not reported.
Ignored: called functions, after which both are possible.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.analysis.control import kernels
from gcn_lsp.analysis.control.found import in_segments
from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.flow import solver
from gcn_lsp.flow.kept import once
from gcn_lsp.isa import barriers
from gcn_lsp.program.program import Program


class Misused(NamedTuple):
    """A barrier operation that cannot be meant. what: the reason, a sentence without a period."""

    site: Site
    what: str


_IDLE, _SIGNALLED = 1, 2
_EITHER = _IDLE | _SIGNALLED


class _Operation(NamedTuple):
    """An operation on a barrier. number: None if it is not known."""

    site: Site
    name: str
    number: int | None


def misused(program: Program, graph: Graph) -> Iterator[Misused]:
    """The operations of a program's kernels that cannot be meant."""
    if not _all_operations(graph):
        return
    starts = kernels.starts(program, graph)
    reached = graph.reached(starts, into_calls=True)
    yield from _numbers(graph, reached)
    yield from _pairs(graph, starts)


def _numbers(graph: Graph, reached: set[int]) -> Iterator[Misused]:
    """Operations on barriers that a kernel does not have, or that nothing sets up."""
    every = [each for node in sorted(reached) for each in _operations(graph.nodes[node])]
    is_whole = not any(graph.nodes[node].flow == "call" and node not in graph.calls for node in reached)
    is_set_up = any(
        each.name == barriers.INIT or (each.name in barriers.SIGNALS and each.number is None) for each in every
    )
    is_joined = any(each.name == barriers.JOIN for each in every)
    for site, name, number in every:
        if number is None:
            continue
        if number in barriers.TRAP_HANDLER:
            yield Misused(site, f"barrier {number} is the trap handler's: in a kernel this does nothing")
        elif (
            name in (barriers.INIT, barriers.JOIN)
            and number not in barriers.NAMED
            and (name, number) != (barriers.JOIN, 0)
        ):
            yield Misused(site, f"barrier {number} is not a named one; those are 1 to {barriers.NAMED[-1]}")
        elif number not in barriers.NAMED or not is_whole:
            continue
        elif name in barriers.SIGNALS and not is_set_up:
            yield Misused(site, f"nothing sets up barrier {number}: no `{barriers.INIT}` in the program")
        elif name == barriers.WAIT and not is_joined:
            yield Misused(site, f"the wave is not a member of a named barrier: no `{barriers.JOIN}` in the program")


def _pairs(graph: Graph, starts: frozenset[int]) -> Iterator[Misused]:
    """Waits without a signal, and signals after a signal, at the barrier of the work-group."""
    states = solver.solve(
        graph.successors,
        dict.fromkeys(starts, _IDLE),
        lambda node, state: _after(graph.nodes[node], state),
        lambda one, other: one | other,
    )
    for before, segment in zip(states, graph.nodes, strict=True):
        state = before
        for site, name, number in _operations(segment) if before is not None else ():
            if number != barriers.WORK_GROUP:
                continue
            if name == barriers.WAIT and state == _IDLE:
                yield Misused(site, "the wave waits at a barrier that it has not signalled to, and never goes on")
            elif name in barriers.SIGNALS and state == _SIGNALLED:
                yield Misused(site, "the wave has signalled already, and has not waited for the others since")
            state = _SIGNALLED if name in barriers.SIGNALS else _IDLE if name == barriers.WAIT else state


def _after(segment: Segment, state: int) -> int:
    for _, name, number in _operations(segment):
        if number == barriers.WORK_GROUP:
            state = _SIGNALLED if name in barriers.SIGNALS else _IDLE if name == barriers.WAIT else state
    return _EITHER if segment.flow == "call" else state


@once
def _operations(segment: Segment) -> tuple[_Operation, ...]:
    """The operations of a segment on barriers with numbers."""
    return tuple(
        _Operation(site, site.mnemonic, barriers.number(site.operands[0].value) if site.operands else None)
        for site in segment.sites
        if site.mnemonic.startswith("s_barrier_") and site.operands
    )


_all_operations = in_segments(lambda segment, _: _operations(segment))

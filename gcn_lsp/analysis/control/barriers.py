"""Finds barrier operations that cannot be meant: without their counterpart, or on a barrier that does not exist.

Question: what may a wave have done at a place: signalled to the barrier of its work-group, or of its cluster, and not
waited for it yet; joined a named barrier?
Direction: forward, from the start of each kernel.
Lattice and join: sets of the facts below, two of each pair; the union.
May or must: must; a place that control reaches with both facts of a pair is not reported.
Ignored: called functions, after which everything is possible.
"""

from collections.abc import Iterator, Mapping, Sequence

from gcn_lsp.analysis.control import kernels
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.values import symbolic
from gcn_lsp.flow import solver
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.machine import barriers, roles
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Misused(NamedTuple):
    """A barrier operation that cannot be meant. what: the reason, a sentence without a period.

    missing: the instruction that belongs before it; empty if that is not certain. is_odd: it may go well.
    """

    site: Site
    what: str
    missing: str = ""
    is_odd: bool = False


# What a wave may have done: pairs of facts, one of which holds.
_IDLE, _SIGNALLED = 1, 2  # at the barrier of the work-group
_CLUSTER_IDLE, _CLUSTER_SIGNALLED = 4, 8
_ALONE, _JOINED = 16, 32  # no named barrier, or one
_AT_START = _IDLE | _CLUSTER_IDLE | _ALONE
_ANYTHING = 63
_GROUP, _CLUSTER, _NAMED = _IDLE | _SIGNALLED, _CLUSTER_IDLE | _CLUSTER_SIGNALLED, _ALONE | _JOINED


class _Operation(NamedTuple):
    """An operation on a barrier. number: None if it is not known. arrivals: those that M0 asks for, None if unknown."""

    site: Site
    name: str
    number: int | None
    arrivals: int | None


_Operations = Mapping[int, Sequence[_Operation]]  # of nodes


def misused(program: Program, graph: Graph, *, has_single_waves: bool = False) -> Iterator[Misused]:
    """The operations of a program's kernels that cannot be meant.

    has_single_waves: every work-group is one wave.
    """
    if not _all_sites(graph):
        return
    operations = _operations(program, graph)
    starts = kernels.starts(program, graph)
    reached = graph.reached(starts, into_calls=True)
    yield from _numbers(graph, operations, reached)
    yield from _sequences(graph, operations, starts)
    if not has_single_waves:
        yield from _crowded(graph, operations, starts)


def _numbers(graph: Graph, operations: _Operations, reached: set[int]) -> Iterator[Misused]:
    """Operations on barriers that a kernel does not have, or that nothing sets up or signals to."""
    every = [each for node in sorted(reached) for each in operations.get(node, ())]
    is_whole = not any(graph.nodes[node].flow == "call" and node not in graph.calls for node in reached)
    others = _others(every) if is_whole else None
    for site, name, number, arrivals in every:
        if name == barriers.INIT and arrivals == 0:
            yield Misused(site, "this sets a barrier up for no arrivals: the bits 22:16 of M0 are 0")
        if number is not None:
            what = _not_of_kernel(name, number) or (_unprepared(name, number, others) if others is not None else None)
            if what is not None:
                yield Misused(site, what)


class _Others(NamedTuple):
    """What the operations of a program do: set up a named barrier, join one, signal to that of the cluster."""

    set_up: bool
    join: bool
    signal: bool


def _others(every: Sequence[_Operation]) -> _Others:
    signals = [each for each in every if each.name in barriers.SIGNALS]
    return _Others(
        set_up=any(each.name == barriers.INIT for each in every)
        or any(each.number is None or each.arrivals for each in signals),
        join=any(each.name == barriers.JOIN for each in every),
        signal=any(each.number in (None, barriers.CLUSTER) for each in signals),
    )


def _not_of_kernel(name: str, number: int) -> "str | None":
    """Why an operation is on a barrier that a kernel does not have."""
    if number in barriers.TRAP_HANDLER:
        return f"barrier {number} is the trap handler's: in a kernel this does nothing"
    is_named = name in (barriers.INIT, barriers.JOIN) and (name, number) != (barriers.JOIN, 0)
    if is_named and number not in barriers.NAMED:
        return f"barrier {number} is not a named one; those are 1 to {barriers.NAMED[-1]}"
    return None


def _unprepared(name: str, number: int, others: _Others) -> "str | None":
    """Why an operation is on a barrier that nothing sets up, joins or signals to."""
    if name == barriers.WAIT and number == barriers.CLUSTER and not others.signal:
        return f"no wave signals to the barrier of the cluster: no `{barriers.SIGNAL} {number}`"
    if number in barriers.NAMED and name in barriers.SIGNALS and not others.set_up:
        return f"nothing sets up barrier {number}: no `{barriers.INIT}` in the program"
    if number in barriers.NAMED and name == barriers.WAIT and not others.join:
        return f"the wave is not a member of a named barrier: no `{barriers.JOIN}` in the program"
    return None


def _sequences(graph: Graph, operations: _Operations, starts: frozenset[int]) -> Iterator[Misused]:
    """Operations that every path reaches without what belongs before them."""
    states = solver.solve(
        graph.successors,
        dict.fromkeys(starts, _AT_START),
        lambda node, state: _after(graph.nodes[node], operations.get(node, ()), state),
        lambda one, other: one | other,
    )
    is_joined = any(each.name == barriers.JOIN for found in operations.values() for each in found)
    for node, (before, segment) in enumerate(zip(states, graph.nodes, strict=True)):
        state = before
        for operation in operations.get(node, ()) if before is not None else ():
            found = _defect(operation, state or 0, is_joined=is_joined)
            if found is not None:
                yield found
            state = _step(operation, state or 0)
        end = segment.sites[-1] if segment.sites else None
        if end is not None and before is not None and end.mnemonic in _ENDS and (state or 0) & _GROUP == _SIGNALLED:
            what = (
                "the wave ends after a signal that it has not waited for: the barrier then expects one wave fewer and "
                "may already count this one"
            )
            yield Misused(end, what, _WAIT_FOR_GROUP, is_odd=True)


_ENDS = roles.mnemonics("end")
_WAIT_FOR_GROUP, _SIGNAL_TO_GROUP = f"{barriers.WAIT} -1", f"{barriers.SIGNAL} -1"


def _defect(operation: _Operation, state: int, *, is_joined: bool) -> "Misused | None":
    """What is wrong with an operation after everything in a state."""
    site, name, number, _ = operation
    if number == barriers.WORK_GROUP and name == barriers.WAIT and state & _GROUP == _IDLE:
        what = "the wave waits at a barrier that it has not signalled to, and never goes on"
        return Misused(site, what, _SIGNAL_TO_GROUP)
    if number == barriers.WORK_GROUP and name in barriers.SIGNALS and state & _GROUP == _SIGNALLED:
        what = "the wave has signalled already, and has not waited for the others since"
        return Misused(site, what, _WAIT_FOR_GROUP)
    if number == barriers.CLUSTER and name in barriers.SIGNALS and state & _CLUSTER == _CLUSTER_SIGNALLED:
        return Misused(site, "the wave has signalled to the cluster already, and no wave has waited for it since")
    if state & _NAMED != _ALONE or not is_joined:
        return None
    if name == barriers.LEAVE:
        return Misused(site, "the wave is not a member of a named barrier here, so there is none to leave")
    if name == barriers.WAIT and number in barriers.NAMED:
        return Misused(site, "the wave is not a member of a named barrier here, and waits for none")
    return None


def _after(segment: Segment, operations: Sequence[_Operation], state: int) -> int:
    for operation in operations:
        state = _step(operation, state)
    return _ANYTHING if segment.flow == "call" else state


def _step(operation: _Operation, state: int) -> int:
    """The state after an operation."""
    _, name, number, _ = operation
    if name in (barriers.JOIN, barriers.LEAVE):
        return state & ~_NAMED | (_ALONE if name == barriers.LEAVE or number == 0 else _JOINED)
    if name in barriers.SIGNALS and number == barriers.WORK_GROUP:
        return state & ~_GROUP | _SIGNALLED
    if name in barriers.SIGNALS and number == barriers.CLUSTER:
        return state & ~_CLUSTER | _CLUSTER_SIGNALLED
    if name != barriers.WAIT:
        return state
    if number == barriers.CLUSTER:
        return state & ~_CLUSTER | _CLUSTER_IDLE
    state |= _CLUSTER  # another wave of the work-group may have waited for the cluster
    return state & ~_GROUP | _IDLE if number == barriers.WORK_GROUP else state


def _crowded(graph: Graph, operations: _Operations, starts: frozenset[int]) -> Iterator[Misused]:
    """Signals to the barrier of the cluster that every wave gives: no path from a start to an end is without."""
    ends = {node for node, segment in enumerate(graph.nodes) if segment.sites and segment.sites[-1].mnemonic in _ENDS}
    for node, found in operations.items():
        for site, name, number, _ in found:
            if name not in barriers.SIGNALS or number != barriers.CLUSTER:
                continue
            barred = frozenset((before, node) for before in graph.predecessors[node])
            without = graph.reached(starts - {node}, barred=barred)
            if node in graph.reached(starts) and not without & ends:
                yield Misused(
                    site,
                    "every wave signals to the barrier of the cluster, which counts one for each work-group: let one "
                    f"wave signal, such as the first by `{barriers.SIGNAL_IF_FIRST} -1`",
                )


def _operations(program: Program, graph: Graph) -> dict[int, tuple[_Operation, ...]]:
    """The operations of each node on barriers, if it has some, with their numbers."""
    return {node: tuple(_operation(program, graph, site) for site in sites) for node, sites in _all_sites(graph)}


def _operation(program: Program, graph: Graph, site: Site) -> _Operation:
    written = site.operands[0] if site.operands else None
    is_in_m0 = written is not None and written.file == "m0"
    m0 = symbolic.m0(program, graph, site) if is_in_m0 or site.mnemonic == barriers.INIT else None
    number = barriers.number(written.value) if written is not None else None
    if m0 is None:
        return _Operation(site, site.mnemonic, number, None)
    if is_in_m0:
        number = barriers.number_in_m0(m0)
    return _Operation(site, site.mnemonic, number, barriers.arrivals_in_m0(m0))


@once
def _sites(segment: Segment) -> tuple[Site, ...]:
    """The operations of a segment on barriers."""
    return tuple(site for site in segment.sites if site.mnemonic in barriers.NUMBERED)


_all_sites = in_segments(lambda segment, _: _sites(segment))

"""Finds writes to LDS that may overtake the reads of other waves: of the next round, with one barrier for each round.

A wave writes to LDS, arrives at a barrier, and reads what others have written. It may write again only after all have
read: there are two barriers in a round, or two buffers in turn.

Question: does a wave write twice to one address, with one barrier between, and read LDS between that and the second
write?
Direction: forward in straight code, and around loops that are straight.
May or must: must. The address register and EXEC stay as they are between both writes.
Ignored: reads by the address of the write, which are of the wave's own data, and writes after such a read, which
update them; what is only in the part of one wave.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum

from gcn_lsp.analysis.control import starting_points, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import lds_by_wave
from gcn_lsp.flow.kept import latest, once
from gcn_lsp.isa.machine import barriers
from gcn_lsp.isa.memory import lds_accesses
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.program.kernels import lds_usage
from gcn_lsp.records import NamedTuple


class Early(NamedTuple):
    """A write that other waves' reads may be too late for.

    write: it. read: the read since the barrier. barrier: what completes the one barrier. former: the same write before.
    """

    write: Site
    read: Site
    barrier: Site
    former: Site


class _Key(NamedTuple):
    """What is written: the address register, as a set, and the constant offsets."""

    address: int
    offsets: tuple[int, ...]


class _EarlyWrite(NamedTuple):
    site: Site
    barriers: int


def found(graph: Graph) -> Iterator[Early]:
    """The writes of a program that come too early, in program order."""
    seen: set[int] = set()
    for node, _ in starting_points.in_nodes(graph, starting_points.BARRIER):
        if node in seen:
            continue
        nodes = straight.containing(graph, node)
        seen.update(nodes)
        first, *others = (graph.nodes[each] for each in nodes)
        is_loop = nodes[0] in graph.successors[nodes[-1]]
        for each in _in_stretch(first, tuple(others), is_loop):
            if not lds_by_wave.share(graph, each.write, each.read):
                yield each


@latest
def _in_stretch(first: Segment, others: tuple[Segment, ...], is_loop: bool) -> tuple[Early, ...]:
    steps = [step for segment in (first, *others) for step in _steps(segment)]
    early = {each.write: each for each in _follow((*steps, *steps) if is_loop else steps)}
    return tuple(early.values())


class _AccessKind(IntEnum):
    """What an instruction is to the accesses before it."""

    OTHER = 0
    CLEARING = 1  # nothing is known after it
    COMPLETING = 2  # ends the wait at a barrier
    ARRIVING = 3  # at a barrier of the work-group
    WRITING = 4
    READING = 5


class _CountedStep(NamedTuple):
    """An instruction that counts here, None at the end.

    written: the vector registers written since the one before. key: of a write or read of LDS, else None.
    """

    written: int
    kind: _AccessKind
    site: "Site | None"
    key: "_Key | None"


@once
def _steps(segment: Segment) -> tuple[_CountedStep, ...]:
    """The few instructions of a segment that count: long stretches are followed again at each edit."""
    found = []
    written = registers.NONE
    for site in segment.sites:
        kind = _kind(site)
        key = _key(site) if kind in (_AccessKind.WRITING, _AccessKind.READING) else None
        if key is not None or kind in (_AccessKind.CLEARING, _AccessKind.COMPLETING, _AccessKind.ARRIVING):
            found.append(_CountedStep(written, kind, site, key))
            written = registers.NONE
        written = registers.union(written, registers.within(site.effects.writes, _VECTORS))
    return (*found, _CountedStep(written, _AccessKind.OTHER, None, None))


def _follow(steps: Iterable[_CountedStep]) -> Iterator[Early]:
    """The early writes in instructions that follow one another."""
    written: dict[_Key, _EarlyWrite] = {}
    reads: list[Site] = []  # since the last barrier
    own: set[_Key] = set()  # of these
    passed, barrier = 0, None
    for changed, kind, site, key in steps:
        if written and changed:
            written = {key: each for key, each in written.items() if not key.address & changed}
        if site is None:
            continue
        if key is None:
            reads.clear()
            own.clear()
            if kind is _AccessKind.CLEARING:
                written.clear()
            elif kind is _AccessKind.COMPLETING:
                passed, barrier = passed + 1, site
        elif kind is _AccessKind.WRITING:
            former = written.get(key)
            if former is not None and former.barriers == passed - 1 and barrier is not None and key not in own:
                read = next((each for each in reads if _differs(each, key)), None)
                if read is not None:
                    yield Early(site, read, barrier, former.site)
            written[key] = _EarlyWrite(site, passed)
        else:
            reads.append(site)
            own.add(key)


_VECTORS = registers.vectors(-1)


def _kind(site: Site) -> _AccessKind:
    effects, mnemonic = site.effects, site.mnemonic
    if not effects.known or effects.writes & registers.EXEC or effects.flow == "call":
        return _AccessKind.CLEARING
    if barriers.concerns(mnemonic):
        if barriers.completes(mnemonic):
            return _AccessKind.COMPLETING
        return _AccessKind.ARRIVING if _is_of_work_group(site) else _AccessKind.CLEARING
    if effects.is_lane_exchange or all(event.row != wait_events.LDS_ROW for event in effects.events):
        return _AccessKind.OTHER
    if mnemonic.startswith(lds_accesses.WRITES):
        return _AccessKind.WRITING
    return _AccessKind.READING if mnemonic.startswith(lds_accesses.READS) else _AccessKind.OTHER


def _is_of_work_group(site: Site) -> bool:
    return bool(site.operands) and barriers.number(site.operands[0].value) == barriers.WORK_GROUP


def _key(site: Site) -> "_Key | None":
    address, instruction = site.effects.slot("addr"), site.item.instruction
    if not address or instruction is None or instruction.form is None:
        return None
    return _Key(address, lds_usage.offsets(instruction, instruction.form))


def _differs(read: Site, key: _Key) -> bool:
    """Whether a read is by another register than a write, and so of what other waves may have written."""
    return read.effects.slot("addr") != key.address

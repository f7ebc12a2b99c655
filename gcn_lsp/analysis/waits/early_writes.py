"""Finds writes to LDS that may overtake the reads of other waves: of the next round, with one barrier for each round.

A wave writes to LDS, arrives at a barrier, and reads what others have written. It may write again only after all have
read: there are two barriers in a round, or two buffers in turn.

Question: does a wave write twice to one address, with one barrier between, and read LDS between that and the second
write?
Direction: forward in straight code, and around loops that are straight.
May or must: must. The address register and EXEC stay as they are between both writes.
Ignored: reads by the address of the write, which are of the wave's own data; what is only in the part of one wave.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gcn_lsp.analysis.control import sought, straight
from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import wave_parts
from gcn_lsp.flow.kept import latest
from gcn_lsp.isa import barriers, wait_events
from gcn_lsp.program.kernels import lds_usage


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


class _Written(NamedTuple):
    site: Site
    barriers: int


def found(graph: Graph) -> Iterator[Early]:
    """The writes of a program that come too early, in program order."""
    seen: set[int] = set()
    for node, _ in sought.in_nodes(graph, sought.BARRIER):
        if node in seen:
            continue
        nodes = sorted(straight.around(graph, (node,)))
        seen.update(nodes)
        first, *others = (graph.nodes[each] for each in nodes)
        is_loop = nodes[0] in graph.successors[nodes[-1]]
        for each in _in_stretch(first, tuple(others), is_loop):
            if not wave_parts.share(graph, each.write, each.read):
                yield each


@latest
def _in_stretch(first: Segment, others: tuple[Segment, ...], is_loop: bool) -> tuple[Early, ...]:
    sites = [site for segment in (first, *others) for site in segment.sites]
    early = {each.write: each for each in _follow((*sites, *sites) if is_loop else sites)}
    return tuple(early.values())


def _follow(sites: Iterable[Site]) -> Iterator[Early]:
    """The early writes in instructions that follow one another."""
    written: dict[_Key, _Written] = {}
    reads: list[Site] = []  # since the last barrier
    passed, barrier = 0, None
    for site in sites:
        effects, mnemonic = site.effects, site.mnemonic
        if not effects.known or effects.writes & registers.EXEC or effects.flow == "call":
            written.clear()
        if written and effects.writes & _VECTORS:
            written = {key: each for key, each in written.items() if not key.address & effects.writes}
        if mnemonic.startswith("s_barrier"):
            reads.clear()
            if barriers.completes(mnemonic):
                passed, barrier = passed + 1, site
            elif not _is_of_work_group(site):
                written.clear()
        elif any(event.row == wait_events.LDS_ROW for event in effects.events):
            key = _key(site)
            if key is None or effects.is_lane_exchange:
                continue
            if mnemonic.startswith(_WRITES):
                former = written.get(key)
                read = next((each for each in reads if _differs(each, key)), None)
                if former is not None and former.barriers == passed - 1 and read is not None and barrier is not None:
                    yield Early(site, read, barrier, former.site)
                written[key] = _Written(site, passed)
            elif mnemonic.startswith(_READS):
                reads.append(site)


_VECTORS = registers.vectors(-1)
_WRITES, _READS = ("ds_write", "ds_store"), ("ds_read", "ds_load")


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

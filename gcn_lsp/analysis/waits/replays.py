"""Finds atomic operations that may be executed twice, because an older access is still translating its address.

On a page fault the hardware executes the vector memory accesses again from the oldest one whose address is not
translated. An atomic operation among them changes memory a second time.

Question: which accesses may be translating their addresses when an atomic operation on memory is issued?
Direction: forward, from what `waits` knows is in flight.
May or must: may, over the paths of the graph.
Ignored: older atomic operations, behind which LLVM needs no wait; stores and accesses that must not be repeated for
other reasons, which look like any other.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.records import NamedTuple


class Replayed(NamedTuple):
    """An atomic operation, and the youngest access that may be translating its address before it."""

    atomic: Site
    access: Site


def of(found: Waits) -> Iterator[Replayed]:
    """The atomic operations on targets that count translations."""
    if wait_events.TRANSLATION not in found.engine.index:
        return
    for segment in found.graph.nodes:
        atomics = _atomics(segment)
        if not atomics:
            continue
        for site, in_flight in found.along(segment):
            if site in atomics:
                before = [
                    each.site
                    for counter, each in in_flight
                    if counter == wait_events.TRANSLATION and _counts(each.site)
                ]
                if before:
                    yield Replayed(site, before[-1])


@once
def _atomics(segment: Segment) -> frozenset[Site]:
    return frozenset(site for site in segment.sites if _is_atomic(site) and _family(site) in ("FLAT", "GLOBAL"))


def _counts(site: Site) -> bool:
    """Whether an access is of vector memory, and no atomic operation."""
    return _family(site) not in ("SMEM", "") and not _is_atomic(site)


def _is_atomic(site: Site) -> bool:
    form = site.item.instruction.form if site.item.instruction is not None else None
    return form is not None and not form.flags.isdisjoint(("IsAtomicRet", "IsAtomicNoRet"))


def _family(site: Site) -> str:
    form = site.item.instruction.form if site.item.instruction is not None else None
    return form.family if form is not None else ""

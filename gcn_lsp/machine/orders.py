"""Orders in which memory operations complete and waves take turns: what the hardware may do, one choice each."""

from collections.abc import Iterator

import msgspec

from gcn_lsp import isa
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.machine.leftovers import Leftovers


class Order(msgspec.Struct, frozen=True):
    """A choice among what the hardware may do.

    name: for messages. delays: the counters whose operations complete only when a wait needs it. reversed: the waves
    of a work-group take turns from the last to the first. turn: instructions of a turn; 0 for as many as come before a
    barrier. seed: of the lengths of turns; 0 for equal ones. is_stale: an instruction too close after another one reads
    what was there before it. leftovers: what memory holds that nothing has written; None for zeros.
    """

    name: str
    delays: frozenset[str] = frozenset()
    reversed: bool = False
    turn: int = 64
    seed: int = 0
    is_stale: bool = False
    leftovers: Leftovers | None = None


EARLY = Order("every access completes at once")
"""The order of a plain run."""


def of(target: isa.Target, seed: int = 0) -> Iterator[Order]:
    """The orders that a run is repeated in, the plain one first."""
    counters = frozenset(wait_events.counter_names(target.features).values()) - {wait_events.TRANSLATION}
    yield EARLY if not seed else msgspec.structs.replace(EARLY, seed=seed, name=f"turns by the seed {seed}")
    yield Order("every access completes as late as the waits allow", counters, turn=0)
    yield Order("as late as the waits allow, the last wave first", counters, reversed=True, turn=0)
    yield Order("every access completes at once, the last wave first", reversed=True, turn=1)
    yield Order("registers are read before what is written to them too closely before", is_stale=True)
    for counter in sorted(counters):
        yield Order(f"accesses of {counter} complete as late as the waits allow", frozenset((counter,)), turn=16)
    yield Order("as late as the waits allow, turns of random lengths", counters, turn=32, seed=seed + 1)

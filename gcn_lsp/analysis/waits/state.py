"""The operations in flight at one point, counter by counter, and the join of two paths.

Question: which operations may be outstanding on each counter, and at which age?
Direction: forward.
Lattice and join: sets of operations with their ages and a bound for each counter; the union, the younger age of each
operation, the higher bound (widened, so that a loop does not count up one round after the other).
May or must: may; an operation in flight on some path is in flight.
Ignored: which path was taken, except where a finding depends on it (`control.paths`, `control.forks`).
"""

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine.effects import Event
from gcn_lsp.flow.interned import Interned
from gcn_lsp.records import NamedTuple

MANY = 1 << 10  # more than any counter counts
UNKNOWN = 1 << 11  # an unknown number is outstanding, because other code issued them


class Pending(NamedTuple):
    """An operation in flight on one counter.

    age: how many younger ones the counter counts. event: the index among the events of the site's effects. wait: the
    last wait on the counter that did not cover it, and the operation's age then.
    """

    age: int
    site: Site
    event: int
    wait: Site | None
    age_at_wait: int

    @property
    def raised(self) -> Event:
        """The event."""
        return self.site.effects.events[self.event]


class WaitState(Interned):
    """The operations in flight at one point, for each of the target's counters.

    pending: oldest first. most: the maximum that each counter may count. lds: see `DMA_DONE`.
    """

    __slots__ = ("lds", "most", "pending")

    def __init__(self, pending: tuple[tuple[Pending, ...], ...], most: tuple[int, ...], lds: int) -> None:
        super().__init__()
        self.pending = pending
        self.most = most
        self.lds = lds


# What is known of LDS: whether data of a load into it has certainly arrived, and whether anything else wrote it. Until
# either has happened, a read of LDS can only be for data that is still in flight.
DMA_DONE = 1
LDS_WRITTEN = 2
# The waves run in thread-group split mode and have no LDS, so FLAT accesses memory alone, in order with other loads.
NO_LDS = 4


def bound(mine: int, theirs: int) -> int:
    """The bound on outstanding operations at a join."""
    if mine >= theirs or theirs == UNKNOWN:
        return max(mine, theirs)
    return bounds.FEW if theirs <= bounds.FEW else MANY


def union(mine: tuple[Pending, ...], theirs: tuple[Pending, ...]) -> tuple[Pending, ...]:
    """The operations of both, each at its younger age; in the order of `mine` where nothing changes."""
    found = {(each.site, each.event): each for each in mine}
    for each in theirs:
        key = (each.site, each.event)
        known = found.get(key)
        if known is None:
            found[key] = each
        elif known != each:
            age = min(known.age, each.age)
            if known.wait is not None and (known.wait is not each.wait or known.age_at_wait != each.age_at_wait):
                found[key] = known._replace(age=age, wait=None, age_at_wait=0)
            elif age != known.age:
                found[key] = known._replace(age=age)
    merged = tuple(found.values())
    return mine if merged == mine else tuple(sorted(merged, key=_by_age))


def _by_age(pending: Pending) -> int:
    return -pending.age

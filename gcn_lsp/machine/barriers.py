"""The barriers of a work-group or a cluster: which waves have arrived, and which may go on."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from gcn_lsp.machine.races import Clocks, Times


@dataclass
class Barrier:
    """A barrier. members: how many arrivals it is for. arrived: those of this round, each by whatever tells it from
    the others, such as its wave. round: how many rounds are over.

    known: what the waves that arrived knew, for those that pass; last: of the round before.
    """

    members: int
    arrived: set[Hashable] = field(default_factory=set)
    round: int = 0
    known: "Times | None" = None
    last: "Times | None" = None

    def arrive(self, wave: int, clocks: "Clocks | None", key: Hashable = None) -> bool:
        """A wave arrives; returns whether it is the first. The last one opens the barrier.

        clocks: None where the waves that it is for do not count each other's time. key: of the arrival, if it is not
        the wave.
        """
        is_first = not self.arrived
        self.arrived.add(wave if key is None else key)
        if clocks is not None:
            released = clocks.released(wave)
            self.known = released if self.known is None else np.maximum(self.known, released)
        self.open_if_full()
        return is_first

    def open_if_full(self) -> None:
        """Begin the next round if all have arrived."""
        if len(self.arrived) >= self.members and self.arrived:
            self.arrived = set()
            self.round += 1
            self.last, self.known = self.known, None

    def begin(self, members: int) -> None:
        """Set it up for so many arrivals, and begin a round."""
        self.members = members
        self.arrived = set()

    def leave(self, key: Hashable) -> None:
        """A wave ends, or leaves: the barrier is for one fewer."""
        self.members -= 1
        self.arrived.discard(key)
        self.open_if_full()

    def passed(self, wave: int, clocks: "Clocks | None") -> None:
        """A wave goes on behind the barrier."""
        if self.last is not None and clocks is not None:
            clocks.acquire(wave, self.last)

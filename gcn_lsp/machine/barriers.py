"""The barriers of a work-group: which waves have arrived, and which may go on."""

from dataclasses import dataclass, field

import numpy as np

from gcn_lsp.machine.races import Clocks, Times


@dataclass
class Barrier:
    """A barrier. members: how many waves it is for. arrived: those of this round. round: how many rounds are over.

    known: what the waves that arrived knew, for those that pass; last: of the round before.
    """

    members: int
    arrived: set[int] = field(default_factory=set)
    round: int = 0
    known: "Times | None" = None
    last: "Times | None" = None

    def arrive(self, wave: int, clocks: Clocks) -> bool:
        """A wave arrives; returns whether it is the first. The last one opens the barrier."""
        is_first = not self.arrived
        self.arrived.add(wave)
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

    def leave(self, wave: int) -> None:
        """A wave ends, or leaves: the barrier is for one fewer."""
        self.members -= 1
        self.arrived.discard(wave)
        self.open_if_full()

    def passed(self, wave: int, clocks: Clocks) -> None:
        """A wave goes on behind the barrier."""
        if self.last is not None:
            clocks.acquire(wave, self.last)

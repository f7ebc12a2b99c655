"""Notices that a run stays in the same instructions, as in a loop that waits for what never comes."""

from collections.abc import Callable

from gcn_lsp.machine.image import Image, PlacedInstruction
from gcn_lsp.machine.observations import WaveName
from gcn_lsp.records import NamedTuple

PERIOD = 10_000
"""The instructions of all waves between two looks: about a second."""

_PERIODS = 3  # with the same instructions at least, before it is said
_ROUNDS = 1000  # of each wave: more than a loop over the data of a small launch takes


class Stay(NamedTuple):
    """Where a run stays. steps: the only instructions carried out among the last `executed`. waves: those at work."""

    steps: tuple[PlacedInstruction, ...]
    executed: int
    waves: tuple[WaveName, ...]


class StayWatch:
    """Looks now and then at which instructions a run has carried out, and tells once that they are the same ones."""

    def __init__(self, image: Image, told: "Callable[[Stay], None]", period: int = PERIOD) -> None:
        self._image = image
        self._told = told
        self._period = period
        self._next = period
        self._counts: dict[int, int] = {}
        self._steps: frozenset[int] = frozenset()
        self._periods = 0
        self._is_over = False

    def is_due(self, executed: int) -> bool:
        """Whether it is time for another look."""
        return executed >= self._next and not self._is_over

    def look(self, executed: int, waves: "tuple[WaveName, ...]") -> None:
        """Compare what was carried out since the last look with what was before it. waves: those that go on."""
        self._next = executed + self._period
        counts = {address: step.count for address, step in self._image.steps.items() if step.count}
        steps = frozenset(address for address, count in counts.items() if self._counts.get(address, 0) != count)
        self._periods = self._periods + 1 if steps == self._steps else 1
        self._counts, self._steps = counts, steps
        stayed = self._periods * self._period
        if self._periods >= _PERIODS and waves and stayed >= _ROUNDS * len(waves) * len(steps):
            self._is_over = True
            self._told(Stay(tuple(self._image.steps[address] for address in sorted(steps)), stayed, waves))

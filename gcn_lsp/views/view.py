"""A derived text and its map: which line stands for which bytes of the original."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec


class Origin(msgspec.Struct, frozen=True):
    """What a line of the text stands for.

    address: of its first byte, as the original counts. offset: of that byte in the original file. size: bytes.
    symbol: the function or object that it belongs to, with its distance from there in `distance`; empty for none.
    """

    address: int
    offset: int
    size: int
    symbol: str = ""
    distance: int = 0


class Run(NamedTuple):
    """Lines one after the other that stand for bytes one after the other.

    line: the first. places: where the bytes of each line begin in their section, and where the last ends. address,
    offset: of the section. symbol: the function of the bytes, which begins at the place `symbol_place`.
    """

    line: int
    places: Sequence[int]
    address: int
    offset: int
    symbol: str = ""
    symbol_place: int = 0


class View(msgspec.Struct, frozen=True, dict=True):
    """A text of assembly made from something else.

    text: its bytes. target, mattr: what it is assembled for. runs: the lines that stand for bytes, in their order.
    """

    text: bytes
    target: str
    mattr: str
    runs: Sequence[Run] = ()

    @cached_property
    def _first_lines(self) -> list[int]:
        return [run.line for run in self.runs]

    @cached_property
    def _by_address(self) -> list[tuple[int, int]]:
        return sorted((run.address + run.places[0], index) for index, run in enumerate(self.runs))

    def origin(self, line: int) -> Origin | None:
        """What a line stands for; None when it stands for no bytes."""
        index = bisect_right(self._first_lines, line) - 1
        if index < 0:
            return None
        run = self.runs[index]
        at = line - run.line
        if at >= len(run.places) - 1:
            return None
        place = run.places[at]
        distance = place - run.symbol_place if run.symbol else 0
        size = run.places[at + 1] - place
        return Origin(run.address + place, run.offset + place, size, run.symbol, distance)

    def line(self, address: int) -> int | None:
        """The line that stands for the byte at an address."""
        index = bisect_right(self._by_address, (address, len(self.runs))) - 1
        if index < 0:
            return None
        run = self.runs[self._by_address[index][1]]
        at = bisect_right(run.places, address - run.address) - 1
        return run.line + at if at < len(run.places) - 1 else None

"""A derived text and its map: which line stands for which bytes of the original."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

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


class View(msgspec.Struct, frozen=True, dict=True):
    """A text of assembly made from something else.

    text: its bytes. target, mattr: what it is assembled for. origins: of each line that stands for bytes, by line
    number, in order.
    """

    text: bytes
    target: str
    mattr: str
    origins: Sequence[tuple[int, Origin]] = ()

    @cached_property
    def _by_line(self) -> dict[int, Origin]:
        return dict(self.origins)

    @cached_property
    def _by_address(self) -> list[tuple[int, int]]:
        return sorted((origin.address, line) for line, origin in self.origins)

    def origin(self, line: int) -> Origin | None:
        """What a line stands for; None when it stands for no bytes."""
        return self._by_line.get(line)

    def line(self, address: int) -> int | None:
        """The line that stands for the byte at an address."""
        index = bisect_right(self._by_address, (address, 1 << 62)) - 1
        if index < 0:
            return None
        start, line = self._by_address[index]
        return line if address < start + self._by_line[line].size else None

"""A derived text and its map: which line stands for which bytes of the original."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Protocol

import msgspec

from gcn_lsp.records import NamedTuple


class Origin(msgspec.Struct, frozen=True):
    """The bytes of the original that a line of the text represents.

    address: the address of the first byte, as the original counts.
    offset: the offset of that byte in the original file.
    size: the number of bytes.
    symbol: the function or object that contains them; empty if there is none.
    distance: the number of bytes from the start of that symbol.
    """

    address: int
    offset: int
    size: int
    symbol: str = ""
    distance: int = 0


class AddressRun(NamedTuple):
    """Consecutive lines that represent consecutive bytes.

    line: the first line.
    places: the start of each line's bytes in their section, and the end of the last.
    address: the address of the section.
    offset: the offset of the section in the file.
    is_code: whether the bytes are instructions.
    symbol: the function that contains the bytes.
    symbol_place: the start of that function in the section.
    """

    line: int
    places: Sequence[int]
    address: int
    offset: int
    is_code: bool = False
    symbol: str = ""
    symbol_place: int = 0


class SourcePlace(msgspec.Struct, frozen=True):
    """A place in a source.

    file: the path of the source, as the compiler knew it.
    line: the line number, from 1.
    column: the column, from 1, or 0 if it is unknown.
    function: the function that contains the place; empty if it is unknown.
    inlined_at: the calls that inlined the function, the innermost first, each with the function that contains it.
    """

    file: str
    line: int
    column: int
    function: str = ""
    inlined_at: tuple["SourcePlace", ...] = ()


class Places(Protocol):
    """The places of the source that code was compiled from, by its addresses."""

    def at(self, address: int) -> SourcePlace | None:
        """The place for an address; None if there is none."""


class Further(NamedTuple):
    """Another view of the same original. name: of what it shows. view: makes it."""

    name: str
    view: Callable[[], "View"]


class View(msgspec.Struct, frozen=True, dict=True):
    """A text of assembly made from something else.

    lines: of the text, without their ends. target, mattr: what it is assembled for. runs: the lines that stand for
    bytes, in their order. places: of the source that it was compiled from, if the original knows. further: the views of
    what else the original holds. left_out: bytes at the end of a function that are in no view, as it is too long.
    """

    lines: tuple[bytes, ...]
    target: str
    mattr: str
    runs: Sequence[AddressRun] = ()
    places: Places | None = None
    further: Sequence["Further"] = ()
    left_out: int = 0

    @property
    def text(self) -> bytes:
        """The lines joined by LF."""
        return b"\n".join(self.lines)

    def named(self, name: str) -> "View | None":
        """The further view of that name."""
        return next((each.view() for each in self.further if each.name == name), None)

    @cached_property
    def _first_lines(self) -> list[int]:
        return [run.line for run in self.runs]

    @cached_property
    def _by_address(self) -> list[tuple[int, int]]:
        # Where nothing is linked yet, all sections have the address 0.
        return sorted((run.address + run.places[0], index) for index, run in enumerate(self.runs) if run.is_code)

    def _run(self, line: int) -> AddressRun | None:
        index = bisect_right(self._first_lines, line) - 1
        run = self.runs[index] if index >= 0 else None
        return run if run is not None and line - run.line < len(run.places) - 1 else None

    def origin(self, line: int) -> Origin | None:
        """What a line stands for; None when it stands for no bytes."""
        run = self._run(line)
        if run is None:
            return None
        at = line - run.line
        place = run.places[at]
        distance = place - run.symbol_place if run.symbol else 0
        size = run.places[at + 1] - place
        return Origin(run.address + place, run.offset + place, size, run.symbol, distance)

    def place(self, line: int) -> SourcePlace | None:
        """The place of the source that an instruction was compiled from."""
        run = self._run(line)
        if run is None or not run.is_code or self.places is None:
            return None
        return self.places.at(run.address + run.places[line - run.line])

    def compiled(self) -> Iterator[tuple[int, SourcePlace]]:
        """The lines of instructions whose place in the source is known, with that place."""
        for run in self.runs if self.places is not None else ():
            for line in range(run.line, run.line + len(run.places) - 1) if run.is_code else ():
                place = self.place(line)
                if place is not None:
                    yield line, place

    def line(self, address: int) -> int | None:
        """The line of the instruction that the byte at an address belongs to."""
        index = bisect_right(self._by_address, (address, len(self.runs))) - 1
        if index < 0:
            return None
        run = self.runs[self._by_address[index][1]]
        at = bisect_right(run.places, address - run.address) - 1
        return run.line + at if at < len(run.places) - 1 else None

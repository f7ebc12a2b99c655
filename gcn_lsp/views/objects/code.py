"""The lines for the code of a section: instructions, and data where there is no instruction.

Where the assembler would not give an instruction its bytes again (bits that no operand shows, what only other tools
write), the words are data, with the instruction as a comment. Code repeats itself, so each distinct instruction is
written once, and its line is found again by the identity of what the decoder keeps.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from gcn_lsp import isa
from gcn_lsp.instruction.decoding.decoder import Decoded, decoder_for
from gcn_lsp.instruction.decoding.returning import returning_for
from gcn_lsp.isa.kernels import kernel_code
from gcn_lsp.views.objects import blocks, relocated, sums
from gcn_lsp.views.objects.elf import Relocation, Section
from gcn_lsp.views.objects.output import Output
from gcn_lsp.views.objects.words import as_data
from gcn_lsp.views.view import AddressRun

_Name = Callable[[int], "str | None"]
"""The label of a place."""


class Code:
    """The instructions of a section from one place to another. Places are bytes from the section's start.

    Code with a million instructions has one number for each in `_ids` and in `_bounds`, and no other object.
    headers: the lines for the headers of kernels among them, by their places.
    """

    def __init__(
        self,
        section: Section,
        target: isa.Target,
        start: int,
        end: int,
        headers: "Mapping[int, Sequence[str]] | None" = None,
    ) -> None:
        self._section = section
        self._headers = headers or {}
        self._returning = returning_for(target)
        self._distinct: dict[int, Decoded | blocks.DataPiece | None] = {}  # keeps the identities from being used again
        self._ids = array("Q")
        for found in self._read(target, start, end):
            ids = array("Q", map(id, found))
            self._distinct.update(zip(ids, found, strict=True))
            self._ids += ids
        sizes = {id_: 4 if each is None else each.size for id_, each in self._distinct.items()}
        self._bounds = array("L", accumulate(map(sizes.__getitem__, self._ids), initial=start))
        self._bounds[-1] = min(self._bounds[-1], len(section.data))  # the last bytes may be fewer than a word
        self._end = end
        self._somewhere = dict(zip(self._ids, range(len(self._ids)), strict=True))

    def _read(self, target: isa.Target, start: int, end: int) -> "Iterator[list[Decoded | blocks.DataPiece | None]]":
        """What the blocks of code hold, and each header as one piece of data."""
        decoder, data = decoder_for(target), self._section.data
        at = start
        for place in sorted(self._headers):
            yield from blocks.read(decoder, data[:place], at, place)
            yield [_HEADER]
            at = place + _HEADER.size
        yield from blocks.read(decoder, data, at, end)

    def begins(self, place: int) -> bool:
        """Whether an instruction or a word of data begins at a place."""
        index = bisect_left(self._bounds, place)
        return index < len(self._ids) and self._bounds[index] == place

    def label(self, place: int) -> str:
        """The label of a place without a symbol."""
        return f".L{self._section.address + place:x}"

    @cached_property
    def _targets(self) -> set[int]:
        """The places where branches go, and those that sums with the program counter name."""
        found = {place for each in self._sums for place in (each.counter, each.target)}
        found.update(place for place in map(self._jump, self._singular) if place is not None and self.begins(place))
        return found

    @cached_property
    def _sums(self) -> list[sums.Sum]:
        """The sums that make the place of an instruction here."""
        getpc = {id_ for id_, each in self._distinct.items() if isinstance(each, Decoded) and sums.begins(each)}
        if not getpc:
            return []
        found = (sums.read(self._decoded, self._bounds, index) for index, id_ in enumerate(self._ids) if id_ in getpc)
        return [each for each in found if each is not None and self.begins(each.counter) and self.begins(each.target)]

    @cached_property
    def _singular(self) -> "array[int]":
        """The indices of what is written in its own way wherever it is: branches, and what is no instruction."""
        singular = {id_ for id_, each in self._distinct.items() if not _is_plain(each)}
        return array("L", (index for index, id_ in enumerate(self._ids) if id_ in singular))

    def _jump(self, index: int) -> int | None:
        """Where the branch of an index goes; None if it is none."""
        found = self._decoded(index)
        return None if found is None or found.jump is None else self._bounds[index + 1] + found.jump

    def write(
        self,
        names: Mapping[int, str],
        before: Mapping[int, Sequence[str]],
        functions: Mapping[int, str],
        relocations: Mapping[int, Relocation],
        lines: Output,
        record: Callable[[AddressRun], object],
    ) -> None:
        """Add the lines for all of it, and record what they stand for.

        names: of places with symbols. before: lines ahead of a place. functions: their names by their first place.
        relocations: by their place.
        """
        section, bounds = self._section, self._bounds
        plain = self._plain()
        changed = self._changed(relocations)
        zeros = self._zeros()
        labelled = self._targets
        cuts = {bisect_left(bounds, place) for place in before if self.begins(place)}
        cuts.update(bisect_left(bounds, place) for place in labelled)
        cuts.update(edge for zero in zeros.items() for edge in zero)
        cuts.update(bisect_left(bounds, edge) for place in self._headers for edge in (place, place + _HEADER.size))

        def name(place: int) -> str | None:
            known = names.get(place) if place != self._end else None  # there is the next function, which may be absent
            return known or (self.label(place) if place in labelled else None)

        function, function_place = "", 0
        zeros_end = 0
        for start, stop in pairwise(sorted(cuts | {0, len(self._ids)})):
            place = bounds[start]
            lines += before.get(place, ())
            if place in labelled:
                lines.append(f"{self.label(place)}:")
            if place in functions:
                function, function_place = functions[place], place
            zeros_end = zeros.get(start, zeros_end)
            places: Sequence[int] = memoryview(bounds)[start : stop + 1]
            if start < zeros_end or place in self._headers:
                places = [place, bounds[stop]]
            record(AddressRun(len(lines), places, section.address, section.offset, True, function, function_place))
            if place in self._headers:
                lines += self._headers[place]
                continue
            if start < zeros_end:
                lines.append(f"\t.fill {stop - start}, 4, 0")
                continue
            for begin in range(start, stop, _TOGETHER):
                lines += self._rows(begin, min(begin + _TOGETHER, stop), plain, name, changed)
        lines += before.get(self._end, ())

    def _rows(
        self, first: int, last: int, plain: Mapping[int, str], name: _Name, changed: Mapping[int, str]
    ) -> list[str]:
        """A line for each instruction."""
        rows = list(map(plain.__getitem__, self._ids[first:last]))
        for index in self._singular[bisect_left(self._singular, first) : bisect_left(self._singular, last)]:
            rows[index - first] = self._line(index, name)
        if changed:
            for index in range(first, last):
                if index in changed:
                    rows[index - first] = changed[index]
        return rows

    def _changed(self, relocations: Mapping[int, Relocation]) -> dict[int, str]:
        """The lines of instructions that name a place, by their index."""
        changed = {}
        for each in self._sums:
            # Not the function's name: a symbol that the linker may replace has no distance yet.
            changed[each.addition] = f"\t{each.text}{self.label(each.target)}-{self.label(each.counter)}"
        for place, relocation in relocations.items():
            index = bisect_left(self._bounds, place + 1) - 1
            found = self._decoded(index) if 0 <= index < len(self._ids) else None
            if found is not None:
                changed[index] = f"\t{relocated.instruction(found.text, relocation) or self._data(index)}"
        return changed

    def _plain(self) -> dict[int, str]:
        """The lines of instructions that are written alike wherever they are, by their identity; empty for others."""
        return {
            id_: self._line(self._somewhere[id_]) if _is_plain(self._distinct[id_]) else "" for id_ in set(self._ids)
        }

    def _line(self, index: int, name: "_Name | None" = None) -> str:
        found = self._decoded(index)
        if found is None:
            return f"\t{self._data(index)}"
        jump = self._jump(index)
        target = name(jump) if name is not None and jump is not None else None
        if target is not None:
            return f"\t{found.text.rpartition(' ')[0]} {target}"
        if not self._returning.gives(found, self._bytes(index)):
            return f"\t{self._data(index)} // {found.text}"
        return f"\t{found.text}"

    def _zeros(self) -> dict[int, int]:
        """Where words of zeros begin, which no program runs, and for each where they end."""
        zero = {id_ for id_, each in self._distinct.items() if each and self._bytes(self._somewhere[id_]) == _ZERO}
        found: dict[int, int] = {}
        start = end = -1
        for index in (index for index, id_ in enumerate(self._ids) if id_ in zero) if zero else ():
            start, end = (start if index == end else index), index + 1
            found[start] = end
        return found

    def _decoded(self, index: int) -> Decoded | None:
        """The instruction of an index; None for data."""
        found = self._distinct[self._ids[index]]
        return found if isinstance(found, Decoded) else None

    def _bytes(self, index: int) -> bytes:
        return self._section.data[self._bounds[index] : self._bounds[index + 1]]

    def _data(self, index: int) -> str:
        return as_data(self._bytes(index))


_ZERO = bytes(4)
_HEADER = blocks.DataPiece(kernel_code.SIZE)
_TOGETHER = 4096
"""How many lines are made before they are passed on."""


def _is_plain(each: Decoded | blocks.DataPiece | None) -> bool:
    """Whether something is written alike wherever it is."""
    return isinstance(each, Decoded) and each.jump is None

"""The lines for the code of a section: instructions, and data where there is no instruction.

Where the assembler would not give an instruction its bytes again (bits that no operand shows, what only other tools
write), the words are data, with the instruction as a comment. Code repeats itself, so each distinct instruction is
written once, and its line is found again by the identity of what the decoder keeps.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from gcn_lsp import isa
from gcn_lsp.instruction.decoding.decoder import decoder_for
from gcn_lsp.instruction.decoding.returning import returning_for
from gcn_lsp.views.objects import relocated, sums
from gcn_lsp.views.objects.elf import Relocation, Section
from gcn_lsp.views.objects.words import as_data
from gcn_lsp.views.view import Run


class Code:
    """The instructions of a section, one after the other. Places are bytes from its start."""

    def __init__(self, section: Section, target: isa.Target) -> None:
        self._section = section
        self._returning = returning_for(target)
        self._decoded = decoder_for(target).read_all(section.data)
        self._ids = list(map(id, self._decoded))  # `_decoded` keeps them from being used again
        self._distinct = dict(zip(self._ids, self._decoded, strict=True))
        self._somewhere = dict(zip(self._ids, range(len(self._ids)), strict=True))
        sizes = {id_: 4 if each is None else each.size for id_, each in self._distinct.items()}
        self._bounds = list(accumulate(map(sizes.__getitem__, self._ids), initial=0))
        self._bounds[-1] = len(section.data)  # the last bytes may be fewer than a word

    def begins(self, place: int) -> bool:
        """Whether an instruction or a word of data begins at a place."""
        index = bisect_left(self._bounds, place)
        return index < len(self._ids) and self._bounds[index] == place

    def label(self, place: int) -> str:
        """The label of a place without a symbol."""
        return f".L{self._section.address + place:x}"

    def targets(self) -> set[int]:
        """The places where branches go, and those that sums with the program counter name."""
        sums = {place for each in self._sums for place in (each.counter, each.target)}
        return {place for place in self._jumps.values() if self.begins(place)} | sums

    @cached_property
    def _sums(self) -> list[sums.Sum]:
        """The sums that make the place of an instruction here."""
        getpc = {id_ for id_, each in self._distinct.items() if sums.begins(each)}
        if not getpc:
            return []
        found = (sums.read(self._decoded, self._bounds, index) for index, id_ in enumerate(self._ids) if id_ in getpc)
        return [each for each in found if each is not None and self.begins(each.counter) and self.begins(each.target)]

    @cached_property
    def _singular(self) -> list[int]:
        """The indices of what is written in its own way wherever it is: branches, and words that are no instruction."""
        singular = {id_ for id_, each in self._distinct.items() if each is None or each.jump is not None}
        return [index for index, id_ in enumerate(self._ids) if id_ in singular]

    @cached_property
    def _jumps(self) -> dict[int, int]:
        """Where each branch goes, by its index."""
        found = ((index, self._decoded[index]) for index in self._singular)
        return {index: self._bounds[index + 1] + each.jump for index, each in found if each and each.jump is not None}

    def write(
        self,
        extent: tuple[int, int],
        names: Mapping[int, str],
        before: Mapping[int, Sequence[str]],
        functions: Mapping[int, str],
        relocations: Mapping[int, Relocation],
        lines: list[str],
    ) -> list[Run]:
        """Add the lines for the bytes from one place to another; gives what they stand for.

        names: the label of each place where branches go. before: lines ahead of a place. functions: their names by
        their first place. relocations: by their place.
        """
        section, bounds = self._section, self._bounds
        first, last = (bisect_left(bounds, place) for place in extent)
        rows = self._rows(first, last, names, relocations)
        zeros = self._zeros(first, last)
        marks = {bisect_left(bounds, place) for place in before if self.begins(place)}
        edges = {edge for index in zeros for edge in (index, index + 1) if (edge in zeros) != (edge - 1 in zeros)}
        cuts = sorted({first, last, *(cut for cut in marks | edges if first < cut < last)})
        runs: list[Run] = []
        function, function_place = "", 0
        for start, stop in pairwise(cuts):
            place = bounds[start]
            lines += before.get(place, ())
            if place in functions:
                function, function_place = functions[place], place
            places = bounds[start : stop + 1]
            written = rows[start - first : stop - first]
            if start in zeros:
                places, written = [place, bounds[stop]], [f"\t.fill {stop - start}, 4, 0"]
            runs.append(Run(len(lines), places, section.address, section.offset, True, function, function_place))
            lines += written
        lines += before.get(extent[1], ())
        return runs

    def _rows(
        self, first: int, last: int, names: Mapping[int, str], relocations: Mapping[int, Relocation]
    ) -> list[str]:
        """A line for each instruction."""
        rows = list(map(self._plain(first, last).__getitem__, self._ids[first:last]))
        for index in self._singular[bisect_left(self._singular, first) : bisect_left(self._singular, last)]:
            rows[index - first] = self._line(index, names)
        for each in self._sums:
            if first <= each.addition < last and self._bounds[first] <= each.target < self._bounds[last]:
                # Not the function's name: a symbol that the linker may replace has no distance yet.
                rows[each.addition - first] = f"\t{each.text}{self.label(each.target)}-{self.label(each.counter)}"
        for place, relocation in relocations.items():
            index = bisect_left(self._bounds, place + 1) - 1
            found = self._decoded[index] if first <= index < last else None
            if found is not None:
                rows[index - first] = f"\t{relocated.instruction(found.text, relocation) or self._data(index)}"
        return rows

    def _plain(self, first: int, last: int) -> dict[int, str]:
        """The lines of instructions that are written alike wherever they are, by their identity; empty for others."""
        return {
            id_: self._line(self._somewhere[id_], {}) if (each := self._distinct[id_]) and each.jump is None else ""
            for id_ in set(self._ids[first:last])
        }

    def _line(self, index: int, names: Mapping[int, str]) -> str:
        found = self._decoded[index]
        if found is None:
            return f"\t{self._data(index)}"
        name = names.get(self._jumps[index]) if found.jump is not None else None
        if name is not None:
            return f"\t{found.text.rpartition(' ')[0]} {name}"
        if not self._returning.gives(found, self._bytes(index)):
            return f"\t{self._data(index)} // {found.text}"
        return f"\t{found.text}"

    def _zeros(self, first: int, last: int) -> set[int]:
        """The instructions that are a word of zeros, which no program runs."""
        zero = {id_ for id_, each in self._distinct.items() if each and self._bytes(self._somewhere[id_]) == _ZERO}
        return {index for index in range(first, last) if self._ids[index] in zero} if zero else set()

    def _bytes(self, index: int) -> bytes:
        return self._section.data[self._bounds[index] : self._bounds[index + 1]]

    def _data(self, index: int) -> str:
        return as_data(self._bytes(index))


_ZERO = bytes(4)

"""The lines of a program and the addresses of their instructions, for breakpoints, steps and stacks."""

import os
from collections.abc import Iterator

from gcn_lsp.machine.image import PlacedInstruction
from gcn_lsp.program.program import PlacedItem
from gcn_lsp.records import NamedTuple
from gcn_lsp.running import source_places
from gcn_lsp.running.opened import RunnableFile
from gcn_lsp.text import Location


class Frame(NamedTuple):
    """A level of a stack: a name, a file and a line from 0. path: empty for the text of a file that is none itself.

    is_beside: the same place in the other text, the source of compiled code or its assembly.
    """

    name: str
    path: str
    line: int
    is_beside: bool = False


class Lines:
    """The lines of a file's program. Each line of a macro's call stands for the first instruction of the call.

    A line of the source that the program is compiled from stands for the first of each of its runs of instructions.
    at_source: such lines are what is shown and stepped over, where they are known.
    """

    def __init__(self, file: RunnableFile, *, at_source: bool = False) -> None:
        self._file = file
        self._at_source = at_source
        self._to_written = file.file.derived.to_original
        self._compiled_from = source_places.of(file)
        self._is_text = file.file.view is None
        self._placed: dict[int, PlacedItem] = {}
        self._addresses: dict[tuple[str, int], list[int]] = {}
        outer: tuple[Location, ...] = ()
        source: Location | None = None
        for address in sorted(file.image.steps):
            step = file.image.steps[address]
            placed = self.placed(step)
            calls = tuple(each.where for each in placed.steps)
            for number, where in enumerate(calls):
                if outer[number : number + 1] != (where,):
                    self._add(where, address)
            self._add(placed.where, address)
            outer = calls
            behind = next(iter(self._behind(step)), None)
            if behind is not None and behind != source:
                self._add(behind, address)
            source = behind

    def _add(self, where: Location, address: int) -> None:
        written = self._to_written(where)
        self._addresses.setdefault((_key(written.path), written.line), []).append(address)

    def placed(self, step: PlacedInstruction) -> PlacedItem:
        """The item of an instruction."""
        found = self._placed.get(step.address)
        if found is None:
            found = self._placed[step.address] = self._file.image.placed(step)
        return found

    def at(self, path: str, line: int) -> "tuple[int, list[int]] | None":
        """The first line from `line` on with instructions, and their addresses; None if there is none.

        path: empty for the text of a file that is none itself.
        """
        key = _key(path or self._file.path)
        later = [known for name, known in self._addresses if name == key and known >= line]
        if not later:
            return None
        found = min(later)
        return found, self._addresses[key, found]

    def line_of(self, step: PlacedInstruction) -> "tuple[str, int] | None":
        """The file and line that a step of the user's goes over: outside all macros, of the source if that is shown.

        None for an instruction that the compiler gives no line of the source.
        """
        if self._at_source:
            behind = next(iter(self._behind(step)), None)
            return None if behind is None else (behind.path, behind.line)
        where = self._to_written(self._outermost(step))
        return where.path, where.line

    def text_of(self, step: PlacedInstruction) -> str:
        """The line of an instruction as it is written, without the space around it and comments."""
        item = step.instruction.statement
        return item.line[item.start : item.end].decode("utf-8", "replace").strip()

    def frames(self, step: PlacedInstruction) -> "list[Frame]":
        """The places of an instruction, the innermost first: of the line itself, then of the calls around it.

        What it is compiled from comes after these, or before them if the source is shown.
        """
        own = list(self._own_frames(step))
        name = own[-1].name
        behind = [Frame(name, where.path, where.line) for where in self._behind(step)]
        first, second = (behind, own) if self._at_source and behind else (own, behind)
        return [*first, *(each._replace(is_beside=True) for each in second)]

    def _own_frames(self, step: PlacedInstruction) -> Iterator[Frame]:
        placed = self.placed(step)
        where = placed.where
        for call in reversed(placed.steps):
            yield self._frame(f"{call.kind} {call.name}", where)
            where = call.where
        yield self._frame(self._file.image.symbol_at(step.address).partition("+")[0] or "code", where)

    def _frame(self, name: str, where: Location) -> Frame:
        written = self._to_written(where)
        is_shown = self._is_text or written.path != self._file.path
        return Frame(name, written.path if is_shown else "", written.line)

    def _outermost(self, step: PlacedInstruction) -> Location:
        placed = self.placed(step)
        return placed.steps[0].where if placed.steps else placed.where

    def _behind(self, step: PlacedInstruction) -> "tuple[Location, ...]":
        """The place in the source that an instruction is compiled from, then the calls that this is inlined at."""
        where = self._outermost(step)
        return self._compiled_from(where.line) if where.path == self._file.image.program.path else ()


def _key(path: str) -> str:
    return os.path.normcase(os.path.abspath(path))

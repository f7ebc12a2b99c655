"""The lines of a program and the addresses of their instructions, for breakpoints, steps and stacks."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.machine.image import PlacedInstruction
from gcn_lsp.program.program import PlacedItem
from gcn_lsp.running.opened import RunnableFile
from gcn_lsp.text import Location


class Frame(NamedTuple):
    """A level of a stack: a name, a file and a line from 0."""

    name: str
    path: str
    line: int


class Lines:
    """The lines of a file's program. Each line of a macro's call stands for the first instruction of the call."""

    def __init__(self, file: RunnableFile) -> None:
        self._file = file
        self._placed: dict[int, PlacedItem] = {}
        self._addresses: dict[tuple[str, int], list[int]] = {}
        outer: tuple[Location, ...] = ()
        for address in sorted(file.image.steps):
            placed = self.placed(file.image.steps[address])
            calls = tuple(step.where for step in placed.steps)
            for number, where in enumerate(calls):
                if outer[number : number + 1] != (where,):
                    self._add(where, address)
            self._add(placed.where, address)
            outer = calls

    def _add(self, where: Location, address: int) -> None:
        self._addresses.setdefault((_key(where.path), where.line), []).append(address)

    def placed(self, step: PlacedInstruction) -> PlacedItem:
        """The item of an instruction."""
        found = self._placed.get(step.address)
        if found is None:
            found = self._placed[step.address] = self._file.image.placed(step)
        return found

    def at(self, path: str, line: int) -> "tuple[int, list[int]] | None":
        """The first line from `line` on with instructions, and their addresses; None if there is none."""
        key = _key(path)
        later = [known for name, known in self._addresses if name == key and known >= line]
        if not later:
            return None
        found = min(later)
        return found, self._addresses[key, found]

    def outermost(self, step: PlacedInstruction) -> tuple[str, int]:
        """The file and line of an instruction outside all macros."""
        placed = self.placed(step)
        where = placed.steps[0].where if placed.steps else placed.where
        return where.path, where.line

    def frames(self, step: PlacedInstruction) -> Iterator[Frame]:
        """The places of an instruction, the innermost first: of the line itself, then of the calls around it."""
        placed = self.placed(step)
        where = placed.where
        for call in reversed(placed.steps):
            yield Frame(f"{call.kind} {call.name}", where.path, where.line)
            where = call.where
        yield Frame(self._file.image.symbol_at(step.address).partition("+")[0] or "code", where.path, where.line)


def _key(path: str) -> str:
    return os.path.normcase(os.path.abspath(path))

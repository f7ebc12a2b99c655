"""What stops a run: breakpoints at lines, and those on the data that instructions write."""

import re
from collections.abc import Callable, Iterable

from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.debug import values
from gcn_lsp.debug.values import CannotEvaluate
from gcn_lsp.machine.memory import Region, WatchedBytes
from gcn_lsp.machine.waves import WaveRun

_IN_BRACES = re.compile(r"\{([^{}]*)\}")
_REGISTERS = re.compile(r"([vsa])(?:(\d+)|\[(\d+)(?::(\d+))?\])")
_HITS = re.compile(r"(>=|==|[>=%])?(\d+)")
_SPECIAL = ("vcc", "exec", "scc", "m0", "mode")
_MOST = 1024  # registers of a file
_MEMORY = "memory:"

Say = Callable[[str], None]


class StopCondition:
    """When a breakpoint stops. text: an expression, or nothing. hits: the count of passes at which it stops.

    hits is a number, with `>` or `>=` before it for later passes too, with `%` for every so many passes.
    """

    def __init__(self, text: str = "", hits: str = "") -> None:
        self._text = text
        self._hits = hits.replace(" ", "")
        self._passes: list[int] = []  # positions of the run

    def holds(self, run: WaveRun, position: int) -> bool:
        """Whether it stops a wave that comes by at a position of the run."""
        if self._text:
            try:
                if not values.truth(self._text, run):
                    return False
            except CannotEvaluate:
                return True  # a condition without a value is better seen than passed over
        while self._passes and self._passes[-1] >= position:  # the run has gone back since
            self._passes.pop()
        self._passes.append(position)
        match = _HITS.fullmatch(self._hits)
        if match is None:
            return True
        count, passed = int(match[2]), len(self._passes)
        if match[1] == "%":
            return passed % max(count, 1) == 0
        return passed > count if match[1] == ">" else passed >= count if match[1] == ">=" else passed == count


class Breakpoint:
    """A breakpoint at the instructions of a line. message: what is said in place of stopping, values in braces."""

    def __init__(self, addresses: "Iterable[int]", condition: StopCondition, message: str = "") -> None:
        self._addresses = frozenset(addresses)
        self._condition = condition
        self._message = message

    def stops(self, run: WaveRun, position: int, say: Say) -> bool:
        """Whether it stops a wave before its instruction. say: gets the message of one that does not stop."""
        if run.wave.pc not in self._addresses or not self._condition.holds(run, position):
            return False
        if self._message:
            say(_IN_BRACES.sub(lambda match: _value(match[1], run), self._message))
        return not self._message


class RegisterWatch:
    """Stops after an instruction that writes any of some registers, in any wave."""

    def __init__(self, registers: int, condition: StopCondition) -> None:
        self._registers = registers
        self._condition = condition

    def refresh(self) -> None:
        """The run goes on from here."""

    def end(self) -> None:
        """It is watched no more."""

    def stops(self, last: WaveRun, position: int) -> bool:
        """Whether it stops after the last instruction of a wave."""
        return bool(last.step.effects.writes & self._registers) and self._condition.holds(last, position)


class MemoryWatch:
    """Stops after an instruction that writes any of some bytes of memory or LDS, be it with what they held.

    place: the region that they are in now and the address of the first; they have another one when the run goes back.
    """

    def __init__(self, place: "Callable[[], tuple[Region | None, int]]", count: int, condition: StopCondition) -> None:
        self._place = place
        self._count = count
        self._condition = condition
        self._region: Region | None = None
        self._bytes = WatchedBytes(0, 0)
        self.refresh()

    def refresh(self) -> None:
        """The run goes on from here."""
        region, start = self._place()
        if region is not self._region:
            self.end()
            self._region = region
            if region is not None:
                self._bytes = WatchedBytes(start - region.base, self._count)
                region.watched = (*region.watched, self._bytes)
        self._bytes.is_written = False

    def end(self) -> None:
        """They are watched no more."""
        if self._region is not None:
            self._region.watched = tuple(each for each in self._region.watched if each is not self._bytes)
            self._region = None

    def stops(self, last: WaveRun, position: int) -> bool:
        """Whether it stops after the last instruction of a wave."""
        is_written = self._bytes.is_written
        self.refresh()
        return is_written and self._condition.holds(last, position)


Watch = RegisterWatch | MemoryWatch


Places = Callable[[str, int], "tuple[Region | None, int]"]
"""The memory that a reference means, with an offset: the region, and the address."""


def watch(data: str, condition: StopCondition, places: Places) -> "Watch | None":
    """The watch that stops at writes of some data, registers by name or what `memory_data` made; None for others."""
    if is_memory(data):
        reference, _, count = data.removeprefix(_MEMORY).rpartition(":")
        return MemoryWatch(lambda: places(reference, 0), int(count), condition)
    registers = registers_of(data)
    return RegisterWatch(registers, condition) if registers else None


def memory_data(reference: str, count: int) -> str:
    """The name for `count` bytes of memory from a reference."""
    return f"{_MEMORY}{reference}:{count}"


def is_memory(data: str) -> bool:
    """Whether some data is bytes of memory."""
    return data.startswith(_MEMORY)


def registers_of(name: str) -> int:
    """The registers that a name of a variable means, as a set: `v3`, `s[4:5]`, `v[2]`, `vcc`; empty if none."""
    plain = name.split(" ")[0].lower()
    found = _REGISTERS.fullmatch(plain)
    if found is None:
        return sets.of_tuple(plain, 0, 0) if plain in _SPECIAL else sets.NONE
    first = int(found[2] or found[3])
    last = int(found[4] or first)
    return sets.of_tuple(found[1], first, last - first + 1) if first <= last < _MOST else sets.NONE


def _value(text: str, run: WaveRun) -> str:
    try:
        return values.shown(values.evaluate(text, run), run)
    except CannotEvaluate as error:
        return f"{{{error}}}"

"""What a run finds: an instruction, a wave, a lane, and a sentence."""

from collections.abc import Iterable, Mapping

import msgspec

from gcn_lsp.machine.image import PlacedInstruction
from gcn_lsp.records import NamedTuple

# The rules whose findings a run makes; the first ones have checks of programs, too.
MISSING_WAIT = "missing-wait"
MISSING_STATES = "missing-wait-states"
UNINITIALISED = "uninitialised-register"
SKIPPED_BARRIER = "skipped-barrier"
OUTSIDE = "access-outside-memory"
MISALIGNED = "misaligned-access"
UNWRITTEN_LDS = "unwritten-lds-read"
UNWRITTEN = "unwritten-memory-read"
RACE = "lds-race"
MEMORY_RACE = "memory-race"
ORDER = "order-dependent-result"
STOPPED = "stopped-run"


class WaveName(NamedTuple):
    """A wave: the place of its work-group in the grid, and its number in there."""

    group: tuple[int, int, int]
    number: int

    def __str__(self) -> str:
        return f"wave {self.number} of work-group {self.group[0]},{self.group[1]},{self.group[2]}"


class Observation(msgspec.Struct, frozen=True):
    """Something that a run found, at an instruction.

    rule: the name of the rule. others: further instructions, each with what it has to do with it. ends: the run stops.
    """

    rule: str
    step: PlacedInstruction | None
    wave: WaveName | None
    said: str
    lane: int | None = None
    others: tuple[tuple[PlacedInstruction, str], ...] = ()
    ends: bool = False


class Halt(Exception):
    """A wave cannot go on."""

    def __init__(self, observation: Observation) -> None:
        super().__init__(observation.said)
        self.observation = observation


class Log:
    """The observations of a run: the first of each rule at each instruction, and how often it happened."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, int], Observation] = {}
        self.counts: dict[tuple[str, int], int] = {}

    def portable(self) -> "list[PortableObservation]":
        """The observations for another process, with addresses in place of instructions."""
        return [
            PortableObservation(
                msgspec.structs.replace(each, step=None, others=()),
                each.step.address if each.step is not None else None,
                tuple((step.address, said) for step, said in each.others),
                self.counts[key],
            )
            for key, each in self.found.items()
        ]

    def take(self, observations: "Iterable[PortableObservation]", steps: "Mapping[int, PlacedInstruction]") -> None:
        """Note the observations of another process, except those that are known; steps: instructions by address."""
        for each in observations:
            step = steps[each.address] if each.address is not None else None
            others = tuple((steps[address], said) for address, said in each.others)
            made = msgspec.structs.replace(each.observation, step=step, others=others)
            key = made.rule, each.address or 0
            if key not in self.found:
                self.found[key] = made
                self.counts[key] = each.count

    def add(self, observation: Observation) -> None:
        """Note an observation."""
        key = observation.rule, observation.step.address if observation.step is not None else 0
        self.found.setdefault(key, observation)
        self.counts[key] = self.counts.get(key, 0) + 1


class PortableObservation(msgspec.Struct, frozen=True):
    """An observation without instructions: their addresses. count: how often it happened."""

    observation: Observation
    address: int | None
    others: tuple[tuple[int, str], ...]
    count: int

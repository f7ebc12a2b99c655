"""A wave in a run: its state, what it has in flight, and how it goes on by an instruction."""

from collections.abc import Hashable
from enum import Enum

from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.isa.machine import barriers as facts
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.machine import uninitialised
from gcn_lsp.machine.chosen_registers import bits_of_mode
from gcn_lsp.machine.delayed import Delayed, RegisterPlaces
from gcn_lsp.machine.device import Device
from gcn_lsp.machine.dispatch import Started
from gcn_lsp.machine.environment import Stop
from gcn_lsp.machine.groups import GroupRun
from gcn_lsp.machine.image import Image, PlacedInstruction
from gcn_lsp.machine.in_flight import InFlight, Operation, counted
from gcn_lsp.machine.observations import (
    MISSING_STATES,
    MISSING_WAIT,
    STOPPED,
    UNINITIALISED,
    Halt,
    Observation,
    WaveName,
)
from gcn_lsp.machine.operation import Bound, Inexecutable
from gcn_lsp.machine.races import Clocks
from gcn_lsp.machine.wait_states import HazardsOfWave

_AGE = 2048
"""Instructions after which an access is done in any order: a wave that waits for another's store has to see it."""


class WaveStatus(Enum):
    """What a wave does."""

    RUNS = "runs"
    WAITS = "waits at a barrier"
    ENDED = "has ended"


class WaveRun:
    """A wave in a run. step: the instruction at work, or the last one. executed: instructions so far.

    yields: it lets others go first. waiting: the barrier that it waits at, and the round.
    """

    def __init__(self, group: GroupRun, number: int, started: Started) -> None:
        self.group = group
        self.number = number
        self.wave = started.wave
        self.scratch = started.scratch
        self.defined = started.defined
        self.name = WaveName(group.place, number)
        self.image: Image = group.prepared.image
        self.in_flight = InFlight(self.image.model.ordered)
        self.device = Device(self, group.prepared.memory)
        self.state = WaveStatus.RUNS
        self.executed = 0
        self.yields = False
        self.waiting: tuple[int, int] | None = None
        self.joined = facts.NOTHING
        self._passed: dict[int, int] = {}  # rounds of each barrier that it is ordered behind
        step = self.image.steps[self.wave.pc]
        self.step: PlacedInstruction = step
        self._choosing = bits_of_mode(self.image.target)
        self._hazards = HazardsOfWave(group.hazards) if group.hazards is not None else None

    def next_step(self) -> PlacedInstruction:
        """The instruction at the program counter, or after the padding there. Raises Halt if there is none."""
        step = self.image.steps.get(self.wave.pc)
        if step is None:
            self.wave.pc = self.image.after_padding(self.wave.pc)
            step = self.image.steps.get(self.wave.pc)
            if step is None:
                raise Halt(self._off_the_code())
        return step

    def advance(self) -> None:
        """Carry out the instruction at the program counter. Raises Halt if the wave cannot go on."""
        step = self.image.steps.get(self.wave.pc) or self.next_step()
        step.count += 1
        if self._choosing & self.wave.mode:
            self.step = step
            try:
                step = self.group.chosen.of(step, self.wave)
            except Stop as stop:
                raise Halt(self._stopped(str(stop))) from None
        self.step = step
        self.executed += 1
        bound = step.bound if step.bound is not None else step.bind(self.image.target)
        in_flight = self.in_flight
        if in_flight.writes and in_flight.writes & step.touches:
            self._check_in_flight(step)
        if step.reads & ~self.defined:
            self._check_defined(step)
        if self._hazards is not None:
            close = self._hazards.enter(self.wave, step)
            for each in close:
                others = ((each.first, "the one before"),)
                said = f"{self.name} {each.said}"
                self.group.log.add(Observation(MISSING_STATES, step, self.name, said, None, others))
            self._hazards.carry_out(self.wave, step, close, lambda: self._carry_on(step, bound))
            return
        self._carry_on(step, bound)

    def _carry_on(self, step: PlacedInstruction, bound: "Bound | Inexecutable") -> None:
        if step.plain:
            if isinstance(bound, Inexecutable):
                raise Halt(self._stopped(bound.reason))
            try:
                bound.execute(self.wave, self.device)
            except Stop as stop:
                raise Halt(self._stopped(str(stop))) from None
            self.defined |= step.writes
            return
        self._carry_out(step, bound)

    def _carry_out(self, step: PlacedInstruction, bound: object) -> None:
        effects = step.effects
        if effects.waits:
            self.in_flight.wait(effects.waits)
        if effects.flow == "end":
            self._end()
            return
        mnemonic = step.mnemonic
        if facts.concerns(mnemonic):
            self._barrier(step)
        elif isinstance(bound, Inexecutable):
            if not effects.waits:
                raise Halt(self._stopped(bound.reason))
            self.wave.pc += step.size
        elif step.is_memory:
            self._begin(step)
        else:
            self._execute(step)
        if effects.settles and self.state is WaveStatus.RUNS:
            self.in_flight.settle(effects.settles)
        self.defined |= effects.writes

    def _execute(self, step: PlacedInstruction) -> None:
        bound = step.bind(self.image.target)
        assert not isinstance(bound, Inexecutable), "was looked at before"
        self.wave.pc = step.address
        try:
            bound.execute(self.wave, self.device)
        except Stop as stop:
            raise Halt(self._stopped(str(stop))) from None

    # Memory operations

    def _begin(self, step: PlacedInstruction) -> None:
        """Begin a memory operation, and carry it out if the order of the run says so."""
        events = counted(step)
        delays = self.group.order.delays
        delayed = None
        if delays and any(event.counter in delays for event in events):
            delayed = self._delayed(step)
            self.wave.pc = step.address + step.size
        else:
            if delays:
                self._perform_path(_path(step))
            self._execute(step)
        self.in_flight.add(Operation(step, events, self.executed, delayed))
        self.in_flight.finish_before(self.executed - _AGE)

    def _delayed(self, step: PlacedInstruction) -> Delayed:
        places = self.group.places.get(step.address)
        if places is None:
            target = self.image.target
            m0 = target.registers["m0"].number
            read = step.effects.reads | step.effects.writes | sets.M0
            places = self.group.places[step.address] = (
                RegisterPlaces(read, target.ttmp_base, m0),
                RegisterPlaces(_results(step), target.ttmp_base, m0),
            )

        def execute() -> None:
            current, self.step = self.step, step
            try:
                self._execute(step)
            finally:
                self.step = current

        return Delayed(self.wave, *places, _path(step), execute)

    def _perform_path(self, path: str) -> None:
        """Perform the older operations of a path to memory: a wave's own accesses stay in order."""
        for operation in self.in_flight.operations:
            if operation.delayed is not None and operation.delayed.path == path:
                operation.delayed.perform()

    def _check_in_flight(self, step: PlacedInstruction) -> None:
        """Report an instruction that touches a register which an operation in flight will write."""
        effects = step.effects
        touched = effects.touches & self.in_flight.writes
        older = self.in_flight.meets(touched)
        if older is None:
            return
        if not effects.reads & touched and self._writes_in_order(step, older):
            return
        waited = {event.counter for event in older.events}
        if any(counter in waited for counter, _ in effects.waits):
            return
        verb = "reads" if effects.reads & older.writes & touched else "overwrites"
        register = sets.describe(touched & older.writes)
        said = f"{self.name} {verb} {register} while `{older.step.mnemonic}` may still write it"
        others = ((older.step, "this access is in flight"),)
        self.group.log.add(Observation(MISSING_WAIT, step, self.name, said, None, others))
        if self.group.order.delays and older.delayed is not None:
            return
        self.in_flight.is_over(touched)

    def _writes_in_order(self, step: PlacedInstruction, older: Operation) -> bool:
        """Whether two loads of a kind that comes back in order write one register."""
        kinds = {event.kind for event in older.events}
        own = {event.kind for event in step.effects.events}
        return bool(kinds) and kinds == own and kinds <= self.group.ordered_writers

    def _check_defined(self, step: PlacedInstruction) -> None:
        missing = uninitialised.missing(step, self.defined, self.image.target.features)
        if missing:
            said = f"{self.name} reads {sets.describe(missing)}, which nothing has written"
            self.group.log.add(Observation(UNINITIALISED, step, self.name, said))
        self.defined |= step.reads

    # Barriers and the end

    def _barrier(self, step: PlacedInstruction) -> None:
        mnemonic, number = step.mnemonic, self._barrier_number(step)
        if mnemonic == facts.INIT and number in facts.NAMED:
            self.group.barrier(number).begin(facts.arrivals_in_m0(self.wave.m0))
        elif mnemonic == facts.JOIN:
            self.joined = number
            self._passed[number] = self.group.barrier(number).round
        elif mnemonic == facts.LEAVE:
            self.wave.scc = int(self.joined in facts.NAMED)
            if self.joined in facts.NAMED:
                self.group.barrier(self.joined).leave(None)
            self.joined = facts.NOTHING
        if facts.arrives(mnemonic) and number != facts.NOTHING:
            self._arrive(step, number)
        if facts.completes(mnemonic):
            self._wait_at(self.joined if number in facts.NAMED else number)
        self.wave.pc = step.address + step.size

    def _arrive(self, step: PlacedInstruction, number: int) -> None:
        group, barrier = self.group, self.group.barrier(number)
        group.note_arrival(number, self.number, step)
        key: Hashable = self.number
        if number == facts.CLUSTER:
            key = group.place  # one wave arrives for its work-group
        elif number in facts.NAMED:
            key = (self.number, self.executed)
            members = facts.arrivals_in_m0(self.wave.m0)
            if members and any(operand.file == "m0" for operand in step.instruction.operands):
                barrier.members = members
        self._passed[number] = barrier.round if number == facts.WORK_GROUP else self._passed.get(number, 0)
        is_first = barrier.arrive(self.number, self._clocks_at(number), key)
        if step.effects.writes & sets.SCC:
            self.wave.scc = int(is_first)

    def _clocks_at(self, number: int) -> "Clocks | None":
        """What the waves at a barrier know of each other; None for those of a cluster in a grid that is too large."""
        clocks = self.group.clocks
        return clocks if number != facts.CLUSTER or clocks.spans_grid else None

    def _wait_at(self, number: int) -> None:
        """Wait for the round after the one that the wave has passed, or joined the barrier in."""
        if number == facts.NOTHING:
            return
        self.state = WaveStatus.WAITS
        self.waiting = number, self._passed.get(number, 0)
        self.try_to_pass()

    def _barrier_number(self, step: PlacedInstruction) -> int:
        for operand in step.instruction.operands:
            if operand.slot in ("simm16", "src0") and type(operand.value) is int:
                return facts.number(operand.value) or 0
            if operand.file == "m0":
                return facts.number_in_m0(self.wave.m0) or 0
        return facts.WORK_GROUP

    def try_to_pass(self) -> bool:
        """Go on if the barrier is open."""
        if self.waiting is None:
            return False
        number, arrived = self.waiting
        barrier = self.group.barrier(number)
        if barrier.round <= arrived:
            return False
        barrier.passed(self.number, self._clocks_at(number))
        self._passed[number] = barrier.round
        self.waiting = None
        self.state = WaveStatus.RUNS
        if self.step.effects.settles:
            self.in_flight.settle(self.step.effects.settles)
        return True

    def _end(self) -> None:
        self.in_flight.finish_all()
        self.state = WaveStatus.ENDED
        self.group.prepared.memory.free(self.scratch)
        self.group.ended(self.number)

    # Sentences

    def _stopped(self, reason: str) -> Observation:
        return Observation(STOPPED, self.step, self.name, reason.rstrip("."), ends=True)

    def _off_the_code(self) -> Observation:
        pc = self.wave.pc
        section = self.image.section_at(pc)
        if section is None:
            where = "where there is no memory of this program"
        elif not section.is_code:
            where = f"in section {section.name}, which is data"
        elif pc >= section.base + len(section.data):
            where = "behind the end of the code"
        elif self.image.is_data(pc):
            where = "which is data among the code"
        else:
            where = "in the middle of an instruction or in padding"
        symbol = self.image.symbol_at(pc)
        said = f"{self.name} goes on at {pc:#x}{f' ({symbol})' if symbol else ''}, {where}"
        return Observation(STOPPED, self.step, self.name, said, ends=True)


def _path(step: PlacedInstruction) -> str:
    """The path to memory of an operation: those of one path are performed in order."""
    kinds = {event.kind for event in step.effects.events}
    if "scalar" in kinds:
        return "scalar"
    return "lds" if kinds <= {wait_events.LDS, "gds"} else "vector"


def _results(step: PlacedInstruction) -> int:
    found = sets.NONE
    for event in step.effects.events:
        found |= event.writes
    return found | step.effects.writes & ~sets.EXEC

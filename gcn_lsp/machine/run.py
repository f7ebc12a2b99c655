"""Runs a launch: work-groups one after the other, the waves of each in turns, the same way every time."""

import random
from collections import deque
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from math import prod
from typing import Any

from gcn_lsp.machine import dispatch
from gcn_lsp.machine.groups import GridState, GroupRun
from gcn_lsp.machine.launch import Prepared
from gcn_lsp.machine.observations import STOPPED, Halt, Log, Observation
from gcn_lsp.machine.orders import EARLY, Order
from gcn_lsp.machine.stays import StayWatch
from gcn_lsp.machine.waves import WaveRun, WaveStatus

LIMIT = 100_000_000
"""The instructions of a run, of all waves together, unless the user says otherwise."""

_PATIENCE = 200_000  # instructions of a work-group before another one begins: it may wait for that one
_RESIDENT = 64  # work-groups that run at the same time at most
_LONGEST_TURN = 1 << 30


@dataclass
class RunResult:
    """A run that is over. executed: instructions of all waves. is_complete: every wave has ended. groups: that ran.

    is_interrupted: the user ended it.
    """

    log: Log
    executed: int = 0
    is_complete: bool = True
    groups: int = 0
    is_interrupted: bool = False


@dataclass
class _Resident:
    """A work-group at work."""

    group: GroupRun
    waves: list[WaveRun]
    turns: deque[WaveRun] = field(default_factory=deque)
    budget: int = _PATIENCE


@dataclass
class _Turn:
    """A wave at work. left: instructions of its turn. before: those that it had carried out when the turn began."""

    wave: WaveRun
    left: int
    before: int


class Machine:
    """A launch in execution. trace: called with each wave before each instruction, for those who watch.

    progress: called now and then with the part of the work-groups that is done, from 0 to 1.
    stays: looks between turns whether the run stays in the same instructions.
    """

    def __init__(
        self,
        prepared: Prepared,
        order: Order = EARLY,
        *,
        limit: int = LIMIT,
        trace: "Callable[[WaveRun], None] | None" = None,
        progress: "Callable[[float], None] | None" = None,
        stays: "StayWatch | None" = None,
    ) -> None:
        self.prepared = prepared
        self.order = order
        self.limit = limit
        self.result = RunResult(Log())
        self._trace = trace
        self._progress = progress
        self._stays = stays
        self._total = prod(prepared.launch.groups)
        self._random = random.Random(order.seed) if order.seed else None
        self._groups: Iterator[dispatch.Group] = dispatch.groups(prepared)
        self._residents: deque[_Resident] = deque()
        self._at_work: WaveRun | None = None
        self._begun: _Turn | None = None
        self._shared = GridState(prepared, order)

    @property
    def waves(self) -> list[WaveRun]:
        """The waves of the work-groups at work."""
        return [wave for resident in self._residents for wave in resident.waves]

    def run(self) -> RunResult:
        """Run to the end, to a wave that cannot go on, to the limit, or until the user interrupts."""
        try:
            while self._turn():
                if self._progress is not None:
                    self._progress((self.result.groups - len(self._residents)) / self._total)
                if self._stays is not None and self._stays.is_due(self.result.executed):
                    running = tuple(wave.name for wave in self.waves if wave.state is WaveStatus.RUNS)
                    self._stays.look(self.result.executed, running)
        except Halt as halt:
            self.result.log.add(halt.observation)
            self.result.is_complete = False
        except KeyboardInterrupt:
            self.result.is_complete, self.result.is_interrupted = False, True
            wave = self._at_work
            if wave is not None:
                said = f"{wave.name} was here when the run was interrupted"
                self.result.log.add(Observation(STOPPED, wave.step, wave.name, said, ends=True))
        return self.result

    def go_on(self) -> "WaveRun | None":
        """Carry out the instruction of the wave that was given last, and give the one whose instruction is next.

        None at the end. Raises Halt where a wave cannot go on.
        """
        turn = self._begun
        if turn is not None:
            wave = turn.wave
            wave.advance()
            turn.left -= 1
            if turn.left > 0 and wave.state is WaveStatus.RUNS and not wave.yields:
                return wave
            self._begun = None
            self._give_back(wave, wave.executed - turn.before)
            self._check_limit(wave)
        taken = self._take()
        if taken is not None:
            self._begun = _Turn(taken, self._length(), taken.executed)
        return taken

    def copy(self, *others: Any) -> "tuple[Machine, tuple[Any, ...]]":
        """The same run as it is here, in memory of its own, and what refers to it. Not for orders with delays."""
        prepared = self.prepared
        shared = (prepared.image, prepared.image.model, prepared.image.target, prepared.kernel, prepared.launch)
        memo: dict[int, Any] = {id(each): each for each in (*shared, *prepared.image.steps.values())}
        memo |= {id(each): each for each in self._shared.chosen.made()}
        memo[id(self._groups)] = None  # a generator, which is made again
        made, rest = deepcopy((self, others), memo)
        made._groups = islice(dispatch.groups(made.prepared), self.result.groups, None)
        return made, rest

    def _turn(self) -> bool:
        """Give a turn to a wave of the work-group at the front; False if there is nothing left to do."""
        wave = self._take()
        if wave is None:
            return False
        self._at_work = wave
        before = wave.executed
        turn = min(self._length(), self.limit - self.result.executed)
        advance, trace = wave.advance, self._trace
        try:
            for _ in range(turn):
                if trace is not None:
                    trace(wave)
                advance()
                if wave.state is not WaveStatus.RUNS or wave.yields:
                    break
        finally:
            self._give_back(wave, wave.executed - before)
        self._check_limit(wave)
        return True

    def _take(self) -> "WaveRun | None":
        """The wave whose turn it is; None at the end."""
        while (resident := self._front()) is not None:
            wave = self._next_wave(resident)
            if wave is not None:
                wave.yields = False
                return wave
        return None

    def _give_back(self, wave: WaveRun, done: int) -> None:
        """End the turn of a wave, in which it carried out `done` instructions."""
        resident = self._residents[0]
        resident.budget -= done
        resident.group.executed += done
        self.result.executed += done
        if wave.state is not WaveStatus.ENDED:
            resident.turns.append(wave)
        if not resident.turns:
            self._residents.popleft()
        elif resident.budget <= 0:
            resident.budget = _PATIENCE
            self._start_next()
            self._residents.rotate(-1)

    def _check_limit(self, wave: WaveRun) -> None:
        if self.result.executed >= self.limit and self._residents and wave.state is not WaveStatus.ENDED:
            said = f"the run reached its limit of {self.limit} instructions here; --limit sets another"
            raise Halt(Observation(STOPPED, wave.next_step(), wave.name, said, ends=True))

    def _front(self) -> "_Resident | None":
        if not self._residents and not self._start_next():
            return None
        return self._residents[0]

    def _start_next(self) -> bool:
        """Begin the next work-group."""
        if len(self._residents) >= _RESIDENT:
            return False
        for place in islice(self._groups, 1):
            count = dispatch.waves_of(self.prepared, place)
            group = GroupRun(self.prepared, place, count, self.order, self.result.log, self._shared)
            waves = [WaveRun(group, number, dispatch.start(self.prepared, place, number)) for number in range(count)]
            resident = _Resident(group, waves)
            resident.turns.extend(reversed(waves) if self.order.reversed else waves)
            self._residents.append(resident)
            self.result.groups += 1
            return True
        return False

    def _next_wave(self, resident: _Resident) -> "WaveRun | None":
        """The next wave that can go on; None if another work-group has to go first. Raises Halt if none can."""
        for _ in range(len(resident.turns)):
            wave = resident.turns.popleft()
            if wave.state is WaveStatus.RUNS or wave.try_to_pass():
                return wave
            resident.turns.append(wave)
        if self._start_next():
            self._residents.rotate(-1)
            return None
        for place, other in enumerate(self._residents):
            if any(wave.state is WaveStatus.RUNS or wave.try_to_pass() for wave in other.turns):
                self._residents.rotate(-place)  # waves of a cluster wait for each other
                return None
        wave = resident.turns[0]
        names = ", ".join(str(each.number) for each in resident.turns)
        said = f"waves {names} wait at barriers that no other wave reaches: the work-group cannot go on"
        raise Halt(Observation(STOPPED, wave.step, wave.name, said, ends=True))

    def _length(self) -> int:
        """The instructions of the next turn."""
        turn = self.order.turn or _LONGEST_TURN
        return self._random.randint(1, 2 * turn) if self._random is not None and self.order.turn else turn

"""A run that stops and goes on, forwards and backwards: backwards it runs again from an earlier state, as every run is
the same.
"""

from collections.abc import Callable

from gcn_lsp.machine.launch import Prepared
from gcn_lsp.machine.observations import Halt, Observation, WaveName
from gcn_lsp.machine.orders import Order
from gcn_lsp.machine.run import Machine
from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.records import NamedTuple

Interrupted = Callable[[], bool]

_ASKED_EVERY = 512  # instructions between two looks at what the client wants
_FIRST_DISTANCE = 1 << 14  # instructions between two states that are kept; it doubles when there are too many
_MOST_STATES = 16
_MOST_BYTES = 1 << 28  # of the memory in all states that are kept


class _State(NamedTuple):
    """A state that is kept. calls: as those of `Execution`."""

    position: int
    machine: Machine
    wave: "WaveRun | None"
    last: "WaveRun | None"
    calls: dict[WaveName, list[int]]


class Execution:
    """A launch that is stepped. make: puts the launch into fresh memory. position: instructions carried out so far.

    wave: the one whose instruction is next; None at the end. last: the one before that. halted: why a wave could not go
    on. calls: the addresses to which each wave's functions return, the outermost first.
    """

    def __init__(self, make: Callable[[], Prepared], order: Order, limit: int) -> None:
        self._make = make
        self._order = order
        self._limit = limit
        self._history: list[tuple[WaveName, int]] = []  # the wave and the address of each instruction so far
        self._edits: list[tuple[int, Callable[[Machine], None]]] = []
        self._states: list[_State] = []
        self._distance = _FIRST_DISTANCE
        self.calls: dict[WaveName, list[int]] = {}
        self._start()

    def _start(self) -> None:
        self.machine = Machine(self._make(), self._order, limit=self._limit)
        self.position = -1
        self.wave: WaveRun | None = None
        self.last: WaveRun | None = None
        self.halted: Observation | None = None
        self._history.clear()
        self.calls.clear()
        self.forward()

    def forward(self) -> bool:
        """Carry out the next instruction; False if there is none."""
        if self.position >= 0:
            if self.wave is None:
                return False
            self._history.append((self.wave.name, self.wave.wave.pc))
            self.last = self.wave
        try:
            self.wave = self.machine.go_on()
        except Halt as halt:
            self.machine.result.log.add(halt.observation)
            self.halted, self.wave = halt.observation, None
            if self.last is not None:
                self.last.wave.pc = self.last.step.address  # it has not got past this instruction
        self.position += 1
        if self.last is not None:
            self._note_call(self.last)
        for position, edit in self._edits:
            if position == self.position:
                edit(self.machine)
        if self.position % self._distance == 0 and self.position > 0 and self.wave is not None:
            self._keep()
        return self.wave is not None

    def _keep(self) -> None:
        """Keep the state, so that going back does not begin at the start."""
        if self._order.delays or (self._states and self._states[-1].position >= self.position):
            return
        size = sum(region.size for region in self.machine.prepared.memory)
        if size * _MOST_STATES > _MOST_BYTES:
            return
        if len(self._states) == _MOST_STATES:
            self._states = self._states[1::2]
            self._distance *= 2
            if self.position % self._distance:
                return
        calls = {name: list(stack) for name, stack in self.calls.items()}
        machine, (wave, last) = self.machine.copy(self.wave, self.last)
        self._states.append(_State(self.position, machine, wave, last, calls))

    def _restore(self, state: _State) -> None:
        self.machine, (self.wave, self.last) = state.machine.copy(state.wave, state.last)
        self.position, self.halted = state.position, None
        self.calls = {name: list(stack) for name, stack in state.calls.items()}
        del self._history[state.position :]

    def _note_call(self, wave: WaveRun) -> None:
        """Keep account of the calls and returns of the instruction that was carried out last."""
        flow = wave.step.effects.flow
        if flow == "call":
            self.calls.setdefault(wave.name, []).append(wave.step.address + wave.step.size)
        elif flow == "jump" and (stack := self.calls.get(wave.name)) and wave.wave.pc == stack[-1]:
            stack.pop()

    def depth(self, name: WaveName) -> int:
        """How many calls a wave is in."""
        return len(self.calls.get(name, ()))

    def back(self, position: int) -> None:
        """Go back to a position."""
        kept = [each for each in self._edits if each[0] <= position]
        if len(kept) < len(self._edits):
            self._edits = kept
            self._states = [state for state in self._states if state.position <= position]
        state = next((state for state in reversed(self._states) if state.position <= position), None)
        if state is None:
            self._start()
        else:
            self._restore(state)
        while self.position < position and self.forward():
            pass

    def before(self, name: WaveName, line_of: "Callable[[int], object] | None" = None) -> "int | None":
        """The position before the last instruction of a wave; None if it has carried out none.

        line_of: the line of an address; with it, the position before all instructions of the last line.
        """
        found, line = None, None
        for position in range(len(self._history) - 1, -1, -1):
            wave, address = self._history[position]
            if wave != name:
                continue
            if line_of is None:
                return position
            here = line_of(address)
            if here is None:
                continue
            if found is not None and here != line:
                return found
            found, line = position, here
        return found

    def edit(self, change: Callable[[Machine], None]) -> None:
        """Change the state here, and again whenever the run comes here again."""
        self._edits.append((self.position, change))
        self._states = [state for state in self._states if state.position < self.position]
        change(self.machine)

    def go(self, stops: Callable[[WaveRun], bool], interrupted: Interrupted) -> bool:
        """Go on until `stops` holds for a wave before its instruction; False at the end.

        interrupted: asked now and then; it ends this too.
        """
        count = 0
        while self.forward():
            assert self.wave is not None
            if stops(self.wave):
                return True
            count += 1
            if count % _ASKED_EVERY == 0 and interrupted():
                return True
        return False

    def go_back(self, stops: Callable[[WaveRun], bool]) -> bool:
        """Go back to the last place where `stops` held; False if there is none, and it is at the start."""
        end = self.position
        self.back(0)
        found = None
        while self.position < end and self.wave is not None:
            if stops(self.wave):
                found = self.position
            self.forward()
        self.back(found or 0)
        return found is not None

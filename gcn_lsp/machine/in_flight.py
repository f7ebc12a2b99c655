"""The memory operations of a wave that have begun and are not known to be done: its counters.

An operation is *performed* when memory is read or written, and *done* when its results are in registers. The order of
completion (`orders.Order`) says when: at once, or only when a wait needs it. Operations of one path to memory are
performed in the order of the program, as the hardware promises a single wave.
"""

from collections.abc import Iterable, Mapping
from itertools import takewhile

from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Event
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.machine.delayed import Delayed
from gcn_lsp.machine.image import PlacedInstruction


class Operation:
    """An operation in flight. left: of its counters that no wait has brought down yet. delayed: what is still to do.

    writing: of these, the ones that protect results; others only say when sources may be overwritten.
    """

    __slots__ = ("delayed", "events", "issued", "left", "step", "writes", "writing")

    def __init__(
        self, step: PlacedInstruction, events: "tuple[Event, ...]", issued: int, delayed: "Delayed | None"
    ) -> None:
        self.step = step
        self.events = events
        self.left = len(events)
        self.writing = sum(1 for event in events if event.writes)
        self.issued = issued
        self.delayed = delayed
        self.writes = registers.NONE
        for event in events:
            self.writes |= event.writes


_COUNTED = 64  # operations that a counter can count
_IGNORED = (wait_events.TRANSLATION,)


def counted(step: PlacedInstruction) -> "tuple[Event, ...]":
    """The counters that an instruction raises, without those that say nothing about results."""
    return tuple(
        event
        for event in step.effects.events
        if event.counter not in _IGNORED
        and event.kind != wait_events.POSSIBLE
        and not wait_events.is_uncounted(event.row, event.kind)
    )


class InFlight:
    """The operations of a wave. writes: the registers that they will write."""

    def __init__(self, ordered: Mapping[str, tuple[frozenset[str], ...]]) -> None:
        self._ordered = ordered
        self.queues: dict[str, list[tuple[Operation, Event]]] = {}
        self.operations: list[Operation] = []
        self.writes = registers.NONE
        self._enough = 2 * _COUNTED

    def add(self, operation: Operation) -> None:
        """Begin an operation."""
        if not operation.events:
            self.finish(operation)
            return
        self.operations.append(operation)
        for event in operation.events:
            self.queues.setdefault(event.counter, []).append((operation, event))
        self.writes |= operation.writes
        if len(self.operations) > self._enough:
            self._forget()

    def _forget(self) -> None:
        """Forget stores that no wait has asked for: a counter is smaller than what is younger than they are."""
        kept = {
            id(operation)
            for place, operation in enumerate(reversed(self.operations))
            if place < _COUNTED or operation.writes or operation.delayed is not None
        }
        self.operations = [each for each in self.operations if id(each) in kept]
        for queue in self.queues.values():
            queue[:-_COUNTED] = [each for each in queue[:-_COUNTED] if id(each[0]) in kept]
        self._enough = 2 * max(_COUNTED, len(self.operations))

    def wait(self, limits: Iterable[tuple[str, int]]) -> None:
        """Complete what has to be complete when each counter is at most its limit."""
        for counter, limit in limits:
            queue = self.queues.get(counter)
            if not queue or len(queue) <= limit:
                continue
            done = len(queue) if limit == 0 else len(queue) - limit if self._is_ordered(counter, queue) else 0
            self._complete(queue[:done])
            del queue[:done]

    def settle(self, kind: str) -> None:
        """Complete all operations of a kind."""
        for queue in self.queues.values():
            self._complete([each for each in queue if each[1].kind == kind])
            queue[:] = [each for each in queue if each[1].kind != kind]

    def finish_all(self) -> None:
        """Complete everything, as at the end of the wave."""
        for operation in self.operations:
            self.finish(operation)
        self.operations.clear()
        self.queues.clear()
        self.writes = registers.NONE

    def finish_before(self, issued: int) -> None:
        """Complete what is older than that: in the end, everything arrives."""
        for operation in takewhile(lambda operation: operation.issued < issued, self.operations):
            self.finish(operation)

    def finish(self, operation: Operation) -> None:
        """Perform an operation, after the older ones of its path, and put its results into the registers."""
        delayed = operation.delayed
        if delayed is None:
            return
        for older in self.operations:
            if older is operation:
                break
            if older.delayed is not None and older.delayed.path == delayed.path:
                older.delayed.perform()
        delayed.finish()
        operation.delayed = None

    def meets(self, touched: int) -> "Operation | None":
        """The operation that will write one of these registers; the youngest of several."""
        return next((each for each in reversed(self.operations) if each.writes & touched), None)

    def is_over(self, touched: int) -> None:
        """Forget that registers are still to be written: what reads them now was reported."""
        for operation in self.operations:
            operation.writes &= ~touched
        self.writes &= ~touched

    def counts(self) -> dict[str, int]:
        """How many operations each counter counts."""
        return {counter: len(queue) for counter, queue in self.queues.items() if queue}

    def _is_ordered(self, counter: str, queue: "list[tuple[Operation, Event]]") -> bool:
        kinds = {event.kind for _, event in queue}
        return any(kinds <= group for group in self._ordered.get(counter, ()))

    def _complete(self, done: "list[tuple[Operation, Event]]") -> None:
        for operation, event in done:
            operation.left -= 1
            if event.writes:
                operation.writing -= 1
                if operation.writing == 0:
                    self.finish(operation)
                    operation.writes = registers.NONE
            if operation.left == 0:
                self.finish(operation)
                if operation in self.operations:
                    self.operations.remove(operation)
        if done:
            self.writes = registers.NONE
            for operation in self.operations:
                self.writes |= operation.writes

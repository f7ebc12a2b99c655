"""What the hardware may do in another order: an oracle for mistakes that are planted in a kernel.

The traces of some waves are taken as they are. An access of LDS or a load is done where a wait of its wave says so, and
barriers order waves: an access of one wave comes before that of another one if it is done when its wave arrives at a
barrier that the other wave has passed before. Two accesses of the same bytes, one of them a write, without such an
order are a race. So is an instruction that touches a register which a load has not certainly written.

What a loop reads ahead for a round that does not come may be anything: nothing reads it before it is replaced, but the
data of other rounds are read.
Copies that go to another buffer need not race with anything: then reads bring the data of other writes than before.

A read by the LDS unit that has been issued before a barrier comes before a write by that unit after it: it has read
when the write comes. A write by the engines that copy beside the wave does not wait for such a read.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gcn_lsp.isa.machine import barriers
from gcn_lsp.machine.image import Image, PlacedInstruction
from gcn_lsp.machine.in_flight import InFlight, Operation, counted
from tests.analysis.lds.replay import Touched, Trace

_NEVER = 1 << 30
Change = Mapping[int, "PlacedInstruction | None"]  # what is at an address instead; None for nothing


class Race(NamedTuple):
    """Two instructions, by address, without an order. kind: between which parts of the machine."""

    kind: str
    first: int
    second: int


class _Done(NamedTuple):
    """An access with the barriers around it: passed before it, arrivals before it and before it is done, from 1."""

    address: int
    touched: Touched
    passed: int
    issued: int
    done: int


def races(image: Image, traces: list[Trace], change: Change) -> set[Race]:
    """The races of a kernel within its first wave, and of that with others; with some instructions changed."""
    found: set[Race] = set()
    waves = [_accesses(image, trace, change, found if number == 0 else set()) for number, trace in enumerate(traces)]
    for its in waves[1:]:
        found.update(_across(waves[0], its))
        found.update(_across(its, waves[0]))
    return found


def misled(before: tuple[Image, list[Trace]], after: tuple[Image, list[Trace]]) -> set[Race]:
    """The reads of the first wave that bring other data, each with a write whose data it has lost, of the first run."""
    one, other = (_sources(image, traces) for image, traces in (before, after))
    _, traces = before
    return {
        Race("data", traces[wave].path[place], traces[0].path[read])
        for read, its in one.items()
        for wave, place in sorted(its - other.get(read, its))[:1]
    }


def _sources(image: Image, traces: list[Trace]) -> dict[int, frozenset[tuple[int, int]]]:
    """The writes whose data each read of the first wave brings, as waves and places in their traces."""
    writes: list[tuple[int, int, int, Touched]] = []  # barriers passed before it, place, wave
    reads: list[tuple[int, int, Touched]] = []
    for wave, trace in enumerate(traces):
        passed = 0
        for place, address in enumerate(trace.path):
            passed += barriers.completes(image.steps[address].mnemonic)
            touched = trace.touched.get(place)
            if touched is not None and touched.access.writes:
                writes.append((passed, place, wave, touched))
            elif touched is not None and wave == 0:
                reads.append((passed, place, touched))
    writes.sort(key=lambda each: each[:3])
    found = {}
    for passed, place, touched in reads:
        left, its = touched.bytes, set()
        for number in range(bisect_left(writes, (passed, place), key=lambda each: each[:2]) - 1, -1, -1):
            _, at, wave, write = writes[number]
            if write.blocks & touched.blocks and write.bytes & left:
                its.add((wave, at))
                left &= ~write.bytes
            if not left:
                break
        found[place] = frozenset(its)
    return found


def _accesses(image: Image, trace: Trace, change: Change, found: set[Race]) -> list[_Done]:
    """The accesses of a wave; adds the races within it."""
    in_flight = InFlight(image.model.ordered)
    done: list[_Done] = []
    open_: dict[int, tuple[Operation, int]] = {}  # by id: an access in flight, and its place in `done`
    ahead: dict[int, int] = {}  # registers with what LDS brought and nothing has read yet, by the place in `done`
    unused: set[int] = set()
    used: set[int] = set()  # addresses of reads
    passed = arrived = 0
    for place, address in enumerate(trace.path):
        step = change.get(address, image.steps[address])
        if step is None:
            continue
        effects = step.effects
        if in_flight.writes & step.touches:
            _note_registers(in_flight, step, found)
        if effects.waits or effects.settles:
            in_flight.wait(effects.waits)
            if effects.settles:
                in_flight.settle(effects.settles)
            for key in [key for key, (operation, _) in open_.items() if operation.left == 0]:
                index = open_.pop(key)[1]
                done[index] = done[index]._replace(done=arrived + 1)
        for index in [index for index, data in ahead.items() if data & step.touches]:
            if effects.reads & ahead[index]:
                del ahead[index]
                used.add(done[index].address)
                continue
            ahead[index] &= ~step.touches
            if not ahead[index]:
                del ahead[index]
                unused.add(index)
        if barriers.arrives(step.mnemonic):
            arrived += 1
        if barriers.completes(step.mnemonic):
            passed += 1
        if not step.is_memory:
            continue
        operation = Operation(step, counted(step), place, None)
        in_flight.add(operation)
        touched = trace.touched.get(place)
        if touched is not None:
            _note_own(step, touched, [done[index] for _, index in open_.values()], found)
            open_[id(operation)] = (operation, len(done))
            if operation.writes and not touched.access.writes:
                ahead[len(done)] = operation.writes
            done.append(_Done(address, touched, passed, arrived + 1, _NEVER))
    return [each for index, each in enumerate(done) if index not in unused or each.address not in used]


def _note_registers(in_flight: InFlight, step: PlacedInstruction, found: set[Race]) -> None:
    touched = step.touches & in_flight.writes
    kinds = {event.kind for event in step.effects.events}
    for operation in in_flight.operations:
        common = operation.writes & touched
        if not common:
            continue
        its = {event.kind for event in operation.events}
        if step.effects.reads & common or not (kinds and kinds == its and kinds <= _IN_ORDER):
            found.add(Race("register", operation.step.address, step.address))
            in_flight.is_over(common)
            return


_IN_ORDER = frozenset(("load", "lds", "sample"))


def _note_own(step: PlacedInstruction, touched: Touched, before: list[_Done], found: set[Race]) -> None:
    """A copy that is not done and what it writes, or data on its way to what a copy reads."""
    for each in before:
        mine, its = touched.access, each.touched.access
        is_raw = its.writes and mine.reads and mine.is_copy != its.is_copy
        if is_raw and each.touched.blocks & touched.blocks and each.touched.bytes & touched.bytes:
            found.add(Race("own", each.address, step.address))


def _across(mine: list[_Done], its: list[_Done]) -> Iterator[Race]:
    """The races of a wave's writes with what another wave does."""
    by_barrier: dict[int, list[_Done]] = {}
    long: list[_Done] = []
    for each in dict.fromkeys(its):
        if each.done - each.passed > 2:
            long.append(each)
        else:
            by_barrier.setdefault(each.passed, []).append(each)
    seen: set[tuple[int, int]] = set()
    for write in dict.fromkeys(mine):
        if not write.touched.access.writes:
            continue
        near = range(max(0, write.passed - 2), min(write.done, write.passed + 4))
        for other in [each for number in near for each in by_barrier.get(number, ())] + long:
            if (write.address, other.address) in seen or not write.touched.blocks & other.touched.blocks:
                continue
            if _comes_before(write, other) or _comes_before(other, write):
                continue
            if write.touched.bytes & other.touched.bytes:
                seen.add((write.address, other.address))
                yield Race("waves", write.address, other.address)


def _comes_before(one: _Done, other: _Done) -> bool:
    """Whether an access of one wave certainly comes before that of another."""
    mine, its = one.touched.access, other.touched.access
    is_issued_enough = its.writes and not mine.is_copy and not its.is_copy
    return (one.issued if is_issued_enough else one.done) <= other.passed

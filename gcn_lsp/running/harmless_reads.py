"""Finds the reads of what nothing has written on which nothing depends: whatever is there, the run ends the same.

Kernels read elements past the end and then mask the value away. So the run is repeated with other bytes in place of
what nothing has written, and a read is reported only if memory, the findings or the end of the run changes.
"""

from collections.abc import Callable

import msgspec

from gcn_lsp.machine import leftovers, observations
from gcn_lsp.machine.image import PlacedInstruction
from gcn_lsp.machine.orders import Order
from gcn_lsp.machine.run import Machine

Again = Callable[[Order, int], Machine]
"""Runs the same launch in another order, up to a number of instructions."""

_RULES = (observations.UNWRITTEN_LDS, observations.UNWRITTEN)
_DISTINGUISHED = 8  # reads that are tried one by one
_SPARE = 10_000  # instructions beyond twice those of the run, in case what is read decides how long it takes


def remove(machine: Machine, again: Again) -> None:
    """Remove them from the log of a run that is over."""
    log, steps = machine.result.log, machine.prepared.image.steps.values()
    found = [key for key in log.found if key[0] in _RULES]
    if not found or not machine.result.is_complete or not any(map(_stores_result, steps)):
        return
    counts = [step.count for step in steps]
    for key in _harmless(machine, again, found):
        del log.found[key], log.counts[key]
    for step, count in zip(steps, counts, strict=True):
        step.count = count


def _stores_result(step: PlacedInstruction) -> bool:
    """Whether an instruction of the run stores to more than LDS: otherwise there is no result to compare."""
    form = step.instruction.form
    return bool(step.count) and form is not None and form.may_store and form.family != "DS"


def _harmless(machine: Machine, again: Again, found: "list[tuple[str, int]]") -> "list[tuple[str, int]]":
    if not _matters(machine, again, frozenset()):
        return found
    if not 1 < len(found) <= _DISTINGUISHED:
        return []
    single = [key for key in found if not _matters(machine, again, frozenset((key[1],)))]
    return single if len(single) < len(found) else []


def _matters(machine: Machine, again: Again, steps: frozenset[int]) -> bool:
    """Whether a run ends otherwise if the instructions at some addresses, or all, read something else there."""
    before = _end(machine)
    for left in leftovers.KINDS:
        if machine.result.is_interrupted:
            return True
        order = msgspec.structs.replace(machine.order, leftovers=msgspec.structs.replace(left, steps=steps))
        other = again(order, 2 * machine.result.executed + _SPARE)
        machine.result.is_interrupted |= other.result.is_interrupted
        if _end(other) != before:
            return True
    return False


def _end(machine: Machine) -> tuple[bool, frozenset[tuple[str, int]], list[bytes]]:
    """What a run leaves: whether it is complete, what it found, and memory."""
    contents = [region.data.tobytes() for region in machine.prepared.memory]
    return machine.result.is_complete, frozenset(machine.result.log.found), contents

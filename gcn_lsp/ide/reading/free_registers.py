"""The registers that are taken at a line, so that a new result should go elsewhere.

Taken is what some path still reads. Code that is being written lacks its readers, so more counts: what was written
above and not read yet, what was read above without having been written, and what still holds an input of the kernel. At
the end of what is written all that was used above is taken: an address or a pointer is often used again.
"""

import itertools
from typing import TYPE_CHECKING

from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.analysis.machine.results import EVERYTHING
from gcn_lsp.analysis.values import kernel_inputs, liveness, reaching
from gcn_lsp.ide.reading import functions, registers

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_LINES_ABOVE = 256
# What almost every kernel is started with: the pointer to its arguments, the ids of its work-group and its work-items.
_USUAL_INPUTS = sets.of_tuple("s", 0, 3) | sets.of_tuple("v", 0, 1)


def taken(program: "Program", line: int) -> int:
    """The registers that are taken on a line of the main file, as in `analysis.machine.registers`."""
    if program.target is None:
        return sets.NONE
    first, last = functions.region_at(program, line)
    above = max(first, line - _LINES_ABOVE)
    below = _touched(program, line + 1, min(last, line + _LINES_ABOVE))
    live = _live_after(program, line)
    # Where control is not followed, what the lines below name may be needed there.
    found = (below if live is None else live) if below else _touched(program, above, line - 1)
    inputs = list(kernel_inputs.available(program, line))
    for each in inputs:
        found |= sets.of_tuple(each.input.file, each.input.first, each.input.count)
    held = _held(program, above, line - 1)
    return found | held | (sets.NONE if inputs else _USUAL_INPUTS)


def lowest(program: "Program", line: int, file: str) -> int:
    """The number of the lowest register of a file that is neither taken on a line nor named there."""
    used = taken(program, line) | _touched(program, line, line)
    return next(number for number in itertools.count() if not used & sets.of_tuple(file, number, 1))


def _live_after(program: "Program", line: int) -> "int | None":
    """The registers that are read after a line of code; None if control is not followed."""
    live = liveness.of(program)
    place = reaching.on_line(program, line)
    if live is None or place is None:
        return None
    found = live.after_instruction(place.node, place.site.index).anywhere
    return None if found == EVERYTHING else found


def _held(program: "Program", first: int, last: int) -> int:
    """What the lines write and do not read afterwards, and what they read first."""
    unread = read = written = sets.NONE
    inputs = sets.NONE
    for touched, is_write in reversed(registers.touched_in(program, first, last)):
        if is_write:
            unread |= touched & ~read & ~written
            written |= touched
            inputs &= ~touched
        else:
            read |= touched
            inputs |= touched
    return unread | inputs


def _touched(program: "Program", first: int, last: int) -> int:
    found = sets.NONE
    for touched, _ in registers.touched_in(program, first, last):
        found |= touched
    return found

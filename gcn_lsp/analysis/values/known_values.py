"""The known values of SGPRs before an instruction: constants that straight code before it moves into them.

It searches backward to the nearest label or the end of straight code; a register that any other instruction writes is
not known. Conditional branches on the way do not matter: they were not taken.
"""

import struct

from gcn_lsp.analysis.machine import effects
from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.analysis.values import reaching
from gcn_lsp.instruction import immediates
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.program import Program

_FAR = 1000  # instructions; constants are moved near their use
_STRAIGHT = frozenset(("next", "conditional"))


def known_values(program: Program, chunk: int, index: int, first: int, count: int) -> tuple[int | None, ...]:
    """The values of SGPRs `first` to `first + count - 1` before item `index` of a chunk; None for an unknown one."""
    found: list[int | None] = [None] * count
    if program.target is None:
        return tuple(found)
    model = effects.model_for(program.target)
    wanted = sets.of_tuple("s", first, count)
    number, at = chunk, index
    for _ in range(_FAR):
        at -= 1
        while at < 0:
            number -= 1
            if number < 0:
                return tuple(found)
            at = len(program.chunks[number].items) - 1
        item = program.chunks[number].items[at]
        if item.kind == "label" or not wanted:
            break
        if item.instruction is None:
            continue
        known = model.of(item.instruction)
        if not known.known or known.flow not in _STRAIGHT:
            break
        written = known.writes & wanted
        if written:
            for register, value in moved(item.instruction).items():
                if first <= register < first + count and written >> register & 1:
                    found[register - first] = value
            wanted &= ~written
    return tuple(found)


def on_every_path(writers: "reaching.Writers | None", first: int, count: int) -> tuple[int | None, ...]:
    """The values that all of the last `writers` of some SGPRs move into them; None for others.

    Nothing is known if a path may leave any of these SGPRs as it was on entry.
    """
    if writers is None or writers.from_entry or writers.by_unknown:
        return (None,) * count
    found: list[set[int | None]] = [set() for _ in range(count)]
    for site in writers.sites:
        constants = moved(site.item.instruction) if site.item.instruction is not None else {}
        for number, values in enumerate(found):
            if site.effects.writes & sets.of_tuple("s", first + number, 1):
                values.add(constants.get(first + number))
    return tuple(values.pop() if len(values) == 1 else None for values in found)


def moved(instruction: Instruction) -> dict[int, int]:
    """The constants that an instruction moves into SGPRs, by their number."""
    form = instruction.form
    role = roles.of(form.mnemonic) if form is not None else None
    if role is None or (role.verb, role.file) != ("move", "s") or len(instruction.operands) != 2:
        return {}
    to, constant = instruction.operands
    if to.file != "s" or constant.kind == "register" or constant.value is None:
        return {}
    bits = _bits(constant.value, role.bits)
    return {to.first + word: bits >> 32 * word & 0xFFFFFFFF for word in range(role.bits // 32)}


def _bits(value: int | float, width: int) -> int:
    """The bit pattern of a constant in 32 or 64 bits."""
    if isinstance(value, float):
        bits = int.from_bytes(struct.pack("<d", value), "little")
        return immediates.to_single(bits) if width == 32 else bits
    return value & ((1 << width) - 1)

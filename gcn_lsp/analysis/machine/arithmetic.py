"""The values that scalar instructions compute: constants, sums, and distances from the program counter.

A value is a base, the distance to a label and a number, each of which may be missing. `after` follows the values in
registers through one instruction; `values.symbolic` asks for them on the control flow graph.
"""

import struct
from collections.abc import Hashable, Mapping
from typing import Protocol

from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Effects
from gcn_lsp.instruction import immediates
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.chunk import Item
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import nodes

_SIGN, _BITS = 1 << 31, 1 << 32
_FILES = ("s", "m0")


class Executed(Protocol):
    """An instruction of a program, with its effects."""

    @property
    def item(self) -> Item:
        """The instruction in its chunk."""
        ...

    @property
    def effects(self) -> Effects:
        """What it reads and writes."""
        ...

    @property
    def mnemonic(self) -> str:
        """The form's mnemonic, empty without a form."""
        ...

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands, those without a form too."""
        ...


class Counter(NamedTuple):
    """The program counter after the instruction `reader`, as it reads it."""

    reader: Item


class Value(NamedTuple):
    """The value of a register: a base, the distance to a label and a number together.

    number: signed, for an address in bytes. base: `Counter`, or as in `values.symbolic`; None for none. label: empty
    for none; negated: its distance is subtracted. mask: the bits that are left of the sum, -1 for all.
    """

    number: int
    base: Hashable = None
    label: str = ""
    negated: bool = False
    mask: int = -1

    @property
    def word(self) -> "int | None":
        """The 32 bits of a constant; None for any other value."""
        return self.number % _BITS if self.base is None and not self.label and self.mask == -1 else None


Known = Mapping[int, Value]
"""Values of single registers, by their bits in the sets of `machine.registers`."""


def after(known: Known, site: Executed) -> Known:
    """The known values of SGPRs and M0 after an instruction. The low half of a pair has the value of its address."""
    made = _made(known, site)
    written = site.effects.writes
    if known and written:
        known = {register: value for register, value in known.items() if not written >> register & 1}
    return {**known, **made} if made else known


def moved(instruction: "Instruction | None") -> dict[int, Value]:
    """The constants that an instruction moves into SGPRs or M0, one for each register."""
    form = instruction.form if instruction is not None else None
    role = roles.of(form.mnemonic) if form is not None else None
    if instruction is None or role is None or (role.verb, role.file) != ("move", "s") or len(instruction.operands) != 2:
        return {}
    to, constant = instruction.operands
    if to.file not in _FILES or constant.kind == "register" or constant.value is None:
        return {}
    bits, first = _bits(constant.value, role.bits), _register(to)
    return {first + word: Value(signed(bits >> 32 * word)) for word in range(role.bits // 32)}


def source(operand: Operand, site: Executed, known: Known) -> "Value | None":
    """The value of a source; of a label, its distance from what the assembler counts from."""
    if operand.kind == "register":
        return known.get(_register(operand)) if operand.file in _FILES else None
    if type(operand.value) is int:
        return Value(operand.value)
    fixups = site.item.fixups or (site.item.instruction.fixups if site.item.instruction is not None else ())
    node = next((fixup.expression for fixup in fixups), None)
    while isinstance(node, nodes.Binary) and node.op in ("+", "-"):
        node = node.left
    return Value(0, None, node.name) if isinstance(node, nodes.Name) else None


def _made(known: Known, site: Executed) -> dict[int, Value]:
    """The values that an instruction computes."""
    role, operands = roles.of(site.mnemonic), site.operands
    if role is None or role.file != "s" or not operands or operands[0].file not in _FILES:
        return {}
    value: Value | None = None
    if role.verb == "read pc":
        value = Value(0, Counter(site.item))
    elif role.verb == "move":
        constants = moved(site.item.instruction)
        if constants:
            return constants
        value = source(operands[1], site, known)
    elif role.verb in ("add", "subtract"):
        one, other = (source(operand, site, known) for operand in operands[1:3])
        value = _added(one, other, -1 if role.verb == "subtract" else 1)
    elif role.verb == "absolute":  # of a distance backward, before a subtraction
        size = source(operands[1], site, known)
        value = Value(abs(size.number), None, size.label, bool(size.label)) if size and size.base is None else None
    return {} if value is None else {_register(operands[0]): value}


def _added(one: "Value | None", other: "Value | None", sign: int) -> "Value | None":
    if one is None or other is None or (one.label and other.label) or (one.base is not None and other.base is not None):
        return None
    if (other.label and other.negated != (sign < 0)) or (other.base is not None and sign < 0):
        return None
    base = other.base if one.base is None else one.base
    return Value(signed(one.number + sign * other.number), base, one.label or other.label, one.negated)


def _register(operand: Operand) -> int:
    """The bit of the first register of an operand."""
    found = registers.of_tuple(operand.file, operand.first, 1)
    return (found & -found).bit_length() - 1


def signed(number: int) -> int:
    """A word as a number with a sign."""
    return (number + _SIGN) % _BITS - _SIGN


def _bits(value: int | float, width: int) -> int:
    """The bit pattern of a constant in 32 or 64 bits."""
    if isinstance(value, float):
        bits = int.from_bytes(struct.pack("<d", value), "little")
        return immediates.to_single(bits) if width == 32 else bits
    return value & ((1 << width) - 1)

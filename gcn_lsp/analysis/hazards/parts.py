"""Finds the registers that a part of a hazard row selects in an instruction: those that it reads, writes, names, ..."""

from collections.abc import Callable, Collection, Mapping

from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Effects, of_operand
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.hazards.access import Access, File
from gcn_lsp.isa.hazards.model import RegisterPart
from gcn_lsp.isa.operands import hwreg
from gcn_lsp.isa.schema import Form

Select = Callable[[RegisterPart, int, Form, tuple[Operand, ...], Effects], int]
Selection = tuple[Select, RegisterPart, int]
"""A part with the function that selects its registers, and the registers of its files."""


def selection(part: RegisterPart) -> Selection:
    """How to select the registers of a part."""
    return _ACCESS[part.access], part, _FILES[part.file]


# Registers beyond those of `machine.registers`, for what else two instructions may share: a bit that every instruction
# has, and one for each hardware register.
_ALWAYS = 1 << 255
_FIRST_HARDWARE_REGISTER = 160

_THIRD = 2  # counted from 0
_VGPRS = ~((1 << 1024) - 1)
_EVEN = int.from_bytes(b"\x55" * 16, "little")  # the even ones of 128 scalar registers
_FILES: Mapping[File, int] = {
    File.ALL: -1,
    File.VECTOR: ~registers.ALL_SCALARS,
    File.VGPR: _VGPRS,
    File.SCALAR: registers.ALL_SCALARS & ~(registers.SCC | registers.MODE),
    File.OPERANDS: registers.ALL_SCALARS & ~(registers.SCC | registers.MODE | registers.EXEC),
    File.SGPR: registers.SGPRS,
    File.PLAIN_SGPR: registers.SGPRS & ~registers.VCC,
    File.VCC: registers.VCC,
    File.EXEC: registers.EXEC,
    File.M0: registers.M0,
    File.S102: registers.of_tuple("s", 102, 1),
    File.S103: registers.of_tuple("s", 103, 1),
    File.FLAT_SCRATCH_BASE_LO: registers.of_tuple("src_flat_scratch_base_lo", 0, 0),
    File.FLAT_SCRATCH_BASE_HI: registers.of_tuple("src_flat_scratch_base_hi", 0, 0),
}


# The registers that a `Part` selects, by its access, in the files `files`.


def _reads(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return registers.within(effects.reads, files)


def _writes(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return registers.within(effects.writes, files)


def _reads_if_writes(
    part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects
) -> int:
    return registers.within(effects.reads, files) if effects.writes else registers.NONE


def _touches(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return registers.within(effects.touches, files)


def _uses(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    found = registers.NONE
    for _, mask in effects.slots:
        found = registers.union(found, registers.within(mask, effects.reads))
    return registers.within(found, files)


def _at(slots: Collection[str], effects: Effects) -> int:
    """The registers of the operands in some slots."""
    found = registers.NONE
    for slot, mask in effects.slots:
        if slot in slots:
            found = registers.union(found, mask)
    return found


def _defines(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return registers.within(_at(effects.defined, effects), files)


def _in_slots(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return registers.within(_at(part.slots, effects), files)


def _third(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    found = registers.NONE
    for operand in operands:
        if operand.slot in part.slots and operand.file in ("s", "ttmp") and operand.count > _THIRD:
            found |= registers.of_tuple(operand.file, operand.first + _THIRD, 1)
    return found & files


def _addend(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    names = {slot.name for slot in form.slots}
    return effects.slot(next((slot for slot in part.slots if slot in names), "")) & files


def _mask_operand(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    implied = registers.VCC if "vcc" in form.uses else registers.NONE
    return _in_slots(part, files, form, operands, effects) | implied


def _named(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return files


def _pairs(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    found = effects.reads & files
    return found | (found & _EVEN) << 1 | found >> 1 & _EVEN


def _numbered(
    part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects, *, written: bool
) -> int:
    found = registers.NONE
    if effects.touches & files:
        for operand in operands:
            if operand.file == "s" and (operand.slot in effects.defined) == written:
                found |= of_operand(operand)
    return found & files


def _writes_numbered(
    part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects
) -> int:
    return _numbered(part, files, form, operands, effects, written=True)


def _uses_numbered(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return _numbered(part, files, form, operands, effects, written=False)


def _writes_by_name(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    found = effects.writes & files
    return found & ~_writes_numbered(part, files, form, operands, effects) if found else found


def _uses_by_name(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    found = _in_slots(part, files, form, operands, effects)
    return found & ~_uses_numbered(part, files, form, operands, effects) if found else found


def _always(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return _ALWAYS


def _if_reads(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return _ALWAYS if effects.reads & files else registers.NONE


def _if_writes(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return _ALWAYS if effects.writes & files else registers.NONE


def _if_overlaps(part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return _ALWAYS if effects.writes & effects.reads & files else registers.NONE


def _hardware_register(
    part: RegisterPart, files: int, form: Form, operands: tuple[Operand, ...], effects: Effects
) -> int:
    for operand in operands:
        if operand.slot == "simm16" and isinstance(operand.value, int):
            return 1 << _FIRST_HARDWARE_REGISTER + hwreg.Fields.unpack(operand.value).register
    return registers.NONE


_ACCESS: Mapping[Access, Select] = {
    Access.READS: _reads,
    Access.WRITES: _writes,
    Access.READS_IF_WRITES: _reads_if_writes,
    Access.TOUCHES: _touches,
    Access.USES: _uses,
    Access.DEFINES: _defines,
    Access.SLOTS: _in_slots,
    Access.THIRD: _third,
    Access.ADDEND: _addend,
    Access.MASK: _mask_operand,
    Access.NAMED: _named,
    Access.READS_PAIRS: _pairs,
    Access.WRITES_NUMBERED: _writes_numbered,
    Access.USES_NUMBERED: _uses_numbered,
    Access.WRITES_BY_NAME: _writes_by_name,
    Access.USES_BY_NAME: _uses_by_name,
    Access.ALWAYS: _always,
    Access.IF_READS: _if_reads,
    Access.IF_WRITES: _if_writes,
    Access.IF_OVERLAPS: _if_overlaps,
    Access.HARDWARE_REGISTER: _hardware_register,
}

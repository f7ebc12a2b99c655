"""Describes a register: its number in encodings and its other names. `analysis` describes its use in the program."""

from gcn_lsp import isa
from gcn_lsp.instruction.model import Operand

_VECTOR_BASE = 256  # of VGPRs in a source field


def aliases(operand: Operand, target: isa.Target) -> str:
    """Its number in operand fields, and the parts or the whole with other names."""
    if operand.file in target.registers:
        register = target.registers[operand.file]
        others = [name for name in register.spellings if name != operand.file]
        if register.dwords == 2:
            others += [f"{register.file}_lo", f"{register.file}_hi"]
        elif register.file != operand.file:
            others.append(f"half of {register.file}")
        known = f"; also {', '.join(f'`{name}`' for name in others)}" if others else ""
        return f"Operand number {register.number}{known}."
    if operand.text.endswith((".l", ".h")):
        return ""  # the bit that selects the half differs between encodings
    base = {"v": _VECTOR_BASE, "a": _VECTOR_BASE, "s": 0, "ttmp": target.ttmp_base}.get(operand.file)
    if base is None:
        return ""
    overlaps = _named_pairs(operand, target)
    fields = "source fields" if operand.file in ("v", "a") else "operand fields"
    return f"Operand number {base + operand.first} in {fields}{overlaps}."


def _named_pairs(operand: Operand, target: isa.Target) -> str:
    """Special registers in the place of the SGPRs of this number: `flat_scratch` is s[102:103] on GFX9."""
    if operand.file != "s":
        return ""
    span = range(operand.first, operand.first + max(operand.count, 1))
    names = sorted({register.file for register in target.registers.values() if register.number in span})
    return f", where {', '.join(f'`{name}`' for name in names)} is too" if names else ""

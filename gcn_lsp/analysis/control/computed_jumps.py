"""Finds the target of a jump or a call to an address that earlier instructions compute from the program counter.

A branch reaches 128 KiB. Longer jumps, and calls, use `s_getpc_b64`, an addition of the distance, and `s_setpc_b64` or
`s_swappc_b64`; from gfx1250 `s_get_pc_i64`, `s_add_nc_u64`, and `s_set_pc_i64` or `s_swap_pc_i64`. The distance is a
label, to which the assembler adds the place of the addition, the name of a function with `@rel32@lo` or `@rel64`, the
difference of two labels, or, in a disassembly, a number.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from gcn_lsp.analysis.machine.effects import Effects
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.chunk import Item
from gcn_lsp.syntax import nodes

_SIGN, _BITS = 1 << 31, 1 << 32
_DISTANCES = re.compile(r"@rel(?:32@lo|64)$")  # after the name of a function: the distance to it, or its low half
_LOW = "low"  # the key of the low half of the address, less the program counter; other keys are numbers of SGPRs


class _Site(Protocol):
    @property
    def item(self) -> Item: ...

    @property
    def effects(self) -> Effects: ...

    @property
    def mnemonic(self) -> str: ...

    @property
    def operands(self) -> tuple[Operand, ...]: ...


class Sum(NamedTuple):
    """A number of bytes or, with a label, the distance to it; `negated`: to be subtracted."""

    label: str
    number: int
    negated: bool = False


def target(sites: Sequence[_Site]) -> "tuple[str, int] | None":
    """The label that the last of some consecutive instructions jumps to or, with an empty label, the distance in bytes.

    The distance counts from the end of the jump. None if it is not known.
    """
    low = _scalar(sites[-1].operands[-1:])
    start = next((at for at in range(len(sites) - 2, -1, -1) if _reads_counter(sites[at], low)), None)
    if low is None or start is None:
        return None
    known: dict[object, Sum] = {_LOW: Sum("", 0)}
    for site in sites[start + 1 : -1]:
        _step(site, low, known)
    found = known.get(_LOW)
    if found is None or found.negated or (not found.label and not found.number):
        return None
    passed = 0
    for site in sites[start + 1 :]:
        passed += site.item.instruction.size if site.item.instruction is not None else 0
    # The end of one function and the start of another are not one stretch of code for LLVM, so a jump stays unknown.
    label = _DISTANCES.sub("", found.label) if sites[-1].effects.flow == "call" else found.label
    return label, found.number - passed


def _reads_counter(site: _Site, low: "int | None") -> bool:
    return _verb(site) == "read pc" and _scalar(site.operands) == low


def _verb(site: _Site) -> str:
    """The role of an instruction with a result in SGPRs; empty if it has none."""
    role = roles.of(site.mnemonic)
    return role.verb if role is not None and role.file == "s" else ""


def _step(site: _Site, low: int, known: dict[object, Sum]) -> None:
    """Update the known SGPRs for an instruction."""
    verb, operands = _verb(site), site.operands
    written = _scalar(operands)
    made: Sum | None = None
    if verb in ("add", "subtract"):
        first, second = (_value(operand, site, low, known) for operand in operands[1:3])
        made = _added(first, second, -1 if verb == "subtract" else 1)
    elif verb == "move":
        made = _value(operands[1], site, low, known)
    elif verb == "absolute":  # of a distance backward, before a subtraction
        value = _value(operands[1], site, low, known)
        made = value and Sum(value.label, abs(value.number), bool(value.label))
    changed = site.effects.writes
    for key in [key for key in known if changed >> (low if key == _LOW else int(str(key))) & 1]:
        del known[key]
    if made is not None and written is not None:
        known[_LOW if written == low else written] = made


def _added(first: "Sum | None", second: "Sum | None", sign: int) -> "Sum | None":
    if first is None or second is None or (first.label and second.label):
        return None
    if second.label and second.negated != (sign < 0):
        return None
    number = first.number + sign * second.number
    return Sum(first.label or second.label, (number + _SIGN) % _BITS - _SIGN, first.negated)


def _value(operand: Operand, site: _Site, low: int, known: dict[object, Sum]) -> "Sum | None":
    if operand.kind == "register":
        return known.get(_LOW if operand.first == low else operand.first) if operand.file == "s" else None
    if type(operand.value) is int:
        return Sum("", operand.value)
    fixups = site.item.fixups or (site.item.instruction.fixups if site.item.instruction is not None else ())
    node = next((fixup.expression for fixup in fixups), None)
    while isinstance(node, nodes.Binary) and node.op in ("+", "-"):
        node = node.left
    return Sum(node.name, 0) if isinstance(node, nodes.Name) else None


def _scalar(operands: Sequence[Operand]) -> "int | None":
    """The number of the first SGPR of the first operand."""
    return operands[0].first if operands and operands[0].file == "s" else None

"""What LLVM assembles without a word although bits get lost on the way, or the hardware does something undefined.

A caution is found like a broken constraint, but the instruction keeps its bytes: it is reported beside them.
"""

from collections.abc import Callable, Mapping

from gcn_lsp import isa
from gcn_lsp.asm.bound import Bound
from gcn_lsp.asm.model import Problem
from gcn_lsp.isa import formats, limits

Caution = Callable[[Bound], Problem | None]

_FIRST_WITH_BYTES = 8  # the generation whose scalar memory takes offsets in bytes
_ONLY_M0_STORES = 8  # the generation whose scalar stores take no other register as offset
_SMALLER_THAN_DWORDS = ("8", "16")
_SCALAR_ACCESSES = ("s_load", "s_buffer_load", "s_store", "s_buffer_store", "s_atomic", "s_buffer_atomic")


def cautions_for(form: isa.Form, target: isa.Target, numbers: Mapping[str, str]) -> tuple[Caution, ...]:
    """The cautions that may concern the form. numbers: its operands that are plain numbers, with their classes."""
    found: list[Caution] = []
    narrow = tuple((name, width) for name in numbers if (width := _width(form, name)))
    if narrow:
        found.append(_truncation(narrow))
    bits = limits.significant_bits(form.mnemonic, target.features)
    if bits:
        found.append(_insignificant(bits))
    if form.mnemonic == "s_clause":
        found.append(_clause)
    if "Hwreg" in numbers.values():
        found.append(_bit_field(next(name for name, match in numbers.items() if match == "Hwreg")))
    if "SMRD" in form.flags and target.generation_number >= _FIRST_WITH_BYTES:
        if form.mnemonic.startswith(_SCALAR_ACCESSES) and not form.mnemonic.endswith(_SMALLER_THAN_DWORDS):
            found.append(_byte_offset)
        if target.generation_number == _ONLY_M0_STORES and "mayStore" in form.flags and "mayLoad" not in form.flags:
            found.append(_store_offset)
    if "MTBUF" in form.flags:
        found.append(_buffer_format)
    return tuple(found)


def _width(form: isa.Form, name: str) -> int:
    """How many bits of a value the encoding holds; 0 when it holds none of it."""
    field = form.field(name)
    return max(piece.source + piece.width for piece in field.pieces) if field is not None else 0


def _truncation(narrow: tuple[tuple[str, int], ...]) -> Caution:
    def check(bound: Bound) -> Problem | None:
        for name, width in narrow:
            value = bound.values.get(name, 0)
            if -(1 << width - 1) <= value < 1 << width or name not in bound.arguments:
                continue
            kept = value & ((1 << width) - 1)
            message = f"{name} is {value}, but the encoding has {width} bits for it: it becomes {kept}"
            return bound.problem("silently-truncated", message, name)
        return None

    return check


def _insignificant(bits: int) -> Caution:
    def check(bound: Bound) -> Problem | None:
        value = bound.values.get("simm16", 0)
        if 0 <= value < 1 << bits:
            return None
        kept = value & ((1 << bits) - 1)
        message = f"{bound.word} reads {bits} bits of its operand on {bound.target.name}: {value} counts as {kept}"
        return bound.problem("silently-truncated", message, "simm16")

    return check


def _clause(bound: Bound) -> Problem | None:
    length = bound.values.get("simm16", 0) & ((1 << limits.CLAUSE_BITS) - 1)
    if limits.SHORTEST_CLAUSE <= length <= limits.LONGEST_CLAUSE:
        return None
    message = f"a clause of length field {length} is undefined; it goes from 1 to {limits.LONGEST_CLAUSE}"
    return bound.problem("undefined-by-hardware", message, "simm16")


_REGISTER_BITS = 32


def _bit_field(name: str) -> Caution:
    def check(bound: Bound) -> Problem | None:
        value = bound.values.get(name, 0)
        offset, size = value >> 6 & 0x1F, (value >> 11 & 0x1F) + 1
        if offset + size <= _REGISTER_BITS:
            return None
        message = f"{size} bits from bit {offset} on end beyond the {_REGISTER_BITS} bits of the register"
        return bound.problem("undefined-by-hardware", message, name)

    return check


def _byte_offset(bound: Bound) -> Problem | None:
    value = bound.values.get("offset", 0)
    if value % limits.ADDRESS_UNIT == 0 or "offset" not in bound.arguments:
        return None
    kept = value - value % limits.ADDRESS_UNIT
    message = f"the offset {value} is no multiple of {limits.ADDRESS_UNIT}; {bound.word} accesses {kept}"
    return bound.problem("silently-truncated", message, "offset")


def _store_offset(bound: Bound) -> Problem | None:
    argument = bound.arguments.get("soffset")
    if argument is None or argument.register is None or argument.register.text == "m0":
        return None
    message = f"`{argument.register.text}`: on {bound.target.name} a scalar store takes m0 as its only offset register"
    return bound.problem("undefined-by-hardware", message, "soffset")


def _buffer_format(bound: Bound) -> Problem | None:
    argument = bound.arguments.get("format")
    if argument is None or not argument.parts:
        return None
    is_store = "mayStore" in bound.form.flags
    defect = formats.defect(bound.target.features, bound.values["format"], is_store)
    return bound.problem("undefined-by-hardware", defect, "format") if defect else None

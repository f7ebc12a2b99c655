"""What instructions of a form share that differ only in ways on which no choice of the assembler depends.

Those are which registers and which small integers they name, how far an offset reaches, which literal follows. The
assembler takes all instructions of a pattern or none, and gives the bytes of all or of none, so that it is asked once.
"""

from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.instruction.decoding import registers
from gcn_lsp.isa.operands import immediates

Pattern = tuple[int, ...]
"""Code without what does not count, the class of its literal, and the distances of registers that overlap."""

_HALF_SELECT = 0x80
_SCALAR_ALIGNMENT = {1: 0, 2: 1}
"""The lowest bits of an SGPR's number that have to be zero, by the registers of a tuple; 3 for larger ones."""
_PLAIN_SGPRS = 96
"""Below this number, a scalar is an SGPR on every target."""
_NO_VECTOR = 1 << 16  # more than a field holds
_BY_REGISTERS = frozenset(("VOPD", "MIMG", "VIMAGE", "VSAMPLE"))
_OFFSETS = frozenset(("Offset", "Offset0", "Offset1", "FlatOffset", "SMEMOffset", "SMEMOffsetMod", "OptSMEMOffsetMod"))
_LOWEST_OF_OFFSET, _HIGHEST_OF_OFFSET = 2, 1  # bits that count: alignment, sign
_NUMBER, _NUMBER_BITS = "Imm", 16
"""The kind of operands that are any number, as that of `s_nop`."""


def _integers() -> Iterator[tuple[int, int]]:
    """For the code of each integer that is an inline constant, the code of 0, 1 or -1."""
    for value in range(immediates.LOWEST_INTEGER, immediates.HIGHEST_INTEGER + 1):
        code, same = immediates.integer_code(value), immediates.integer_code((value > 0) - (value < 0))
        assert code is not None
        assert same is not None
        yield code, same


_INTEGERS = dict(_integers())


class Patterns:
    """The patterns of one form."""

    __slots__ = ("_registers", "_offsets")

    def __init__(self, form: isa.Form) -> None:
        self._registers = tuple(_registers(form))
        self._offsets = tuple(_offsets(form))

    def of(self, code: int, literal: int | None) -> Pattern:
        """The pattern of an instruction. code: its bits without the literal that follows it."""
        for zeros, lowest in self._offsets:
            if code & zeros:
                code = code & ~zeros | lowest
        found: list[tuple[int, int, int]] = []
        overlaps: Pattern = ()
        for bit, mask, shift, other_bit, vector, count, of_vector, of_scalar in self._registers:
            if code & other_bit:
                continue
            number = (code >> bit & mask) << shift
            if number >= vector:
                number = number & registers.NUMBER | registers.VECTOR
                code &= of_vector
            elif number + count <= _PLAIN_SGPRS:
                code &= of_scalar
            else:
                if number in _INTEGERS:
                    code += _INTEGERS[number] - number << bit
                continue
            for place, other, others in found:
                if other - count < number < other + others:
                    overlaps = (*overlaps, place, bit, number - other)
            found.append((bit, number, count))
        return (code, *overlaps) if literal is None else (code, _literal(literal), *overlaps)


def _registers(form: isa.Form) -> Iterator[tuple[int, int, int, int, int, int, int, int]]:
    """Fields that name registers: lowest bit, mask, lowest bit of the number, the bit that says that they name none of
    these, from which number they name vector registers, registers of a tuple; the bits of the code that count where the
    number is a vector's and a scalar's.

    Pairs and images are left out: which registers they name decides which form they have.
    """
    if form.family in _BY_REGISTERS or form.image is not None:
        return
    kinds = {operand.name: operand.kind for operand in form.operands}
    for field in form.fields:
        kind = kinds.get(field.name)
        if kind is None or kind.registers is None or not kind.registers.files:
            continue
        piece, *more = sorted(field.pieces, key=_width, reverse=True)
        other_bit = 0
        if registers.is_vector_only(kind.registers, field):
            if piece.width < 8 or piece.source:
                continue
            vector = 0
        elif form.variant in _WITH_SCALAR_BIT and more:
            vector, other_bit = 0, 1 << more[0].bit
        elif piece.width == _SOURCE_WIDTH:
            vector = registers.VECTOR
        elif not more and form.variant not in _WITH_SCALAR_BIT:
            vector = _NO_VECTOR
        else:
            continue
        count, mask = max(kind.registers.bits // 32, 1), (1 << piece.width) - 1
        of_vector = ~(_free_of_vector(kind.registers) << piece.bit)
        of_scalar = ~((mask & ~(_SCALAR_ALIGNMENT.get(count, 3) >> piece.source)) << piece.bit)
        yield piece.bit, mask, piece.source, other_bit, vector, count, of_vector, of_scalar


def _width(piece: isa.BitPiece) -> int:
    return piece.width


def _free_of_vector(register_class: isa.RegisterClass) -> int:
    """The bits of a vector register's number that do not count: others align, or select a half of the register."""
    ranges = [part for part in register_class.ranges if part.file in ("v", "a")]
    free = registers.NUMBER if all(part.dwords == part.step == 1 for part in ranges) else registers.NUMBER & ~1
    has_all = all(not part.half and part.last >= _HALF_SELECT for part in ranges)
    return free if has_all else free & ~_HALF_SELECT


_SOURCE_WIDTH = 9
_WITH_SCALAR_BIT = frozenset(("SDWA", "SDWA9"))
"""Encodings that keep apart from the number whether it is a scalar's."""


def _offsets(form: isa.Form) -> Iterator[tuple[int, int]]:
    """The middle bits of offsets and all bits of plain numbers, and the lowest of these."""
    kinds = {operand.name: operand.kind for operand in form.operands}
    for field in form.fields:
        kind, (piece, *more) = kinds.get(field.name), field.pieces
        if kind is None or more:
            continue
        width = piece.width - _LOWEST_OF_OFFSET - _HIGHEST_OF_OFFSET
        if kind.match in _OFFSETS and width > 0:
            lowest = 1 << piece.bit + _LOWEST_OF_OFFSET
            yield lowest * ((1 << width) - 1), lowest
        elif kind.match == _NUMBER and kind.bits == piece.width == _NUMBER_BITS:
            yield ((1 << piece.width) - 1) << piece.bit, 1 << piece.bit


def _halves() -> Iterator[int]:
    """Bit patterns that distinguish inline constants from literals."""
    for value in range(immediates.LOWEST_INTEGER, immediates.HIGHEST_INTEGER + 1):
        yield value & 0xFFFF
    for kind, width in (("fp16", 16), ("bf16", 16), ("fp32", 32), ("fp64", 64)):
        for bits in immediates.FLOAT_BITS[kind]:
            yield bits >> width - 16


_HALVES = frozenset(_halves())


def _literal(word: int) -> int:
    """The class of a literal: those that are no inline constant of any type differ in the sign of their halves and in
    what a half of the width of an operand leaves out."""
    high, low = word >> 16, word & 0xFFFF
    if high > 0xFFFF or low in _HALVES or (high in _HALVES and 0 < high < 0xFFFF):
        return word
    return ~((low >> 15) << 2 | (high >> 15) << 1 | (high not in (0, 0xFFFF)))

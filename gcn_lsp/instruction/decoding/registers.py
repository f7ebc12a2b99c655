"""What the number in an operand's field means: a register or tuple, as LLVM writes it."""

from collections.abc import Callable, Mapping

from gcn_lsp import isa
from gcn_lsp.instruction.registers import INLINE_VALUES, tuple_text

VECTOR, ACCUMULATOR = 1 << 8, 1 << 9
"""Bits of a source's number: it is a VGPR; it is an AccVGPR."""
_VECTOR_BIT = 8
NUMBER = 0xFF
"""The bits of a vector register's number."""
_HALF_BIT, _HALF_NUMBER = 0x80, 0x7F
_ANY_WIDTH = INLINE_VALUES - {"src_flat_scratch_base_hi"}
"""Registers that a source of any width may name."""

Text = Callable[[int], "str | None"]
"""The text for a number; None when it means nothing."""


class Texts(dict[int, "str | None"]):
    """The texts for the values of a field, each made when it is first needed; all are dropped when there are many."""

    limit = 1 << 10  # most fields have fewer values

    def __init__(self, make: Text) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, value: int) -> "str | None":
        if len(self) >= self.limit:
            self.clear()
        text = self[value] = self._make(value)
        return text


class Registers:
    """How the registers of a target are written. texts: those of operands, kept by the readers."""

    def __init__(self, target: isa.Target) -> None:
        self._last_sgpr = target.file_sizes["s"] - 1  # fields have room for more than LLVM takes
        self._ttmp_base, self._ttmps = target.ttmp_base, target.file_sizes["ttmp"]
        self._of_class: dict[tuple[str, int], str | None] = {}
        self.texts: dict[tuple[str, bool, str], Texts] = {}
        self._vectors = 1024 if target.has_1024_vgprs else 256
        self._special: Mapping[tuple[int, int], str] = {
            (register.number, register.dwords): register.name for register in target.registers.values()
        }
        self._any: Mapping[int, str] = {
            register.number: register.name for register in target.registers.values() if register.name in _ANY_WIDTH
        }

    def vector(self, file: str, number: int, count: int) -> str | None:
        """`v12`, `a[0:3]`; None when the tuple goes beyond the last register."""
        if number + count > (self._vectors if file == "v" else 256):
            return None
        return tuple_text(file, number, count)

    def of_class(self, register_class: isa.RegisterClass, value: int) -> str | None:
        """The vector register or tuple of a class; None when the class lacks it, such as one that is not aligned."""
        key = register_class.name, value
        try:
            return self._of_class[key]
        except KeyError:
            found = self._of_class[key] = self._in_class(register_class, value)
            return found

    def _in_class(self, register_class: isa.RegisterClass, value: int) -> str | None:
        file, number, count = file_of(register_class, value), number_of(value), max(register_class.bits // 32, 1)
        if not register_class.holds(file, number, count):
            return None
        return self.vector(file, number, count)

    def scalar(self, number: int, count: int) -> str | None:
        """`s4`, `ttmp[4:7]`, `vcc`; None when there is no such register."""
        align = 1 if count == 1 else 2 if count == 2 else 4
        if number <= self._last_sgpr:
            return tuple_text("s", number - number % align, count)
        ttmp = number - self._ttmp_base
        if 0 <= ttmp < self._ttmps:
            return tuple_text("ttmp", ttmp - ttmp % align, count)
        found = self._special.get((number, count)) if count <= 2 else None
        return found or (self._any.get(number) if count <= 2 or self._any.get(number) == "null" else None)


def vector_half(number: int, is_high: bool) -> str:
    """Half of a VGPR."""
    return f"v{number}.{'h' if is_high else 'l'}"


def numbered_half(value: int) -> str:
    """Half of a VGPR in the encodings that keep the half beside seven bits of the number."""
    return vector_half(value & _HALF_NUMBER, bool(value & _HALF_BIT))


def file_of(register_class: isa.RegisterClass, value: int) -> str:
    """The file of a vector register whose field holds `value`."""
    files = register_class.files
    return "a" if value & ACCUMULATOR or ("v" not in files and "a" in files) else "v"


def number_of(value: int) -> int:
    """The number of a vector register whose field holds `value`."""
    return value & NUMBER


def is_vector_only(register_class: isa.RegisterClass, field: isa.Field) -> bool:
    """Whether every number in an operand's field is that of a vector register."""
    has_vector_bit = any(piece.source <= _VECTOR_BIT < piece.source + piece.width for piece in field.pieces)
    return not has_vector_bit and bool(register_class.files) and register_class.files <= {"v", "a"}

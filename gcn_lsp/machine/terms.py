"""Values of an operation while it is compiled: what Python expression holds them, their type, and their bounds.

A value that is the same in every lane is a Python integer. Others are arrays, of the narrowest kind that holds every
value that may occur, so that integers are exact without a size and wrap where the notation says so.
"""

from typing import Protocol

from gcn_lsp.isa.documentation.operation import Type
from gcn_lsp.records import NamedTuple

UNIFORM, TRUTH, U32, I32, I64, U64, OBJECT = "p", "t", "x", "y", "i", "u", "o"
"""How an integer is held: a Python integer, an array of truth values, of 32 or 64 bits, or of Python integers."""

FLOAT, REAL, POWER, WORDS, TEXT = "f", "r", "2", "w", "s"
"""How other values are held: an array of floats, a Python number without a type, 2 to the power of an integer, words
as [dword][lane], a text."""

FLOATS = ("f", "bf", "fp")
M32, M64 = (1 << 32) - 1, (1 << 64) - 1
_RANGES = {
    TRUTH: (0, 1), U32: (0, M32), I32: (-(1 << 31), (1 << 31) - 1), I64: (-(1 << 63), (1 << 63) - 1), U64: (0, M64),
}  # fmt: skip
_CASTS = {U32: "U32", I32: "I32", I64: "I64", U64: "U64", OBJECT: "object"}


class Term(NamedTuple):
    """A value. kind and size: its type; an integer without a type has no size. low, high: the bounds of an integer."""

    code: str
    how: str
    kind: str = ""
    size: int = 0
    low: int = 0
    high: int = 0

    @property
    def is_float(self) -> bool:
        """Whether it is a float of some type."""
        return self.kind in FLOATS

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer."""
        return self.how in (UNIFORM, TRUTH, U32, I32, I64, U64, OBJECT)

    @property
    def format(self) -> str:
        """The name of a float's format."""
        return f"{self.kind}{self.size}"


class Untranslatable(Exception):
    """Something in an operation that is not compiled; the text says what."""


def number(value: int, kind: str = "", size: int = 0) -> Term:
    """A constant."""
    return Term(str(value) if value >= 0 else f"({value})", UNIFORM, kind, size, value, value)


def bounds_of(kind: str, size: int) -> tuple[int, int]:
    """The range of an integer type."""
    return (-(1 << (size - 1)), (1 << (size - 1)) - 1) if kind == "i" else (0, (1 << size) - 1)


def fits(low: int, high: int, how: str) -> bool:
    """Whether an array of this kind holds a range."""
    if how in (OBJECT, UNIFORM):
        return True
    least, most = _RANGES[how]
    return least <= low and high <= most


def cast(term: Term, how: str) -> str:
    """The expression of an integer held in another way; its values must fit."""
    if term.how == how:
        return term.code
    if term.how == UNIFORM:
        return term.code
    if {term.how, how} == {U32, I32}:
        return f"{term.code}.view({_CASTS[how]})"
    return f"{term.code}.astype({_CASTS[how]})"


def modulo(term: Term, how: str) -> str:
    """The expression of an integer modulo 2 to the power of the bits of an array type."""
    if term.how == UNIFORM:
        low, high = _RANGES[how]
        if low <= term.low and term.high <= high:
            return term.code
        return f"({term.code} & {high})" if low == 0 else f"(({term.code} - {low} & {high - low}) + {low})"
    if term.how == OBJECT:
        bits = 32 if how in (U32, I32) else 64
        plain = f"({term.code} & {(1 << bits) - 1}).astype({_CASTS[U32 if bits == 32 else U64]})"
        return plain if how in (U32, U64) else f"{plain}.view({_CASTS[how]})"
    return cast(term, how)


def joined(a: Term, b: Term) -> str:
    """An array type that holds the values of both, or UNIFORM if both are."""
    if a.how == b.how == UNIFORM:
        return UNIFORM
    low, high = min(a.low, b.low), max(a.high, b.high)
    hows = {term.how for term in (a, b)} - {UNIFORM}
    if len(hows) == 1:
        (only,) = hows
        if only != TRUTH and fits(low, high, only):
            return only
    return next(how for how in (I64, U64, OBJECT) if fits(low, high, how))


def interval(sign: str, a: Term, b: Term) -> tuple[int, int]:
    """The bounds of the exact result of an operator."""
    if sign in ("+", "-"):
        return (a.low + b.low, a.high + b.high) if sign == "+" else (a.low - b.high, a.high - b.low)
    if sign == "<<":
        most = max(0, min(b.high, 4096))
        ends = [a.low << max(b.low, 0), a.low << most, a.high << max(b.low, 0), a.high << most]
        return min(ends), max(ends)
    if sign == ">>":
        least, most = max(b.low, 0), max(0, min(b.high, 4096))
        ends = [a.low >> least, a.low >> most, a.high >> least, a.high >> most]
        return min(ends), max(ends)
    if sign == "*":
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return min(ends), max(ends)
    if sign in ("&", "|", "^"):
        return _of_bits(sign, a, b)
    if sign == "/":
        most = max(abs(a.low), abs(a.high))
        return (0 if a.low >= 0 and b.low >= 0 else -most), most
    if sign == "%":
        return 0, max(abs(b.low), abs(b.high), 1)
    raise Untranslatable(f"the operator {sign}")


def _of_bits(sign: str, a: Term, b: Term) -> tuple[int, int]:
    if sign == "&" and (a.low >= 0 or b.low >= 0):
        return 0, min(term.high for term in (a, b) if term.low >= 0)
    width = max(x.bit_length() for term in (a, b) for x in (term.low, term.high))
    if a.low >= 0 and b.low >= 0:
        return 0, (1 << width) - 1
    return -(1 << width), (1 << width) - 1


class Compiler(Protocol):
    """What those that make terms ask of the translation. views: names of registers as they are, not copies."""

    views: set[str]

    @property
    def left(self) -> tuple[str, int]:
        """The kind and size of what is assigned to."""

    def emit(self, line: str) -> None:
        """Adds a line."""

    def named(self, code: str) -> str:
        """A new name for the value of an expression."""

    def keep(self, term: Term) -> Term:
        """The term with its code in a name."""

    def bits(self, term: Term, size: int) -> Term:
        """The bits of a value as an integer without sign."""

    def reread(self, term: Term, kind: Type) -> Term:
        """The low bits of a value read as a type."""

    def as_float(self, term: Term, kind: str, size: int) -> str:
        """A number as a float of a type, rounded if it is of another."""

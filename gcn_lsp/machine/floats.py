"""Arithmetic of floats over all lanes: exact, then rounded once, as MODE says.

A float of 32 or 64 bits is held as an array of that type, one of 16 bits or less as an array of doubles with its value.
`arithmetic(format, modes)` has the operations of a format. Whatever needs more digits than a double has goes through
`rounded to odd`: a double whose last bit is set if anything is beyond it rounds to a shorter format as the exact number
would (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). The caller ignores numpy's warnings.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Integers = NDArray[np.int64]
Doubles = NDArray[np.float64]
Truth = NDArray[np.bool_]

NEAREST, UP, DOWN, TO_ZERO = range(4)
"""The modes of rounding, as MODE.FP_ROUND has them."""

_DOUBLE_DIGITS, _DOUBLE_BIAS = 52, 1023
_TINY = 2.0**-700
_MAGNITUDE = (1 << 63) - 1
_QUIET = 1 << (_DOUBLE_DIGITS - 1)
_SHORTEST = 16
"""Bits of the floats to which MODE applies."""


class Format(NamedTuple):
    """The bits of a kind of float.

    exponent, digits: bits of the two fields. bias: of the exponent. largest: the bits of the largest value in a format
    without infinity, else 0. nan: the bits of NaN, -1 if the format has none.
    """

    size: int
    exponent: int
    digits: int
    bias: int
    largest: int = 0
    nan: int = -1

    @property
    def top(self) -> int:
        """The bits of infinity, or of the largest value if there is none."""
        return self.largest or ((1 << self.exponent) - 1) << self.digits

    @property
    def smallest(self) -> float:
        """The smallest normal value."""
        return 2.0 ** (1 - self.bias)


def _ieee(size: int, exponent: int, digits: int) -> Format:
    return Format(
        size, exponent, digits, (1 << (exponent - 1)) - 1, 0, ((1 << exponent) - 1) << digits | 1 << (digits - 1)
    )


FORMATS: dict[str, Format] = {
    "f16": _ieee(16, 5, 10),
    "f32": _ieee(32, 8, 23),
    "f64": _ieee(64, 11, 52),
    "bf16": _ieee(16, 8, 7),
    "bf8": _ieee(8, 5, 2),
    "fp8": Format(8, 4, 3, 7, 0x7E, 0x7F),
    "fp6": Format(6, 2, 3, 1, 0x1F),
    "bf6": Format(6, 3, 2, 3, 0x1F),
    "fp4": Format(4, 2, 1, 1, 0x7),
    "fp8fnuz": Format(8, 4, 3, 8, 0x7F, 0x80),
    "bf8fnuz": Format(8, 5, 2, 16, 0x7F, 0x80),
}
"""The formats: those of the Open Compute Project, and those without negative zero and infinity that CDNA3 has."""


class Modes(NamedTuple):
    """How floats of 16 bits and more are calculated: rounding, which denormals are kept, and MODE.IEEE."""

    rounding: int = NEAREST
    keeps_sources: bool = True
    keeps_results: bool = True
    ieee: bool = False


def two_sum(a: Doubles, b: Doubles) -> tuple[Doubles, Doubles]:
    """A sum of doubles and what is missing in it."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def odd(total: Doubles, rest: Doubles) -> Doubles:
    """`total` + `rest` rounded to odd; the rest is less than half of the last digit."""
    changed = (rest < 0) | (rest > 0)
    if not changed.any():
        return total
    bits = total.view(np.int64)
    lower = (rest < 0) != (total < 0)
    return np.where(changed, (bits - lower) | 1, bits).view(np.float64)


class Arithmetic:
    """The operations of one format. Operands and results are arrays as the module says."""

    carrier: type[Any] = np.float64

    def __init__(self, form: Format, modes: Modes) -> None:
        self.format = form
        self.modes = modes if form.size >= _SHORTEST else Modes()
        self.rounding = self.modes.rounding
        self._smallest = form.smallest
        self._table: Doubles | None = None

    # Bits

    def decode(self, bits: "Integers | int") -> Floats:
        """The values of bit patterns."""
        if self._table is None:
            self._table = _decoded(self.format)
        found: Floats = self._table[np.atleast_1d(bits)]
        return found

    def encode(self, values: Floats) -> Integers:
        """The bit patterns of values of this format."""
        return rounded_bits(values, self.format, NEAREST)

    def narrow(self, wide: Doubles, rounding: int | None = None) -> Floats:
        """Doubles, rounded to odd if they are not exact, as values of this format."""
        bits = rounded_bits(wide, self.format, self.rounding if rounding is None else rounding)
        return self._results(self.decode(bits))

    def wide(self, values: Floats) -> Doubles:
        """Values as doubles; denormals 0 if MODE says so."""
        found: Doubles = self.source(values).astype(np.float64)
        return found

    def source(self, values: Floats) -> Floats:
        """Values as an operation reads them."""
        if self.modes.keeps_sources:
            return values
        return self._flushed(values)

    def _results(self, values: Floats) -> Floats:
        return values if self.modes.keeps_results else self._flushed(values)

    def _flushed(self, values: Floats) -> Floats:
        """Denormals as zeros with their sign."""
        tiny = np.abs(values) < self._smallest
        return values * ~tiny if tiny.any() else values

    # NaN

    def nan(self) -> Floats:
        """A quiet NaN."""
        return np.full(1, np.nan, self.carrier)

    def quiet(self, values: Floats) -> Floats:
        """NaN among the values made quiet."""
        return np.where(values != values, (values.view(np.int64) | _QUIET).view(np.float64), values)

    def signalling(self, values: Floats) -> Truth:
        """Where a NaN is signalling."""
        found: Truth = (values != values) & ((values.view(np.int64) & _QUIET) == 0)
        return found

    def settled(self, result: Floats, *operands: Floats) -> Floats:
        """The result with the first NaN of the operands where there is one; else a new NaN is positive."""
        wrong = result != result
        if not wrong.any():
            return result
        found = np.where(wrong, self.nan(), result)
        for operand in reversed(operands):
            found = np.where(operand != operand, self.quiet(operand), found)
        return found

    # Arithmetic

    def add(self, a: Floats, b: Floats) -> Floats:
        """Sums."""
        return self.settled(self.narrow(odd(*two_sum(self.wide(a), self.wide(b)))), a, b)

    def add_exact(self, a: Floats, exact: Doubles) -> Floats:
        """Sums with numbers that doubles hold exactly."""
        return self.settled(self.narrow(odd(*two_sum(self.wide(a), exact))), a)

    def sub(self, a: Floats, b: Floats) -> Floats:
        """Differences."""
        return self.settled(self.narrow(odd(*two_sum(self.wide(a), -self.wide(b)))), a, b)

    def mul(self, a: Floats, b: Floats) -> Floats:
        """Products."""
        return self.settled(self.narrow(self.wide(a) * self.wide(b)), a, b)

    def div(self, a: Floats, b: Floats) -> Floats:
        """Quotients: a double has more than twice the digits of this format, so that its rounding does no harm."""
        return self.settled(self.narrow(self.wide(a) / self.wide(b)), a, b)

    def fma(self, a: Floats, b: Floats, c: Floats) -> Floats:
        """a * b + c, rounded once."""
        found = self.narrow(odd(*two_sum(self.wide(a) * self.wide(b), self.wide(c))))
        return self.settled(found, a, b, c)

    def sqrt(self, a: Floats) -> Floats:
        """Square roots."""
        return self.settled(self.narrow(np.sqrt(self.wide(a))), a)

    def ldexp(self, a: Floats, powers: "Integers | int") -> Floats:
        """Values times powers of two."""
        return self.settled(self.narrow(np.ldexp(self.wide(a), np.clip(powers, -600, 600))), a)

    def function(self, name: str, a: Floats) -> Floats:
        """A function that hardware approximates, calculated with doubles: `sin`, `cos` (of turns), `tanh`, ..."""
        return self.settled(self.narrow(_FUNCTIONS[name](self.wide(a))), a)

    def convert(self, values: Doubles, rounding: int | None = None) -> Floats:
        """Doubles with the values of another float as this format, NaN included."""
        return self.narrow(values, rounding)

    def from_integers(self, values: "NDArray[Any] | int") -> Floats:
        """Integers of up to 64 bits as floats."""
        number = np.asarray(values).reshape(-1)
        high = (number >> 32).astype(np.float64) * 2.0**32
        return self.narrow(odd(*two_sum(high, (number & 0xFFFF_FFFF).astype(np.float64))))

    def to_integers(self, values: Floats, low: int, high: int) -> Integers:
        """Values toward zero, limited to a range of at most 53 bits; NaN gives 0."""
        whole = np.trunc(self.wide(values))
        limited = np.clip(np.where(whole != whole, 0.0, whole), float(low), float(high))
        return limited.astype(np.int64)

    def normalized(self, values: Floats, low: int, scale: int) -> Integers:
        """Values limited to `low` or 1.0, times `scale`, rounded to integers; NaN gives 0."""
        wide = self.wide(values)
        limited = np.clip(np.where(wide != wide, 0.0, wide), float(low), 1.0)
        found: Integers = np.rint(limited * scale).astype(np.int64)
        return found

    def random(self, wide: Doubles, numbers: "NDArray[Any] | int") -> Floats:
        """Doubles rounded up or down by chance: random bits are added to the digits that are cut off."""
        return self.decode(rounded_bits(wide, self.format, TO_ZERO, numbers))

    # Whole numbers

    def whole(self, how: str, a: Floats) -> Floats:
        """Values rounded to integers: `floor`, `ceil`, `trunc`, `rndne`, or `round` as MODE says."""
        made = _TO_WHOLE[_ROUNDINGS[self.rounding] if how == "round" else how](self.source(a))
        return self.settled(made, a)

    # Comparison

    def min(self, a: Floats, b: Floats) -> Floats:
        """The smaller ones; of a number and a NaN the number."""
        return self._chosen(np.minimum, a, b)

    def max(self, a: Floats, b: Floats) -> Floats:
        """The larger ones; of a number and a NaN the number."""
        return self._chosen(np.maximum, a, b)

    def _chosen(self, choose: Any, a: Floats, b: Floats) -> Floats:
        found: Floats = choose(a, b)
        zero = found == 0
        if zero.any():  # -0 is less than +0
            negative = np.signbit(a) | np.signbit(b) if choose is np.minimum else np.signbit(a) & np.signbit(b)
            both = zero & (a == 0) & (b == 0)
            found = np.where(both, np.where(negative, -np.zeros_like(found), np.zeros_like(found)), found)
        first, second = a != a, b != b
        if not (first.any() or second.any()):
            return found
        found = np.where(second, np.where(first, self.quiet(a), a), np.where(first, b, found))
        if self.modes.ieee:
            found = np.where(self.signalling(b), self.quiet(b), found)
            found = np.where(self.signalling(a), self.quiet(a), found)
        return found

    def minimum(self, a: Floats, b: Floats) -> Floats:
        """The smaller ones, NaN where one is."""
        return self._with_nan(self.min(a, b), a, b)

    def maximum(self, a: Floats, b: Floats) -> Floats:
        """The larger ones, NaN where one is."""
        return self._with_nan(self.max(a, b), a, b)

    def _with_nan(self, found: Floats, a: Floats, b: Floats) -> Floats:
        return np.where(a != a, self.quiet(a), np.where(b != b, self.quiet(b), found))

    def med3(self, a: Floats, b: Floats, c: Floats) -> Floats:
        """The middle ones; the smallest number where one is NaN."""
        found = self.max(self.min(a, b), self.min(self.max(a, b), c))
        wrong = (a != a) | (b != b) | (c != c)
        return np.where(wrong, self.min(self.min(a, b), c), found) if wrong.any() else found

    # Parts

    def fields(self, a: Floats) -> tuple[Integers, Integers, Integers]:
        """Sign, exponent and fraction as their bits."""
        bits = self.encode(a)
        digits, exponent = self.format.digits, self.format.exponent
        return bits >> (self.format.size - 1) & 1, bits >> digits & ((1 << exponent) - 1), bits & ((1 << digits) - 1)

    def is_denormal(self, a: Floats) -> Truth:
        """Where a value is denormal."""
        found: Truth = (a != 0) & (np.abs(a) < self.format.smallest)
        return found

    def classes(self, a: Floats) -> Integers:
        """The number of the class of each value, as `v_cmp_class` counts them."""
        _, exponent, fraction = self.fields(a)
        negative = np.signbit(a)
        kinds = [a != a, np.isinf(a), exponent != 0, fraction != 0]
        places = [
            (~self.signalling(a)).astype(np.int64),
            np.where(negative, 2, 9),
            np.where(negative, 3, 8),
            np.where(negative, 4, 7),
        ]
        return np.select(kinds, places, np.where(negative, 5, 6)).astype(np.int64)

    def frexp_exp(self, a: Floats) -> Integers:
        """e of m * 2 ** e, m from 0.5 up to 1; 0 for 0, infinity and NaN."""
        wide = self.wide(a)
        return np.where(np.isfinite(wide), np.frexp(wide)[1], 0).astype(np.int64)

    def frexp_mant(self, a: Floats) -> Floats:
        """m of m * 2 ** e, m from 0.5 up to 1; 0, infinity and NaN as they are."""
        return self.settled(np.where(np.isfinite(a), np.frexp(self.source(a))[0], a), a)

    def limits(self, *, largest: bool) -> Floats:
        """The largest finite value, or infinity."""
        return self.decode(self.format.top - (1 if largest and not self.format.largest else 0))

    def overflow(self, *, negative: bool) -> Floats:
        """What becomes of a value that is too large."""
        limited = self.rounding in (TO_ZERO, UP if negative else DOWN)
        return self.limits(largest=limited)

    def underflow(self, *, negative: bool) -> Floats:
        """The result of an operation that underflows."""
        away = self.rounding == (DOWN if negative else UP) and self.modes.keeps_results
        return self.decode(1 if away else 0)


class Halves(Arithmetic):
    """Floats of 16 bits: doubles hold their sums and products exactly."""

    def encode(self, values: Floats) -> Integers:
        """The bit patterns of values of this format."""
        found = values.astype(np.float16).view(np.uint16).astype(np.int64)
        wrong = values != values
        return rounded_bits(values, self.format, NEAREST) if wrong.any() else found

    def narrow(self, wide: Doubles, rounding: int | None = None) -> Floats:
        """Doubles as values of this format."""
        if rounding is None and self.rounding == NEAREST and self.modes.keeps_results:
            return wide.astype(np.float16).astype(np.float64)
        return super().narrow(wide, rounding)


class Singles(Arithmetic):
    """Floats of 32 bits, with the processor's own operations where MODE rounds as it does."""

    carrier = np.float32

    def __init__(self, form: Format, modes: Modes) -> None:
        super().__init__(form, modes)
        self._is_native = modes.rounding == NEAREST

    def decode(self, bits: "Integers | int") -> Floats:
        """The values of bit patterns."""
        return np.atleast_1d(bits).astype(np.uint32).view(np.float32)

    def encode(self, values: Floats) -> Integers:
        """The bit patterns of values."""
        return values.view(np.uint32).astype(np.int64)

    def narrow(self, wide: Doubles, rounding: int | None = None) -> Floats:
        """Doubles, rounded to odd if they are not exact, as singles."""
        return self._results(_directed(wide.astype(np.float32), wide, self.rounding if rounding is None else rounding))

    def quiet(self, values: Floats) -> Floats:
        """NaN among the values made quiet."""
        return np.where(values != values, (values.view(np.uint32) | np.uint32(1 << 22)).view(np.float32), values)

    def signalling(self, values: Floats) -> Truth:
        """Where a NaN is signalling."""
        found: Truth = (values != values) & ((values.view(np.uint32) & np.uint32(1 << 22)) == 0)
        return found

    def add(self, a: Floats, b: Floats) -> Floats:
        """Sums."""
        if not self._is_native:
            return super().add(a, b)
        return self.settled(self._results(self.source(a) + self.source(b)), a, b)

    def sub(self, a: Floats, b: Floats) -> Floats:
        """Differences."""
        if not self._is_native:
            return super().sub(a, b)
        return self.settled(self._results(self.source(a) - self.source(b)), a, b)

    def mul(self, a: Floats, b: Floats) -> Floats:
        """Products."""
        if not self._is_native:
            return super().mul(a, b)
        return self.settled(self._results(self.source(a) * self.source(b)), a, b)

    def convert(self, values: Doubles, rounding: int | None = None) -> Floats:
        """Doubles as singles; NaN keep their upper digits."""
        return self.settled(self.narrow(values, rounding), values.astype(np.float32))


class LongFloats(Arithmetic):
    """Floats of 64 bits, with the processor's own operations, and with error terms where these do not do."""

    def __init__(self, form: Format, modes: Modes) -> None:
        super().__init__(form, modes)
        self._is_native = modes.rounding == NEAREST and modes.keeps_sources and modes.keeps_results

    def decode(self, bits: "Integers | int") -> Floats:
        """The values of bit patterns."""
        number = np.atleast_1d(bits if isinstance(bits, np.ndarray) else np.uint64(bits))
        return number.astype(np.uint64).view(np.float64)

    def encode(self, values: Floats) -> Integers:
        """The bit patterns of values, as signed numbers."""
        return values.view(np.int64)

    def narrow(self, wide: Doubles, rounding: int | None = None) -> Floats:
        """Doubles as they are."""
        return self._results(wide)

    def fields(self, a: Floats) -> tuple[Integers, Integers, Integers]:
        """Sign, exponent and fraction as their bits."""
        bits = a.view(np.int64)
        return bits >> 63 & 1, bits >> 52 & 0x7FF, bits & ((1 << 52) - 1)

    def add(self, a: Floats, b: Floats) -> Floats:
        """Sums."""
        if self._is_native:
            return self.settled(a + b, a, b)
        return self.fma(np.ones(1), a, b)

    def sub(self, a: Floats, b: Floats) -> Floats:
        """Differences."""
        if self._is_native:
            return self.settled(a - b, a, b)
        return self.settled(self.fma(np.ones(1), a, -b), a, b)

    def mul(self, a: Floats, b: Floats) -> Floats:
        """Products."""
        if self._is_native:
            return self.settled(a * b, a, b)
        zero = np.where(np.signbit(a) != np.signbit(b), -0.0, 0.0)
        return self.fma(a, b, zero)

    def div(self, a: Floats, b: Floats) -> Floats:
        """Quotients; where MODE does not round to nearest, the sign of the remainder says which way."""
        first, second = self.source(a), self.source(b)
        found = first / second
        if self.rounding != NEAREST:
            exact = np.isfinite(first) & np.isfinite(second) & (first != 0) & (second != 0)
            found = np.where(exact, _directed_quotient(first, second, self.rounding), found)
        return self.settled(self._results(found), a, b)

    def sqrt(self, a: Floats) -> Floats:
        """Square roots."""
        # What is missing in the root of a tiny number would be less than any double: such a number is made larger.
        first = self.source(a)
        powers = np.where(np.abs(first) < _TINY, 300, 0)
        wide = np.ldexp(first, 2 * powers)
        found = np.sqrt(wide)
        if self.rounding != NEAREST:
            found = _adjusted(found, _fused(-found, found, wide, NEAREST), self.rounding)
        return self.settled(self._results(np.ldexp(found, -powers)), a)

    def fma(self, a: Floats, b: Floats, c: Floats) -> Floats:
        """a * b + c, rounded once."""
        found = _fused(self.source(a), self.source(b), self.source(c), self.rounding)
        return self.settled(self._results(found), a, b, c)

    def ldexp(self, a: Floats, powers: "Integers | int") -> Floats:
        """Values times powers of two."""
        first = self.source(a)
        found = np.ldexp(first, np.clip(powers, -2200, 2200))
        if self.rounding != NEAREST:
            again = np.ldexp(found, -np.clip(powers, -2200, 2200))
            rest = np.where(np.isfinite(again), first - again, -np.sign(found))
            found = np.where(np.isfinite(first), _adjusted(found, rest, self.rounding), found)
        return self.settled(self._results(found), a)

    def from_integers(self, values: "NDArray[Any] | int") -> Floats:
        """Integers of up to 64 bits as floats."""
        number = np.asarray(values).reshape(-1)
        high = (number >> 32).astype(np.float64) * 2.0**32
        return self.add(high, (number & 0xFFFF_FFFF).astype(np.float64))

    def convert(self, values: Doubles, rounding: int | None = None) -> Floats:
        """Doubles as they are."""
        return self.settled(self._results(values), values)


def _directed(found: Floats, wide: Doubles, rounding: int) -> Floats:
    """Shorter floats rounded to nearest, moved by a digit where the rounding mode asks for the other neighbour."""
    if rounding == NEAREST:
        return found
    back = found.astype(np.float64)
    up, down = (back < wide), (back > wide)
    infinite = found.dtype.type(np.inf)
    if rounding == UP:
        return np.where(up, np.nextafter(found, infinite), found)
    if rounding == DOWN:
        return np.where(down, np.nextafter(found, -infinite), found)
    outside = np.abs(back) > np.abs(wide)
    return np.where(outside, np.nextafter(found, found.dtype.type(0)), found)


def _adjusted(found: Doubles, rest: Doubles, rounding: int) -> Doubles:
    """Doubles rounded to nearest, moved to the neighbour on the side of the rest where the mode asks for it."""
    if rounding == NEAREST:
        return found
    above, below = rest > 0, rest < 0
    if rounding == UP:
        return np.where(above, np.nextafter(found, np.inf), found)
    if rounding == DOWN:
        return np.where(below, np.nextafter(found, -np.inf), found)
    toward = (above & (found < 0)) | (below & (found > 0))
    return np.where(toward, np.nextafter(found, 0.0), found)


def _directed_quotient(a: Doubles, b: Doubles, rounding: int) -> Doubles:
    """Quotients of finite doubles that are not 0, not rounded to nearest."""
    (mant_a, exp_a), (mant_b, exp_b) = np.frexp(a), np.frexp(b)
    quotient = mant_a / mant_b
    product, missing = two_product(-quotient, mant_b)
    rest = ((mant_a + product) + missing) * np.sign(mant_b)
    scale = exp_a - exp_b
    normal = np.ldexp(_adjusted(quotient, rest, rounding), np.clip(scale, -2200, 2200))
    # Of a denormal the digits that remain are fewer than those of the quotient rounded to odd.
    short = _fused(
        np.ldexp(odd(quotient, rest), -500), np.ldexp(1.0, np.clip(scale + 500, -1000, 1000)), np.zeros(1), rounding
    )
    limited = (rounding == TO_ZERO) | ((rounding == UP) & (normal < 0)) | ((rounding == DOWN) & (normal > 0))
    limit = np.copysign(np.where(limited, np.finfo(np.float64).max, np.inf), normal)
    return np.where(np.isinf(normal), limit, np.where(np.frexp(quotient)[1] + scale < -1021, short, normal))


_SPLIT = float((1 << 27) + 1)
_FAR = 300
"""Powers of two between a product and a term from which the smaller one only decides the rounding."""


def two_product(a: Doubles, b: Doubles) -> tuple[Doubles, Doubles]:
    """A product of doubles of moderate size and what is missing in it (Dekker)."""
    product = a * b
    scaled_a, scaled_b = a * _SPLIT, b * _SPLIT
    high_a, high_b = scaled_a - (scaled_a - a), scaled_b - (scaled_b - b)
    low_a, low_b = a - high_a, b - high_b
    return product, low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)


def _fused(a: Doubles, b: Doubles, c: Doubles, rounding: int) -> Doubles:
    """a * b + c of doubles, rounded once."""
    product = a * b
    plain = product + c
    size, other = np.abs(product), np.abs(c)
    largest = max(size.max(), other.max(), np.abs(a).max(), np.abs(b).max())
    if largest < 2.0**960:
        # A sum with a product that is 0 because of a factor is exact, and rounded already.
        exact = product == 0
        usual = (size > 2.0**-900) & (np.abs(plain) > 2.0**-960)
        if not other.min() > 2.0**-900:
            usual &= (other > 2.0**-900) | (c == 0)
        if usual.all():
            return _sum_of_three(product, two_product(a, b)[1], c, rounding)
        if (usual | exact & ((a == 0) | (b == 0))).all():
            return np.where(exact, plain, _sum_of_three(product, two_product(a, b)[1], c, rounding))
    a, b, c = np.broadcast_arrays(a, b, c)
    special = ~(np.isfinite(a) & np.isfinite(b) & np.isfinite(c)) | (product == 0) & ((a == 0) | (b == 0))
    found = _scaled_fused(a, b, c, rounding)
    # One with infinity or NaN follows the usual rules.
    finite = np.isfinite(a) & np.isfinite(b)
    return np.where(special, np.where(finite & ~np.isfinite(c), c, plain), found)


def _sum_of_three(high: Doubles, low: Doubles, c: Doubles, rounding: int) -> Doubles:
    """high + low + c rounded once (Boldo and Melquiond); low is the error of high."""
    if not low.any():
        if rounding == NEAREST:
            return high + c
        return _adjusted(*two_sum(high, c), rounding)
    upper, lower = two_sum(c, low)
    total, rest = two_sum(high, upper)
    last = odd(*two_sum(lower, rest))
    if rounding == NEAREST:
        found, missing = total + last, last
    else:
        found, missing = two_sum(total, last)
    if not found.all():  # where everything cancels, the sign of zero is that of the plain sum
        found = np.where(found == 0, high + c, found)
    return _adjusted(found, missing, rounding)


def _scaled_fused(a: Doubles, b: Doubles, c: Doubles, rounding: int) -> Doubles:
    """a * b + c of finite doubles of any size: scaled to the larger term, rounded where the result ends."""
    (mant_a, exp_a), (mant_b, exp_b), (mant_c, exp_c) = (np.frexp(each) for each in (a, b, c))
    exp_p = exp_a + exp_b
    has_c = mant_c != 0
    scale = np.where(has_c, np.maximum(exp_p, exp_c), exp_p)
    # What is far below the other term keeps its sign and loses its size.
    shift_p, shift_c = np.maximum(exp_p - scale, -_FAR), np.maximum(exp_c - scale, -_FAR)
    high, low = two_product(mant_a, mant_b)
    high, low, term = np.ldexp(high, shift_p), np.ldexp(low, shift_p), np.ldexp(mant_c, shift_c)
    upper, lower = two_sum(term, low)
    total, rest = two_sum(high, upper)
    last = odd(*two_sum(lower, rest))
    # The last digit of a denormal result, in this scale: adding a number with that last digit rounds there.
    nearest, missing = two_sum(total, last)
    exponent = np.frexp(nearest)[1] + scale
    denormal = exponent < -1021
    quantum = np.clip(-1074 - scale, -900, 900)
    anchor = np.where(denormal, np.copysign(np.ldexp(1.0, quantum + 52), nearest), 0.0)
    upper, lower = two_sum(total, last)
    first, second = two_sum(anchor, upper)
    sticky = odd(*two_sum(second, lower))
    anchored, beyond = two_sum(first, sticky)
    found = np.where(denormal, anchored - anchor, nearest)
    step = np.where(denormal, beyond, missing)
    zero = (nearest == 0) & (missing == 0)
    made = np.ldexp(np.where(zero, high + term, found), scale)
    made = np.where((made == 0) & ~zero, np.copysign(made, nearest), made)
    # From a result that was rounded to a multiple of the last digit the neighbour is the next double.
    made = _adjusted(made, step, rounding)
    huge = np.isinf(made) & (rounding != NEAREST)
    limited = (rounding == TO_ZERO) | ((rounding == UP) & (made < 0)) | ((rounding == DOWN) & (made > 0))
    return np.where(huge & limited, np.copysign(np.finfo(np.float64).max, made), made)


def rounded_bits(wide: Doubles, form: Format, rounding: int, random: "NDArray[Any] | int | None" = None) -> Integers:
    """The bits of a short format nearest to doubles. random: bits that are added to the digits that are cut off."""
    bits = wide.view(np.int64)
    negative = bits < 0
    magnitude = bits & _MAGNITUDE
    field = magnitude >> _DOUBLE_DIGITS
    exponent = np.maximum(field, 1) - _DOUBLE_BIAS
    whole = magnitude & ((1 << _DOUBLE_DIGITS) - 1) | np.where(field > 0, 1 << _DOUBLE_DIGITS, 0)
    least = 1 - form.bias
    shift = np.minimum(_DOUBLE_DIGITS - form.digits + np.maximum(least - exponent, 0), 62)
    kept = whole >> shift
    rest = whole - (kept << shift)
    half = np.int64(1) << (shift - 1)
    if random is not None:
        # The first random bit has the weight of the first digit that is cut off.
        number = np.asarray(random).astype(np.int64)
        added = np.where(shift >= 32, number << np.maximum(shift - 32, 0), number >> np.maximum(32 - shift, 0))
        kept = kept + (rest + added >> shift)
    elif rounding == NEAREST:
        kept = kept + ((rest > half) | ((rest == half) & ((kept & 1) == 1)))
    elif rounding != TO_ZERO:
        kept = kept + ((rest > 0) & (negative == (rounding == DOWN)))
    is_normal = (kept >> form.digits) > 0
    found = kept + np.where(is_normal, (np.maximum(exponent, least) + form.bias - 1) << form.digits, 0)
    finite = magnitude < 0x7FF << _DOUBLE_DIGITS
    top = form.top
    if form.largest:
        found = np.minimum(np.where(finite, found, top), top)
    else:
        limited = (rounding == TO_ZERO) | (negative & (rounding == UP)) | (~negative & (rounding == DOWN))
        found = np.where(finite, np.minimum(found, top - limited), top)
    signed: Integers = np.asarray(found | np.where(negative, 1 << (form.size - 1), 0), np.int64)
    if form.nan == 1 << (form.size - 1):  # without -0, whose bits are those of NaN
        signed = np.where(found == 0, 0, signed)
    wrong = magnitude > 0x7FF << _DOUBLE_DIGITS
    if not wrong.any():
        return signed
    if form.largest:
        return np.where(wrong, form.nan if form.nan >= 0 else form.largest, signed)
    payload = magnitude >> (_DOUBLE_DIGITS - form.digits) & ((1 << form.digits) - 1)
    sign = np.where(negative, 1 << (form.size - 1), 0)
    return np.where(wrong, sign | top | np.maximum(payload, 1), signed)


@cache
def _decoded(form: Format) -> Doubles:
    """The values of all bit patterns of a short format; NaN with their digits."""
    patterns = np.arange(1 << form.size, dtype=np.int64)
    field = patterns >> form.digits & ((1 << form.exponent) - 1)
    fraction = patterns & ((1 << form.digits) - 1)
    negative = patterns >> (form.size - 1) == 1
    whole = fraction + np.where(field > 0, 1 << form.digits, 0)
    values = np.ldexp(whole.astype(np.float64), np.maximum(field, 1) - form.bias - form.digits)
    values = np.where(negative, -values, values)
    if form.largest:
        magnitude = patterns if form.nan == 1 << (form.size - 1) else patterns & ((1 << (form.size - 1)) - 1)
        return np.where(magnitude == form.nan, np.nan, values)
    special = field == (1 << form.exponent) - 1
    sign = np.where(negative, np.int64(-1) << 63, np.int64(0))
    bits = (fraction << (_DOUBLE_DIGITS - form.digits)) | 0x7FF << _DOUBLE_DIGITS | sign
    found: Doubles = np.where(special, bits.view(np.float64), values)
    return found


def _turns(function: Any) -> Any:
    """A function of an angle in whole turns."""
    return lambda x: function((x - np.trunc(x)) * (2 * np.pi))


_FUNCTIONS: dict[str, Any] = {
    "sin": _turns(np.sin),
    "cos": _turns(np.cos),
    "tanh": np.tanh,
    "log2": np.log2,
    "exp2": np.exp2,
}
_TO_WHOLE: dict[str, Any] = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rndne": np.rint}
_ROUNDINGS = {NEAREST: "rndne", UP: "ceil", DOWN: "floor", TO_ZERO: "trunc"}

_CLASSES: dict[int, type[Arithmetic]] = {32: Singles, 64: LongFloats}


@cache
def arithmetic(name: str, modes: Modes) -> Arithmetic:
    """The operations of a format under some modes."""
    form = FORMATS[name]
    chosen = Halves if name == "f16" else _CLASSES.get(form.size, Arithmetic)
    return chosen(form, modes)

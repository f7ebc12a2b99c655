"""Arithmetic of floats over all lanes: exact, then rounded once, as MODE says.

A float of 32 or 64 bits is held as an array of that type, one of 16 bits or less as an array of doubles with its value.
`arithmetic(format, modes)` has the operations of a format; `rounding` beside it is exact. The caller ignores numpy's
warnings.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcn_lsp.machine.rounding import (
    DOWN,
    FORMATS,
    NEAREST,
    QUIET_BIT,
    TO_ZERO,
    UP,
    Doubles,
    Floats,
    Format,
    Integers,
    Truth,
    adjusted,
    decoded,
    directed,
    directed_quotient,
    fused,
    odd,
    odd_bits,
    rounded_bits,
    some,
    two_sum,
)
from gcn_lsp.records import NamedTuple

_SHORTEST = 16
"""Bits of the floats to which MODE applies."""
_TINY = 2.0**-700


class Modes(NamedTuple):
    """How floats of 16 bits and more are calculated: rounding, which denormals are kept, and MODE.IEEE."""

    rounding: int = NEAREST
    keeps_sources: bool = True
    keeps_results: bool = True
    ieee: bool = False


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
            self._table = decoded(self.format)
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
        found: Doubles = self.source(values).astype(np.float64, copy=False)
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
        return values * ~tiny if some(tiny) else values

    # NaN

    def nan(self) -> Floats:
        """A quiet NaN."""
        return np.full(1, np.nan, self.carrier)

    def quiet(self, values: Floats) -> Floats:
        """NaN among the values made quiet."""
        return np.where(values != values, (values.view(np.int64) | QUIET_BIT).view(np.float64), values)

    def signalling(self, values: Floats) -> Truth:
        """Where a NaN is signalling."""
        found: Truth = (values != values) & ((values.view(np.int64) & QUIET_BIT) == 0)
        return found

    def settled(self, result: Floats, *operands: Floats) -> Floats:
        """The result with the first NaN of the operands where there is one; else a new NaN is positive."""
        wrong = result != result
        if not some(wrong):
            return result
        found = np.where(wrong, self.nan(), result)
        for operand in reversed(operands):
            found = np.where(operand != operand, self.quiet(operand), found)
        return found

    def within(self, result: Floats, operand: Floats) -> Floats:
        """The result of a function; outside its domain a new NaN is negative.

        So the examples in RDNA 3.5's and CDNA 5's manuals have it, of `V_SQRT_F32`, `V_LOG_F32` and `V_SIN_F32`.
        """
        found = self.settled(result, operand)
        wrong = (found != found) & (operand == operand)
        return np.where(wrong, -found, found) if some(wrong) else found

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
        return self.within(self.narrow(np.sqrt(self.wide(a))), a)

    def ldexp(self, a: Floats, powers: "Integers | int") -> Floats:
        """Values times powers of two."""
        return self.settled(self.narrow(np.ldexp(self.wide(a), np.clip(powers, -600, 600))), a)

    def function(self, name: str, a: Floats) -> Floats:
        """A function that hardware approximates, calculated with doubles: `sin`, `cos` (of turns), `tanh`, ..."""
        return self.within(self.narrow(_FUNCTIONS[name](self.wide(a))), a)

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
        if some(zero):  # -0 is less than +0
            negative = np.signbit(a) | np.signbit(b) if choose is np.minimum else np.signbit(a) & np.signbit(b)
            both = zero & (a == 0) & (b == 0)
            found = np.where(both, np.where(negative, -np.zeros_like(found), np.zeros_like(found)), found)
        first, second = a != a, b != b
        if not (some(first) or some(second)):
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
        return np.where(wrong, self.min(self.min(a, b), c), found) if some(wrong) else found

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
        if some(values != values):
            return rounded_bits(values, self.format, NEAREST)
        return values.astype(np.float16).view(np.uint16).astype(np.int64)

    def narrow(self, wide: Doubles, rounding: int | None = None) -> Floats:
        """Doubles as values of this format."""
        found = directed(wide.astype(np.float16), wide, self.rounding if rounding is None else rounding)
        return self._results(found.astype(np.float64))

    def add(self, a: Floats, b: Floats) -> Floats:
        """Sums."""
        return self.settled(self.narrow(self.wide(a) + self.wide(b)), a, b)

    def sub(self, a: Floats, b: Floats) -> Floats:
        """Differences."""
        return self.settled(self.narrow(self.wide(a) - self.wide(b)), a, b)


class Brains(Arithmetic):
    """Floats of 16 bits that are the upper halves of those of 32."""

    def encode(self, values: Floats) -> Integers:
        """The bit patterns of values of this format."""
        if some(values != values):
            return rounded_bits(values, self.format, NEAREST)
        found: Integers = (values.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.int64)
        return found

    def narrow(self, wide: Doubles, rounding: int | None = None) -> Floats:
        """Doubles, rounded to odd if they are not exact, as values of this format."""
        rounding = self.rounding if rounding is None else rounding
        if rounding != NEAREST or some(wide != wide):
            return super().narrow(wide, rounding)
        bits = odd_bits(wide, np.float32, np.uint32)
        kept = (bits + (np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1)))) & np.uint32(0xFFFF_0000)
        return self._results(kept.view(np.float32).astype(np.float64))


class Shorts(Arithmetic):
    """Floats of 8 bits or less, all of which are floats of 16 bits, too: tables say what becomes of each of these."""

    def __init__(self, form: Format, modes: Modes) -> None:
        super().__init__(form, modes)
        self._patterns: Integers | None = None

    def _rounded(self, halves: "NDArray[np.uint16]") -> Integers:
        if self._patterns is None:
            self._patterns = rounded_bits(decoded(FORMATS["f16"]), self.format, NEAREST)
        found: Integers = self._patterns[halves]
        return found

    def encode(self, values: Floats) -> Integers:
        """The bit patterns of values of this format."""
        return self._rounded(values.astype(np.float16).view(np.uint16))

    def narrow(self, wide: Doubles, rounding: int | None = None) -> Floats:
        """Doubles, rounded to odd if they are not exact, as values of this format."""
        if rounding not in (None, NEAREST):
            return super().narrow(wide, rounding)
        return self.decode(self._rounded(odd_bits(wide, np.float16, np.uint16)))


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
        return self._results(directed(wide.astype(np.float32), wide, self.rounding if rounding is None else rounding))

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
            found = np.where(exact, directed_quotient(first, second, self.rounding), found)
        return self.settled(self._results(found), a, b)

    def sqrt(self, a: Floats) -> Floats:
        """Square roots."""
        # What is missing in the root of a tiny number would be less than any double: such a number is made larger.
        first = self.source(a)
        powers = np.where(np.abs(first) < _TINY, 300, 0)
        wide = np.ldexp(first, 2 * powers)
        found = np.sqrt(wide)
        if self.rounding != NEAREST:
            found = adjusted(found, fused(-found, found, wide, NEAREST), self.rounding)
        return self.within(self._results(np.ldexp(found, -powers)), a)

    def fma(self, a: Floats, b: Floats, c: Floats) -> Floats:
        """a * b + c, rounded once."""
        found = fused(self.source(a), self.source(b), self.source(c), self.rounding)
        return self.settled(self._results(found), a, b, c)

    def ldexp(self, a: Floats, powers: "Integers | int") -> Floats:
        """Values times powers of two."""
        first = self.source(a)
        found = np.ldexp(first, np.clip(powers, -2200, 2200))
        if self.rounding != NEAREST:
            again = np.ldexp(found, -np.clip(powers, -2200, 2200))
            rest = np.where(np.isfinite(again), first - again, -np.sign(found))
            found = np.where(np.isfinite(first), adjusted(found, rest, self.rounding), found)
        return self.settled(self._results(found), a)

    def from_integers(self, values: "NDArray[Any] | int") -> Floats:
        """Integers of up to 64 bits as floats."""
        number = np.asarray(values).reshape(-1)
        high = (number >> 32).astype(np.float64) * 2.0**32
        return self.add(high, (number & 0xFFFF_FFFF).astype(np.float64))

    def convert(self, values: Doubles, rounding: int | None = None) -> Floats:
        """Doubles as they are."""
        return self.settled(self._results(values), values)


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

_CLASSES: dict[str, type[Arithmetic]] = {"f16": Halves, "bf16": Brains, "f32": Singles, "f64": LongFloats}


@cache
def arithmetic(name: str, modes: Modes) -> Arithmetic:
    """The operations of a format under some modes."""
    form = FORMATS[name]
    chosen = _CLASSES.get(name, Shorts)
    return chosen(form, modes)

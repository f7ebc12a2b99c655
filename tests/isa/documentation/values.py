"""Values of operations and pseudo-code: integers wrap at their size, floats are calculated exactly and rounded once.

Floats are held as bits. Arithmetic keeps denormals and rounds to the nearest, halves to even, except within `modes`.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import NamedTuple

FLOATS = ("f", "bf", "fp")
"""The kinds of floats; `fp` are those of 4, 6 and 8 bits, and `bf` of 8 and 6 those with a longer exponent."""

# Bits of the exponent and of the fraction, by kind and size.
_FORMATS = {
    ("f", 16): (5, 10), ("f", 32): (8, 23), ("f", 64): (11, 52), ("bf", 16): (8, 7),
    ("fp", 8): (4, 3), ("bf", 8): (5, 2), ("fp", 6): (2, 3), ("bf", 6): (3, 2), ("fp", 4): (2, 1),
}  # fmt: skip
# The largest finite value of the formats without infinity, as the Open Compute Project has them. Only that of 8
# bits has a NaN. A larger value becomes the largest.
_LARGEST = {("fp", 8): 0x7E, ("fp", 6): 0x1F, ("bf", 6): 0x1F, ("fp", 4): 0x7}
_NAN = {("fp", 8): 0x7F}


NEAREST, UP, DOWN, TO_ZERO = range(4)
"""The modes of rounding, as MODE.FP_ROUND has them."""


class Modes(NamedTuple):
    """How floats of 16 bits and more are calculated, as MODE says: rounding, and which denormals are not made 0."""

    rounding: int = NEAREST
    keeps_sources: bool = True
    keeps_results: bool = True


_MODES: ContextVar[Modes] = ContextVar("modes", default=Modes())  # noqa: B039


@contextmanager
def modes(chosen: Modes) -> Iterator[None]:
    """Calculates with other modes."""
    token = _MODES.set(chosen)
    try:
        yield
    finally:
        _MODES.reset(token)


def set_rounding(mode: int) -> None:
    """Changes the rounding until the end of the current `modes`."""
    _MODES.set(_MODES.get()._replace(rounding=mode))


def current_modes() -> Modes:
    """The modes of now."""
    return _MODES.get()


class Unsupported(Exception):
    """Something that the evaluation leaves out; the text says what."""


class Value(NamedTuple):
    """An integer, or a float as bits. kind: `u`, `i`, `b`, `f`, `bf`; `r` for an exact number without a type.

    number: the integer, the bits of a float, or a fraction. size: in bits; 0 for a number without a type.
    """

    kind: str
    number: "int | Fraction"
    size: int = 0


def integer(number: int, size: int = 0, kind: str = "u") -> Value:
    """An integer cut to its size; without a size as it is."""
    if not size:
        return Value("i", number)
    number &= (1 << size) - 1
    return Value(kind, number - (1 << size) if kind == "i" and number >> (size - 1) else number, size)


def raw(value: Value) -> int:
    """The bits of a value, not negative."""
    if value.kind == "r":
        raise Unsupported("the bits of a number without a type")
    return int(value.number) & ((1 << value.size) - 1) if value.size else int(value.number)


def is_float(value: Value) -> bool:
    """Whether it is a float or an exact number."""
    return value.kind in (*FLOATS, "r")


def reread(value: Value, kind: str, size: int) -> Value:
    """The low bits of a value, read as another type."""
    bits = raw(value) & ((1 << size) - 1)
    return Value(kind, bits, size) if kind in FLOATS else integer(bits, size, kind)


def fields(value: Value) -> tuple[int, int, int]:
    """The sign, the exponent and the fraction of a float, as their bits."""
    exponent, fraction = _format(value)
    bits = raw(value)
    return bits >> (exponent + fraction), bits >> fraction & (1 << exponent) - 1, bits & (1 << fraction) - 1


def _format(value: Value) -> tuple[int, int]:
    found = _FORMATS.get((value.kind, value.size))
    if found is None:
        raise Unsupported(f"a float of kind {value.kind}{value.size}")
    return found


def is_nan(value: Value) -> bool:
    """Whether a float is not a number."""
    if value.kind not in FLOATS:
        return False
    form = value.kind, value.size
    if form in _LARGEST:
        return raw(value) & (1 << (value.size - 1)) - 1 == _NAN.get(form)
    _, exponent, fraction = fields(value)
    return exponent == (1 << _format(value)[0]) - 1 and fraction != 0


def is_quiet(value: Value) -> bool:
    """Whether a NaN is quiet."""
    return is_nan(value) and bool(fields(value)[2] >> (_format(value)[1] - 1))


def is_infinite(value: Value) -> bool:
    """Whether a float is infinite."""
    if value.kind not in FLOATS or (value.kind, value.size) in _LARGEST:
        return False
    _, exponent, fraction = fields(value)
    return exponent == (1 << _format(value)[0]) - 1 and fraction == 0


def is_denormal(value: Value) -> bool:
    """Whether a float is denormal."""
    _, exponent, fraction = fields(value)
    return not exponent and bool(fraction)


def is_negative(value: Value) -> bool:
    """The sign of a float, of an integer or an exact number."""
    return bool(fields(value)[0]) if value.kind in FLOATS else value.number < 0


def exact(value: Value) -> Fraction:
    """A finite float as a fraction."""
    if value.kind not in FLOATS:
        return Fraction(value.number)
    sign, exponent, fraction = fields(value)
    width, digits = _format(value)
    if not exponent and value.size >= _SHORTEST and not _MODES.get().keeps_sources:
        return Fraction(0)
    bias = (1 << (width - 1)) - 1
    scale = (exponent or 1) - bias - digits
    whole = fraction | ((1 << digits) if exponent else 0)
    return Fraction(whole) * Fraction(2) ** scale * (-1 if sign else 1)


def infinity(kind: str, size: int, negative: bool = False) -> Value:
    """Infinity of a type, or its largest value."""
    if (kind, size) in _LARGEST:
        return Value(kind, negative << (size - 1) | _LARGEST[(kind, size)], size)
    width, digits = _FORMATS[(kind, size)]
    return Value(kind, (negative << (width + digits)) | ((1 << width) - 1) << digits, size)


def nan(kind: str, size: int) -> Value:
    """A quiet NaN of a type; of one without NaN the largest value."""
    if (kind, size) in _LARGEST:
        return Value(kind, _NAN.get((kind, size), _LARGEST[(kind, size)]), size)
    width, digits = _FORMATS[(kind, size)]
    return Value(kind, ((1 << width) - 1) << digits | 1 << (digits - 1), size)


def rounded(number: Fraction, kind: str, size: int, negative_zero: bool = False, to_zero: bool = False) -> Value:
    """An exact number as a float of a type."""
    width, digits = _FORMATS[(kind, size)]
    bias = (1 << (width - 1)) - 1
    negative = number < 0 or (not number and negative_zero)
    number = abs(number)
    sign = int(negative) << (width + digits)
    if not number:
        return Value(kind, sign, size)
    exponent = max(_log2(number), 1 - bias)
    scaled = number / Fraction(2) ** (exponent - digits)
    whole = scaled.numerator // scaled.denominator
    modes_now = _MODES.get() if size >= _SHORTEST else Modes()
    mode = TO_ZERO if to_zero else modes_now.rounding
    whole += _is_rounded_away(scaled - whole, whole, mode, negative)
    bits = whole + ((exponent + bias - 1) << digits) if whole >> digits else whole
    if not whole >> digits and not modes_now.keeps_results:
        bits = 0
    most = _LARGEST.get((kind, size)) or ((1 << width) - 1) << digits
    is_limited = mode in (TO_ZERO, UP if negative else DOWN) and (kind, size) not in _LARGEST
    return Value(kind, sign | min(bits, most - is_limited), size)


_SHORTEST = 16  # bits of the floats to which the modes apply


def _is_rounded_away(rest: Fraction, whole: int, mode: int, negative: bool) -> bool:
    """Whether a magnitude is rounded away from zero. rest: what is beyond its last bit, less than 1."""
    if mode == NEAREST:
        return rest > Fraction(1, 2) or (rest == Fraction(1, 2) and bool(whole & 1))
    return bool(rest) and mode == (DOWN if negative else UP)


def _log2(number: Fraction) -> int:
    """The exponent e for which 2 ** e <= number < 2 ** (e + 1)."""
    e = number.numerator.bit_length() - number.denominator.bit_length()
    return e if Fraction(2) ** e <= number else e - 1


def converted(value: Value, kind: str, size: int, to_zero: bool = False) -> Value:
    """A value as another type: rounded, or limited to the range of an integer; NaN keeps being quiet or not."""
    if (value.kind, value.size) == (kind, size):
        return value
    if kind in FLOATS:
        if value.kind in FLOATS:
            if is_nan(value):
                return _nan_as(value, kind, size)
            if is_infinite(value):
                return infinity(kind, size, is_negative(value))
        return rounded(exact(value), kind, size, is_float(value) and is_negative(value), to_zero)
    if not is_float(value):
        return integer(int(value.number), size, kind)
    if is_nan(value):
        return integer(0, size, kind)
    low, high = (-(1 << (size - 1)), (1 << (size - 1)) - 1) if kind == "i" else (0, (1 << size) - 1)
    if is_infinite(value):
        return integer(low if is_negative(value) else high, size, kind)
    return integer(max(low, min(high, math.trunc(exact(value)))), size, kind)


def _nan_as(value: Value, kind: str, size: int) -> Value:
    if (kind, size) in _LARGEST or (value.kind, value.size) in _LARGEST:
        return nan(kind, size)
    old, (width, digits) = _format(value)[1], _FORMATS[(kind, size)]
    sign, _, fraction = fields(value)
    fraction = fraction << (digits - old) if digits >= old else fraction >> (old - digits)
    return Value(kind, sign << (width + digits) | ((1 << width) - 1) << digits | (fraction or 1), size)


def quieted(value: Value) -> Value:
    """A NaN as a quiet one; other floats as they are."""
    if not is_nan(value) or value.kind == "fp":
        return value
    return value._replace(number=raw(value) | 1 << (_format(value)[1] - 1))


def calculated(sign: str, a: Value, b: Value) -> Value:
    """`+ - * /` of two values of which one is a float."""
    kind, size = _wider(a, b)
    if kind == "r":
        return Value("r", _OPERATIONS[sign](exact(a), exact(b)))
    for each in (a, b):
        if is_nan(each):
            return quieted(converted(each, kind, size))
    if is_infinite(a) or is_infinite(b) or (sign == "/" and not exact(b)):
        return _with_infinity(sign, a, b, kind, size)
    number = _OPERATIONS[sign](exact(a), exact(b))
    negative_b = is_negative(b) != (sign == "-")
    zero = is_negative(a) and negative_b if sign in "+-" else is_negative(a) != is_negative(b)
    return rounded(number, kind, size, zero)


def _wider(*values: Value) -> tuple[str, int]:
    floats = [(value.size, value.kind) for value in values if value.kind in FLOATS]
    return (max(floats)[1], max(floats)[0]) if floats else ("r", 0)


def _with_infinity(sign: str, a: Value, b: Value, kind: str, size: int) -> Value:
    numbers = [_as_double(each) for each in (a, b)]
    try:
        found = {"+": float.__add__, "-": float.__sub__, "*": float.__mul__, "/": _divided}[sign](*numbers)
    except ZeroDivisionError:
        found = math.nan
    if math.isnan(found):
        return nan(kind, size)
    if math.isinf(found):
        return infinity(kind, size, found < 0)
    return rounded(Fraction(found), kind, size, math.copysign(1, found) < 0)


def _as_double(value: Value) -> float:
    """Near enough for the rules of infinity and zero."""
    if is_infinite(value):
        return -math.inf if is_negative(value) else math.inf
    sign = -1.0 if is_negative(value) else 1.0
    return math.copysign(1.0 if exact(value) else 0.0, sign)


def _divided(a: float, b: float) -> float:
    if b == 0:
        return math.nan if a == 0 else math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))
    return a / b


_OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def fused(a: Value, b: Value, c: Value) -> Value:
    """a * b + c, rounded once."""
    kind, size = _wider(a, b, c)
    for each in (a, b, c):
        if is_nan(each):
            return quieted(converted(each, kind, size))
    if is_infinite(a) or is_infinite(b) or is_infinite(c):
        product = calculated("*", converted(a, "f", 64), converted(b, "f", 64))
        if is_infinite(a) or is_infinite(b):
            return converted(calculated("+", product, converted(c, "f", 64)), kind, size)
        return converted(c, kind, size)
    zero = is_negative(c) and is_negative(a) != is_negative(b)
    return rounded(exact(a) * exact(b) + exact(c), kind, size, zero)


def negated(value: Value) -> Value:
    """The value with the other sign."""
    if value.kind in FLOATS:
        return value._replace(number=raw(value) ^ 1 << (value.size - 1))
    if value.kind == "r":
        return value._replace(number=-value.number)
    return integer(-int(value.number), value.size, value.kind)


def absolute(value: Value) -> Value:
    """The value without its sign."""
    if value.kind in FLOATS:
        return value._replace(number=raw(value) & (1 << (value.size - 1)) - 1)
    if value.kind == "r":
        return Value("r", abs(exact(value)))
    return integer(abs(int(value.number)), value.size, value.kind)


def compared(sign: str, a: Value, b: Value) -> bool:
    """The comparison of two values; with NaN only `!=` holds."""
    if is_float(a) or is_float(b):
        if is_nan_of(a) or is_nan_of(b):
            return sign == "!="
        first, second = _order(a), _order(b)
    else:
        first, second = (0, Fraction(a.number)), (0, Fraction(b.number))
    return {
        "==": first == second, "!=": first != second, "<": first < second,
        "<=": first <= second, ">": first > second, ">=": first >= second,
    }[sign]  # fmt: skip


def is_nan_of(value: Value) -> bool:
    """Whether a value of any type is a NaN."""
    return value.kind in FLOATS and is_nan(value)


def _order(value: Value) -> tuple[int, Fraction]:
    if value.kind in FLOATS and is_infinite(value):
        return (-1 if is_negative(value) else 1, Fraction(0))
    return (0, exact(value))


_TO_WHOLE: dict[str, Callable[[Fraction], int]] = {
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "rndne": round,
}  # fmt: skip


def to_whole(value: Value, how: str) -> Value:
    """A float rounded to an integer: `floor`, `ceil`, `trunc`, `rndne`; still a float."""
    if is_nan_of(value):
        return quieted(value)
    if value.kind in FLOATS and is_infinite(value):
        return value
    number = exact(value)
    whole = _TO_WHOLE[how](number)
    if value.kind == "r":
        return Value("r", Fraction(whole))
    return rounded(Fraction(whole), value.kind, value.size, is_negative(value))


def power(base: Value, exponent: Value) -> Value:
    """A power; if the exponent is no float, an exact one, which beyond the range of any float is cut off."""
    if exponent.kind in FLOATS:
        if exact(base) != 2:
            raise Unsupported("a power of another base")
        return approximated("exp2", exponent)
    found = exact(base) ** max(-5000, min(5000, int(exponent.number)))
    return Value("r", found) if is_float(base) or found.denominator > 1 else integer(int(found))


_TRANSCENDENTAL: dict[str, Callable[[float], float]] = {
    "sin": math.sin, "cos": math.cos, "tanh": math.tanh, "log2": math.log2, "exp2": lambda x: 2.0**x,
}  # fmt: skip
_AT_INFINITY = {"tanh": (-1.0, 1.0), "log2": (math.nan, math.inf), "exp2": (0.0, math.inf)}


def approximated(name: str, value: Value) -> Value:
    """A function that hardware approximates, calculated with doubles: `sin`, `cos`, `tanh`, `log2`, `exp2`."""
    if is_nan(value):
        return quieted(value)
    kind, size = (value.kind, value.size) if value.kind in FLOATS else ("f", 64)
    if is_infinite(value):
        found = _AT_INFINITY.get(name, (math.nan, math.nan))[not is_negative(value)]
    elif name == "log2" and exact(value) <= 0:
        found = math.nan if exact(value) else -math.inf
    elif not exact(value) and name != "cos" and name != "exp2":
        return value
    elif name == "exp2" and abs(exact(value)) > 1000:
        found = 0.0 if is_negative(value) else math.inf
    else:
        found = _TRANSCENDENTAL[name](float(exact(value)))
    if math.isnan(found):
        return nan(kind, size)
    return infinity(kind, size, found < 0) if math.isinf(found) else rounded(Fraction(found), kind, size)


def normalized(value: Value, kind: str) -> Value:
    """A float as an integer of 16 bits that stands for -1.0 to 1.0 (`i`) or 0.0 to 1.0 (`u`)."""
    if is_nan(value):
        return integer(0, 16, kind)
    low = Fraction(-1 if kind == "i" else 0)
    number = (low if is_negative(value) else Fraction(1)) if is_infinite(value) else exact(value)
    return integer(round(max(low, min(Fraction(1), number)) * (32767 if kind == "i" else 65535)), 16, kind)


def scaled(value: Value, scale: Value, kind: str, size: int, *, down: bool) -> Value:
    """A float times, or divided by, 2 to the power of a biased exponent of 8 bits, rounded once."""
    if is_nan(value) or is_infinite(value):
        return converted(value, kind, size)
    power = Fraction(2) ** (int(scale.number) - 127)
    number = exact(value) / power if down else exact(value) * power
    return rounded(number, kind, size, is_negative(value))


def square_root(value: Value) -> Value:
    """The square root, rounded once."""
    if is_nan(value):
        return quieted(value)
    if is_negative(value) and exact(value):
        return nan(value.kind, value.size)
    if is_infinite(value):
        return value
    number = exact(value)
    shift = 200 + number.denominator.bit_length()
    scaled = number * Fraction(4) ** shift
    root = math.isqrt(scaled.numerator // scaled.denominator)
    found = Fraction(2 * root + (Fraction(root) ** 2 != scaled), 2) if Fraction(root) ** 2 != scaled else Fraction(root)
    return rounded(found / Fraction(2) ** shift, value.kind, value.size, is_negative(value))


def same(a: int, b: int, kind: str, size: int) -> bool:
    """Whether two results are equal as bits, or both NaN where they are floats."""
    if a == b:
        return True
    if kind not in FLOATS:
        return False
    return is_nan(Value(kind, a, size)) and is_nan(Value(kind, b, size))


def truth(value: Value) -> bool:
    """Whether a value holds."""
    return bool(exact(value)) if value.kind in (*FLOATS, "r") else bool(value.number)


def part(value: Value, high: int, low: int) -> Value:
    """Bits of a value; in the opposite order if the higher number is written last."""
    if high < low:
        bits = raw(value) >> high & (1 << (low - high + 1)) - 1
        return integer(int(f"{bits:0{low - high + 1}b}"[::-1], 2), low - high + 1)
    width = high - low + 1
    if value.kind == "i" and value.size:
        return integer(raw(value) >> low, width, "i")
    return Value("u", raw(value) >> low & (1 << width) - 1, max(width, 32))  # a sum of parts does not wrap


def combined(sign: str, a: Value, b: Value, *, wraps: bool = True) -> Value:
    """The result of an operator. wraps: whether sums and products of integers are cut to their size."""
    if sign == "<>":
        return integer(int(compared("<", a, b) or compared(">", a, b)), 1)
    if sign in ("==", "!=", "<", "<=", ">", ">="):
        return integer(int(compared(sign, a, b)), 1)
    if sign in ("&&", "||"):
        return integer(int(truth(a) and truth(b) if sign == "&&" else truth(a) or truth(b)), 1)
    if is_float(a) or is_float(b):
        if sign not in ("+", "-", "*", "/"):
            raise Unsupported(f"{sign} of floats")
        return calculated(sign, a, b)
    one, other = int(a.number), int(b.number)
    if sign in ("<<", ">>"):
        return integer(one << other if sign == "<<" else one >> other, a.size, a.kind if a.kind in "ui" else "u")
    size = max(a.size, b.size)
    kind = "i" if all(side.kind == "i" for side in (a, b) if side.size) else "u"
    if sign == "/":
        return integer(int(Fraction(one, other)), size, kind)
    result = {
        "+": one + other, "-": one - other, "*": one * other, "%": one % other if other else 0,
        "&": one & other, "|": one | other, "^": one ^ other,
    }[sign]  # fmt: skip
    if not wraps and sign in "+-*":
        return Value("i", result, size)
    return integer(result, size, kind)


def fraction_of(value: Value) -> Value:
    """What is above the next lower integer."""
    if is_nan(value) or is_infinite(value):
        return nan(value.kind, value.size)
    return calculated("-", value, to_whole(value, "floor"))


def below(a: Value, b: Value) -> bool:
    """Less, with -0 below +0."""
    if compared("==", a, b) and not exact(a):
        return is_negative(a) and not is_negative(b)
    return compared("<", a, b)

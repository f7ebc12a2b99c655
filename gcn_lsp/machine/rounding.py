"""Formats of floats, and exact arithmetic of doubles rounded to them in one step.

Whatever needs more digits than a double has goes through `rounded to odd`: a double whose last bit is set if anything
is beyond it rounds to a shorter format as the exact number would (Boldo and Melquiond, "Emulation of FMA and correctly
rounded sums", 2008). The caller ignores numpy's warnings.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcn_lsp.records import NamedTuple

Floats = NDArray[Any]
Integers = NDArray[np.int64]
Doubles = NDArray[np.float64]
Truth = NDArray[np.bool_]

some = np.count_nonzero
"""How many hold: of the few lanes of a wave it is found several times as fast as `any` and `all`."""

NEAREST, UP, DOWN, TO_ZERO = range(4)
"""The modes of rounding, as MODE.FP_ROUND has them."""

_DOUBLE_DIGITS, _DOUBLE_BIAS = 52, 1023
_MAGNITUDE = (1 << 63) - 1
QUIET_BIT = 1 << (_DOUBLE_DIGITS - 1)


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


def two_sum(a: Doubles, b: Doubles) -> tuple[Doubles, Doubles]:
    """A sum of doubles and what is missing in it."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def odd(total: Doubles, rest: Doubles) -> Doubles:
    """`total` + `rest` rounded to odd; the rest is less than half of the last digit."""
    if not some(rest):
        return total
    below = rest < 0
    changed = below | (rest > 0)
    bits = total.view(np.int64)
    found: Doubles = np.where(changed, (bits - (below != (total < 0))) | 1, bits).view(np.float64)
    return found


def directed(found: Floats, wide: Doubles, rounding: int) -> Floats:
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


def odd_bits(wide: Doubles, short: type[Any], pattern: type[Any]) -> NDArray[Any]:
    """The bits of doubles rounded to odd as a shorter type of numpy: toward zero, the last bit set if inexact."""
    found = wide.astype(short)
    back = found.astype(np.float64)
    bits: NDArray[Any] = found.view(pattern)
    if some(back == wide) == wide.size:
        return bits
    outside, inexact = np.abs(back) > np.abs(wide), (back != wide) & (wide == wide)
    changed: NDArray[Any] = bits - outside.astype(pattern) | inexact.astype(pattern)
    return changed


def adjusted(found: Doubles, rest: Doubles, rounding: int) -> Doubles:
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


def directed_quotient(a: Doubles, b: Doubles, rounding: int) -> Doubles:
    """Quotients of finite doubles that are not 0, not rounded to nearest."""
    (mant_a, exp_a), (mant_b, exp_b) = np.frexp(a), np.frexp(b)
    quotient = mant_a / mant_b
    product, missing = two_product(-quotient, mant_b)
    rest = ((mant_a + product) + missing) * np.sign(mant_b)
    scale = exp_a - exp_b
    normal = np.ldexp(adjusted(quotient, rest, rounding), np.clip(scale, -2200, 2200))
    # A denormal keeps fewer digits than the quotient rounded to odd has.
    short = fused(
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


def fused(a: Doubles, b: Doubles, c: Doubles, rounding: int) -> Doubles:
    """a * b + c of doubles, rounded once."""
    product = a * b
    plain = product + c
    size = np.abs(product)
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.maximum(size, np.abs(c)))
    usual = (largest < 2.0**960) & (size > 2.0**-900)
    if some(usual) == usual.size:
        return _sum_of_three(plain, product, two_product(a, b)[1], c, rounding)
    # A sum with a product that is 0 because of a factor is exact, and rounded already.
    exact = (product == 0) & ((a == 0) | (b == 0))
    found = np.where(exact, plain, _sum_of_three(plain, product, two_product(a, b)[1], c, rounding))
    rare = ~(usual | exact & (largest < 2.0**960))
    if not some(rare):
        return found
    a, b, c, plain = (each[rare] for each in np.broadcast_arrays(a, b, c, plain))
    finite = np.isfinite(a) & np.isfinite(b)
    special = ~(finite & np.isfinite(c)) | (a == 0) | (b == 0)
    # One with infinity or NaN follows the usual rules.
    usually = np.where(finite & ~np.isfinite(c), c, plain)
    found[rare] = np.where(special, usually, _scaled_fused(a, b, c, rounding))
    return found


def _sum_of_three(plain: Doubles, high: Doubles, low: Doubles, c: Doubles, rounding: int) -> Doubles:
    """high + low + c rounded once; low is the error of high, plain is high + c.

    The error of `plain` and `low` are at most about as large as its last digit: where their sum is not exact,
    it is rounded to odd, far below any digit of the result.
    """
    part = plain - high
    last = odd(*two_sum((high - (plain - part)) + (c - part), low))
    if rounding == NEAREST:
        found, missing = plain + last, last
    else:
        found, missing = two_sum(plain, last)
    if some(found) != found.size:  # where everything cancels, the sign of zero is that of the plain sum
        found = np.where(found == 0, plain, found)
    return adjusted(found, missing, rounding)


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
    made = adjusted(made, step, rounding)
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
    if not some(wrong):
        return signed
    if form.largest:
        return np.where(wrong, form.nan if form.nan >= 0 else form.largest, signed)
    payload = magnitude >> (_DOUBLE_DIGITS - form.digits) & ((1 << form.digits) - 1)
    sign = np.where(negative, 1 << (form.size - 1), 0)
    return np.where(wrong, sign | top | np.maximum(payload, 1), signed)


@cache
def decoded(form: Format) -> Doubles:
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

"""Doubles rounded to shorter formats, compared with exact fractions."""

import random

import numpy as np
import pytest

from gcn_lsp.machine.floats import Arithmetic, Modes, arithmetic
from gcn_lsp.machine.rounding import FORMATS, Doubles, decoded, fused, rounded_bits
from tests.isa.documentation import values
from tests.isa.documentation.values import Value


@pytest.mark.parametrize("name", ["f16", "bf16", "bf8", "fp8", "fp6", "bf6", "fp4"])
@pytest.mark.parametrize("rounding", range(4))
def test_doubles_are_rounded_to_short_formats(name: str, rounding: int) -> None:
    source = random.Random(name)
    patterns = []
    for _ in range(200):
        exponent = 1023 + source.randrange(-30, 30)
        patterns.append(source.getrandbits(1) << 63 | exponent << 52 | source.getrandbits(52))
    wide = np.array(patterns, np.uint64).view(np.float64)
    form = FORMATS[name]
    kind = name.rstrip("0123456789")
    with values.modes(values.Modes(rounding)):
        for ours, number in zip(rounded_bits(wide, form, rounding if form.size == 16 else 0), wide, strict=True):
            exact = values.exact(Value("f", int(number.view(np.uint64)), 64))
            assert int(ours) == values.raw(values.rounded(exact, kind, form.size)), float(number)


SHORT = [name for name, form in FORMATS.items() if form.size <= 16]
_EDGES = (0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1e308, 65504, 65519.99, 65520, 464, 464.0001, 61440, 3.396e38)


def _doubles(name: str, source: np.random.Generator) -> Doubles:
    """Doubles in and around the range of a format, many of them half-way between two of its values."""
    form = FORMATS[name]
    count, reach = 400, form.bias + form.digits + 3
    fraction = source.integers(0, 1 << 52, count) >> (kept := source.integers(0, 52, count)) << kept
    exponent = source.integers(1023 - reach, 1023 + reach, count)
    bits = source.integers(0, 2, count) << 63 | exponent << 52 | fraction
    values = decoded(form)
    with np.errstate(all="ignore"):
        return np.concatenate([bits.view(np.float64), (values[:-1] + values[1:])[:4000] / 2, values, _EDGES])


@pytest.mark.parametrize("name", SHORT)
def test_what_is_rounded_quickly_is_rounded_as_what_is_not(name: str) -> None:
    wide = _doubles(name, np.random.default_rng(7))
    for modes in (Modes(), Modes(1), Modes(2), Modes(3), Modes(0, False, False)):
        quick, plain = arithmetic(name, modes), Arithmetic(FORMATS[name], modes)
        with np.errstate(all="ignore"):
            for rounding in (None, 0):
                found, wanted = quick.narrow(wide, rounding), plain.narrow(wide, rounding)
                assert (found.view(np.int64) == wanted.view(np.int64)).all(), (modes, rounding)
            assert (quick.encode(wanted) == plain.encode(wanted)).all()


@pytest.mark.parametrize("rounding", range(4))
@pytest.mark.parametrize("spread", [2, 60, 900, 2040])
def test_products_and_sums_of_any_size_are_rounded_once(rounding: int, spread: int) -> None:
    source = np.random.default_rng(spread)
    count = 300
    exponents = 1023 + source.integers(-spread // 2, spread // 2 + 1, (3, count))
    exponents[2] = np.where(source.random(count) < 0.5, exponents[0] + exponents[1] - 1023, exponents[2])
    fractions = source.integers(0, 1 << 52, (3, count))
    fractions = np.where(source.random((3, count)) < 0.5, fractions >> 26 << 26, fractions)
    bits = source.integers(0, 2, (3, count)) << 63 | np.clip(exponents, 0, 2046) << 52 | fractions
    a, b, c = bits.view(np.float64)
    with np.errstate(all="ignore"), values.modes(values.Modes(rounding)):
        for term in (c, -(a * b)):  # the second leaves what the product loses
            for ours, *given in zip(fused(a, b, term, rounding), a, b, term, strict=True):
                exact = values.fused(*(Value("f", int(each.view(np.uint64)), 64) for each in given))
                assert values.same(int(ours.view(np.uint64)), values.raw(exact), "f", 64), [
                    each.hex() for each in given
                ]

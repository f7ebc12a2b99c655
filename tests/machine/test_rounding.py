"""Doubles rounded to shorter formats, compared with exact fractions."""

import random

import numpy as np
import pytest

from gcn_lsp.machine.rounding import FORMATS, rounded_bits
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

"""Arithmetic over lanes compared with exact fractions, in every mode of rounding and denormals."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from gcn_lsp.machine.floats import Modes, arithmetic
from tests.isa.documentation import values
from tests.isa.documentation.values import Value

COUNT = 60
FIELDS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
EVERY_MODE = [Modes(rounding, *kept) for rounding in range(4) for kept in ((True, True), (False, False), (True, False))]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with np.errstate(all="ignore"):
        yield


def drawn(source: random.Random, name: str) -> list[int]:
    """Patterns of a format: any, near the ends of the range, and of ordinary size."""
    exponent, digits = FIELDS[name]
    size, bias = 1 + exponent + digits, (1 << exponent - 1) - 1
    found = []
    for _ in range(COUNT):
        sign, fraction = source.getrandbits(1) << size - 1, source.getrandbits(digits) * (source.random() < 0.8)
        field = source.choice(
            (
                source.getrandbits(exponent),
                source.randrange(3),
                (1 << exponent) - 1 - source.randrange(3),
                bias + source.randrange(-8, 9),
                bias + source.randrange(-8, 9),
            )
        )
        found.append(sign | field << digits | fraction)
    return found


def decoded(name: str, patterns: list[int]) -> Any:
    """The lanes of patterns."""
    return arithmetic(name, Modes()).decode(np.array(patterns, np.uint64 if name == "f64" else np.int64))


OPERATIONS: dict[str, Callable[[Value, Value, Value], Value]] = {
    "add": lambda a, b, c: values.calculated("+", a, b),
    "sub": lambda a, b, c: values.calculated("-", a, b),
    "mul": lambda a, b, c: values.calculated("*", a, b),
    "div": lambda a, b, c: values.calculated("/", a, b),
    "fma": values.fused,
}


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_results_are_exact_and_rounded_once(name: str, operation: str) -> None:
    size = sum(FIELDS[name]) + 1
    kind = name.rstrip("0123456789")
    source = random.Random(f"{name}{operation}")
    for modes in EVERY_MODE:
        form = arithmetic(name, modes)
        patterns = [drawn(source, name) for _ in range(3)]
        lanes = [decoded(name, each) for each in patterns][: 3 if operation == "fma" else 2]
        found = [int(each) & (1 << size) - 1 for each in form.encode(getattr(form, operation)(*lanes))]
        with values.modes(values.Modes(modes.rounding, modes.keeps_sources, modes.keeps_results)):
            for ours, *bits in zip(found, *patterns, strict=True):
                wanted = values.raw(OPERATIONS[operation](*(Value(kind, each, size) for each in bits)))
                assert values.same(ours, wanted, kind, size), (
                    modes,
                    [hex(each) for each in bits],
                    hex(ours),
                    hex(wanted),
                )


@pytest.mark.parametrize("modes", EVERY_MODE)
def test_roots_of_every_size_are_rounded_once(modes: Modes) -> None:
    patterns = [*drawn(random.Random("sqrt"), "f64"), 1, 0x7FFF, (1 << 52) - 1, 1 << 52, 0x7FE << 52]
    form = arithmetic("f64", modes)
    found = form.encode(form.sqrt(decoded("f64", patterns))).view(np.uint64)
    with values.modes(values.Modes(modes.rounding, modes.keeps_sources, modes.keeps_results)):
        for ours, bits in zip(found, patterns, strict=True):
            wanted = values.raw(values.square_root(Value("f", bits, 64)))
            assert values.same(int(ours), wanted, "f", 64), (modes, hex(bits), hex(ours), hex(wanted))


@pytest.mark.parametrize("rounding", range(4))
def test_infinity_times_a_power_of_two_is_infinite(rounding: int) -> None:
    form = arithmetic("f64", Modes(rounding))
    assert np.isposinf(form.ldexp(np.array([np.inf]), 31)).all()


@pytest.mark.parametrize("name", ["f16", "bf16", "bf8", "fp8", "fp6", "bf6", "fp4", "fp8fnuz", "bf8fnuz"])
def test_every_pattern_comes_back(name: str) -> None:
    form = arithmetic(name, Modes())
    patterns = np.arange(1 << form.format.size)
    lanes = form.decode(patterns)
    numbers = lanes == lanes
    assert (form.encode(lanes)[numbers] == patterns[numbers]).all()


def test_formats_without_negative_zero() -> None:
    form = arithmetic("fp8fnuz", Modes())
    assert form.encode(np.array([-0.0, 0.0, np.nan, 1.0])).tolist() == [0, 0, 0x80, 0x40]


def test_the_smaller_zero_is_negative() -> None:
    form = arithmetic("f32", Modes())
    zeros = np.array([0.0, -0.0], np.float32)
    assert np.signbit(form.min(zeros, zeros[::-1])).all()
    assert not np.signbit(form.max(zeros, zeros[::-1])).any()


@pytest.mark.parametrize(("name", "size"), [("f16", 16), ("f32", 32)])
def test_a_function_outside_its_domain_gives_a_negative_nan(name: str, size: int) -> None:
    """The examples of V_SQRT_F32, V_LOG_F32, V_SIN_F32 and V_COS_F16 in RDNA 3.5's manual; a NaN keeps its sign."""
    form = arithmetic(name, Modes())
    infinity, nan = {16: (0xFC00, 0x7E00), 32: (0xFF80_0000, 0x7FC0_0000)}[size]
    given = decoded(name, [infinity, nan])
    negative = nan | 1 << size - 1
    for found in (form.sqrt(given), form.function("log2", given), form.function("cos", given)):
        assert form.encode(found).tolist() == [negative, nan]


def test_random_rounding_is_up_as_often_as_the_rest_is_large() -> None:
    form = arithmetic("fp8", Modes())
    numbers = np.arange(0, 1 << 32, 1 << 22, dtype=np.int64)
    found = form.random(np.full(len(numbers), 1.0 + 1 / 32), numbers)
    assert set(found.tolist()) == {1.0, 1.125}
    assert np.mean(found == 1.125) == 0.25

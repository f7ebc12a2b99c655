"""Constants in decimal, hexadecimal and as floats, and whether they are inline."""

import pytest

from gcn_lsp.ide.describe import numbers


@pytest.mark.parametrize(
    ("value", "width", "inline"),
    [
        (64, 32, True),
        (65, 32, False),
        (-16, 32, True),
        (-17, 32, False),
        (0xFFFFFFFF, 32, True),
        (1.0, 32, True),
        (-4.0, 64, True),
        (3.0, 32, False),
        (0x3F800000, 32, True),
        (0x3C00, 16, True),
        (0x3E22F983, 32, True),
        (0.0, 32, True),
        (1e-45, 32, False),
    ],
)
def test_is_inline(value: int | float, width: int, inline: bool) -> None:
    assert numbers.is_inline(value, width) is inline


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [
        (64, 32, "64 (0x40), inline constant"),
        (-1, 32, "-1 (0xffffffff), inline constant"),
        (0x4F800000, 32, "1333788672 (0x4f800000, 4294967296.0 as f32), literal"),
        (0x80000000, 32, "2147483648 (0x80000000, signed -2147483648), literal"),
        (0.1, 32, "0.1 (0x3dcccccd), literal"),
        (1.0, 64, "1.0 (0x3ff0000000000000), inline constant"),
        (1e300, 32, "1e+300 (0x7f800000), literal"),
    ],
)
def test_describe(value: int | float, width: int, text: str) -> None:
    assert numbers.describe(value, width) == text

"""Inline constants and literals: the values encoded by a source operand's number, and the numbers for literals."""

import struct
from collections.abc import Mapping

LITERAL = 255
"""The source code for a value that follows the instruction as a 32-bit literal."""
LITERAL64 = 254
"""The same for a literal of 64 bits."""

LOWEST_INTEGER, HIGHEST_INTEGER = -16, 64
_FIRST_POSITIVE = 128
_LAST_POSITIVE = _FIRST_POSITIVE + HIGHEST_INTEGER  # -1, -2, ... follow it

FLOATS: Mapping[float, int] = {
    value: 240 + index for index, value in enumerate((0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0))
}
"""Value to source code."""
INV_2PI_CODE = 248
"""The code of 1/(2*pi), which needs `INV_2PI_FEATURE` (gfx8 and later)."""
INV_2PI_FEATURE = "FeatureInv2PiInlineImm"
INV_2PI_BITS: Mapping[str, int] = {
    "fp16": 0x3118,
    "bf16": 0x3E22,  # cut, not rounded
    "fp32": 0x3E22F983,
    "fp64": 0x3FC45F306DC9C882,
}


def _patterns(layout: str, shift: int, kind: str) -> Mapping[int, int]:
    bits = {int.from_bytes(struct.pack(layout, value), "little") >> shift: code for value, code in FLOATS.items()}
    return bits | {INV_2PI_BITS[kind]: INV_2PI_CODE}


FLOAT_BITS: Mapping[str, Mapping[int, int]] = {
    "fp16": _patterns("<e", 0, "fp16"),
    "bf16": _patterns("<f", 16, "bf16"),
    "fp32": _patterns("<f", 0, "fp32"),
    "fp64": _patterns("<d", 0, "fp64"),
}
"""The same values as bits, by the operand's type."""

VALUES: Mapping[int, int | float] = {
    **{code: value for value, code in FLOATS.items()},
    INV_2PI_CODE: 0.15915494,  # as LLVM prints it
    **{_FIRST_POSITIVE + value: value for value in range(HIGHEST_INTEGER + 1)},
    **{_LAST_POSITIVE - value: value for value in range(LOWEST_INTEGER, 0)},
}
"""The value of each inline constant by its source code."""


def integer_code(value: int) -> int | None:
    """The source code of an integer; None when it is not an inline constant."""
    if 0 <= value <= HIGHEST_INTEGER:
        return _FIRST_POSITIVE + value
    if LOWEST_INTEGER <= value < 0:
        return _LAST_POSITIVE - value
    return None

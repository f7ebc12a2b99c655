"""Inline constants: which values an operand field encodes by itself, and with which number."""

from collections.abc import Mapping

LOWEST_INTEGER, HIGHEST_INTEGER = -16, 64
LITERAL, LITERAL64 = 255, 254

# Value to source operand number. 1/(2*pi) needs FeatureInv2PiInlineImm (gfx8 and later).
FLOATS: Mapping[float, int] = {
    0.5: 240,
    -0.5: 241,
    1.0: 242,
    -1.0: 243,
    2.0: 244,
    -2.0: 245,
    4.0: 246,
    -4.0: 247,
}
INV_2PI = 0.15915494309189532
INV_2PI_CODE = 248
INV_2PI_FEATURE = "FeatureInv2PiInlineImm"

# The same values as bits, by the operand's type.
_CODES = (240, 241, 242, 243, 244, 245, 246, 247, 248)
FLOAT_BITS: Mapping[str, Mapping[int, int]] = {
    "fp16": dict(zip((0x3800, 0xB800, 0x3C00, 0xBC00, 0x4000, 0xC000, 0x4400, 0xC400, 0x3118), _CODES, strict=True)),
    "bf16": dict(zip((0x3F00, 0xBF00, 0x3F80, 0xBF80, 0x4000, 0xC000, 0x4080, 0xC080, 0x3E22), _CODES, strict=True)),
    "fp32": dict(
        zip(
            (
                0x3F000000,
                0xBF000000,
                0x3F800000,
                0xBF800000,
                0x40000000,
                0xC0000000,
                0x40800000,
                0xC0800000,
                0x3E22F983,
            ),
            _CODES,
            strict=True,
        )
    ),
    "fp64": dict(
        zip(
            (
                0x3FE0000000000000,
                0xBFE0000000000000,
                0x3FF0000000000000,
                0xBFF0000000000000,
                0x4000000000000000,
                0xC000000000000000,
                0x4010000000000000,
                0xC010000000000000,
                0x3FC45F306DC9C882,
            ),
            _CODES,
            strict=True,
        )
    ),
}


def integer_code(value: int) -> int | None:
    """The operand number of an integer, None when it is no inline constant."""
    if 0 <= value <= HIGHEST_INTEGER:
        return 128 + value
    if LOWEST_INTEGER <= value < 0:
        return 192 - value
    return None

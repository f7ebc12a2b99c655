"""Formats constants in the notations of kernel authors: decimal, hexadecimal, float, inline or literal.

The integers -16 to 64 and a few floats are inline constants, which need no extra bytes; any other value is a literal,
four bytes after the instruction (eight for a 64-bit literal).
"""

import struct
from math import isfinite

from gcn_lsp.ide.describe import markdown
from gcn_lsp.isa.operands import immediates as inline

_WIDTHS = (16, 32, 64)
_FLOAT_FORMATS = {16: "<e", 32: "<f", 64: "<d"}
_INTEGER_FORMATS = {16: "<H", 32: "<I", 64: "<Q"}


def as_bits(value: int | float, width: int = 32) -> int:
    """The bit pattern of `value` in `width` bits (16, 32 or 64); an integer is wrapped, a float rounded."""
    if isinstance(value, float):
        try:
            packed = struct.pack(_FLOAT_FORMATS[width], value)
        except OverflowError:
            packed = struct.pack(_FLOAT_FORMATS[width], float("inf") if value > 0 else float("-inf"))
        return int(struct.unpack(_INTEGER_FORMATS[width], packed)[0])
    return value & ((1 << width) - 1)


def as_float(bits: int, width: int = 32) -> float:
    """The float with a bit pattern of `width` bits."""
    return float(struct.unpack(_FLOAT_FORMATS[width], struct.pack(_INTEGER_FORMATS[width], bits))[0])


def is_denormal(bits: int, width: int = 32) -> bool:
    """Whether a bit pattern is a denormal float of `width` bits."""
    fraction = {16: 10, 32: 23, 64: 52}[width]
    magnitude = bits & (1 << width - 1) - 1
    return 0 < magnitude < 1 << fraction


def is_inline(value: int | float, width: int = 32) -> bool:
    """Whether an operand of `width` bits takes `value` as an inline constant."""
    bits = as_bits(value, width)
    signed = bits - (1 << width) if bits >> (width - 1) else bits
    if inline.integer_code(signed) is not None:
        return not isinstance(value, float) or value == 0.0
    return bits in inline.FLOAT_BITS[f"fp{width}"]


def hexadecimal(value: int, width: int = 32) -> str:
    """`0x2a`; a negative value as its two's complement in `width` bits, or more if necessary."""
    if value < -(1 << (width - 1)):
        width = 64
    return f"{value & ((1 << max(width, value.bit_length())) - 1):#x}"


def float_text(value: float, width: int = 32) -> str:
    """The shortest text that reads back as `value` in `width` bits: `0.1`, not `0.10000000149011612`."""
    if not isfinite(value) or width == 64 or (value.is_integer() and abs(value) < 1e16):
        return repr(value)
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if as_bits(float(text), width) == as_bits(value, width):
            return text if any(mark in text for mark in ".en") else text + ".0"
    return repr(value)


def plain_float(bits: int, width: int = 32) -> str | None:
    """The float with a bit pattern if it is plausible, else None.

    Small integers would be denormals and most addresses meaningless: only floats with a modest exponent are shown.
    """
    value = as_float(bits, width)
    if not isfinite(value) or bits == 0:
        return None
    low, high = {16: (1e-4, 7e4), 32: (1e-10, 1e15), 64: (1e-30, 1e30)}[width]
    return float_text(value, width) if low <= abs(value) <= high else None


def describe(value: int | float, width: int = 32) -> str:
    """One line: `64 (0x40), inline constant`, `0x4f800000 = 1333788672 = 4294967296.0 as f32, literal`."""
    constant = "inline constant" if is_inline(value, width) else "literal"
    text = float_readings(value, width) if isinstance(value, float) else readings(value, width)
    return f"{text}, {constant}"


def float_readings(value: float, width: int = 32) -> str:
    """The float and its bits: `1.0 (0x3f800000)`; width 0 is for formats whose bits are not shown."""
    if not width:
        return float_text(value)
    return f"{float_text(value, width)} ({as_bits(value, width):#x})"


def readings(value: int, width: int = 32) -> str:
    """Decimal, hexadecimal, and the float if it is plausible: `64 (0x40)`."""
    if value.bit_length() > width:
        width = 64
    text = f"{value} ({hexadecimal(value, width)}"
    bits = as_bits(value, width)
    if value > 0 and value >= 1 << (width - 1):
        text += f", signed {value - (1 << width)}"
    reading = plain_float(bits, width) if not -4096 <= value <= 4096 else None
    if reading is not None:
        text += f", {reading} as f{width}"
    return text + ")"


def table(value: int | float, width: int = 32, *, is_operand: bool = True, floats: int = 0) -> str:
    """The table of a number in an operand of `width` bits; a float is shown with its bits in that width.

    is_operand: whether to say how an instruction encodes it. floats: the bits of the operand's floats, 0 if it is
    not a float: then every width is shown whose float is not denormal, as those of small integers are.
    """
    bits = as_bits(value, width) if isinstance(value, float) or _fits(value, width) else value
    rows = [("hexadecimal", _grouped(f"{bits:x}", 4, "0x")) if bits >= 0 else ("hexadecimal", f"{bits:#x}")]
    if isinstance(value, int):
        rows.insert(0, ("decimal", _decimal(value, width)))
    if bits >= 0:
        rows += [("binary", _grouped(f"{bits:b}", 4, "0b")), ("octal", f"0{bits:o}" if bits else "0")]
        if isinstance(value, int):
            rows += [
                (f"as f{each}", float_text(as_float(bits, each), each))
                for each in _WIDTHS
                if bits < 1 << each
                and each <= max(width, 32)
                and (each == floats if floats else not is_denormal(bits, each))
            ]
    said = "inline constant" if is_inline(value, width) else "literal"
    return markdown.join(
        markdown.table(("", ""), [(name, markdown.code(text)) for name, text in rows]),
        f"In an operand of {width} bits: {said}." if is_operand else "",
    )


def _fits(value: int, width: int) -> bool:
    """Whether an integer is a pattern of so many bits, signed or not."""
    return -(1 << (width - 1)) <= value < 1 << width


def _decimal(value: int, width: int) -> str:
    if value >= 1 << (width - 1) and value < 1 << width:
        return f"{value}, signed {value - (1 << width)}"
    return str(value)


def _grouped(digits: str, size: int, prefix: str) -> str:
    """Digits in groups, counted from the last: `0b1_0000`."""
    first = len(digits) % size or size
    groups = [digits[:first], *(digits[start : start + size] for start in range(first, len(digits), size))]
    return prefix + "_".join(groups)


def bit_range(high: int, low: int) -> str:
    """Bits `high` to `low` of a field, as the documents write them: `7:4`, or `3` for one bit."""
    return str(low) if low == high else f"{high}:{low}"

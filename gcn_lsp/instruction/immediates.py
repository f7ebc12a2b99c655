"""Numbers as source operands: which are inline constants, which fit as literals, and how both are encoded.

A number is `value` (a signed 64-bit integer) with `is_float` false, or the 64 bits of a double with `is_float` true.
The `kind` of a slot says how its hardware type reads the number: `i16 i32 i64 f16 bf16 f32 f64`, the packed
`v2i16 v2f16 v2bf16 v2i32 v2f32`, and `k16 k32 k64` for a literal that the encoding always carries.
"""

import struct
from collections.abc import Mapping

from gcn_lsp.isa.operands.immediates import FLOAT_BITS, INV_2PI_BITS, INV_2PI_CODE, LITERAL, integer_code

LOW_HALF = "low half"
"""A kind for `is_inline`: only the low 32 bits of the number count."""

_MASK64 = (1 << 64) - 1
_INV_2PI_AS_SINGLE = 0x3FC45F306725FEED  # 0.15915494: truncated to a bfloat, not rounded
_F16_CODES, _BF16_CODES, _F32_CODES, _F64_CODES = (FLOAT_BITS[kind] for kind in ("fp16", "bf16", "fp32", "fp64"))


def _code(value: int, bits: int, floats: Mapping[int, int], inv_2pi: bool) -> int | None:
    """The inline code of the pattern `value` of `bits` bits."""
    value &= (1 << bits) - 1
    code = integer_code(value - (1 << bits) if value >> (bits - 1) else value)
    if code is None:
        code = floats.get(value)
        if code == INV_2PI_CODE and not inv_2pi:
            return None
    return code


def _fits(value: int, bits: int) -> bool:
    """Whether `value` is representable in `bits` bits, signed or not."""
    return -(1 << (bits - 1)) <= value < (1 << bits)


def _bits(value: float, form: str) -> int:
    return int.from_bytes(struct.pack(form, value), "little")


def to_half(bits64: int) -> int:
    """The double's bits rounded to an IEEE half; infinity when too large."""
    value = struct.unpack("<d", struct.pack("<Q", bits64))[0]
    try:
        return _bits(value, "<e")
    except OverflowError:
        return 0x7C00 if value > 0 else 0xFC00


def half_of_single(bits32: int) -> int:
    """A single's bits rounded to an IEEE half."""
    value = struct.unpack("<f", struct.pack("<I", bits32))[0]
    return to_half(_bits(value, "<d"))


def to_single(bits64: int) -> int:
    """The double's bits rounded to an IEEE single; infinity when too large."""
    value = struct.unpack("<d", struct.pack("<Q", bits64))[0]
    try:
        return _bits(value, "<f")
    except OverflowError:
        return 0x7F800000 if value > 0 else 0xFF800000


def to_bfloat(bits64: int) -> int:
    """The double's bits rounded directly to a bfloat16, not first to a single."""
    sign = bits64 >> 63
    exponent = (bits64 >> 52 & 0x7FF) - 1023 + 127
    fraction = bits64 & ((1 << 52) - 1)
    if exponent >= 255:
        return sign << 15 | 0x7F80
    if exponent <= 0:  # denormal: shift the implicit one in
        significand, drop = (fraction | 1 << 52) if bits64 << 1 & _MASK64 else 0, 45 + 1 - exponent
        exponent = 0
    else:
        significand, drop = fraction, 45
    half = 1 << (drop - 1)
    kept, rest = significand >> drop, significand & ((1 << drop) - 1)
    kept += rest > half or (rest == half and kept & 1)
    return sign << 15 | ((exponent << 7) + kept)


def _converts(bits64: int, kind: str) -> bool:
    """Whether rounding to the kind's format neither overflows nor loses a denormal; other losses are allowed."""
    value = struct.unpack("<d", struct.pack("<Q", bits64))[0]
    if kind in ("f16", "i16", "bf16"):  # the assembler checks all operands of 16 bits as a half
        form, smallest = "<e", 2.0**-14
    else:
        form, smallest = "<f", 2.0**-126
    try:
        rounded = struct.unpack(form, struct.pack(form, value))[0]
    except OverflowError:
        return False
    return bool(abs(rounded) >= smallest or rounded == value or value != value)


def is_inline(value: int, is_float: bool, kind: str, inv_2pi: bool) -> bool:
    """Whether a slot of `kind` takes the number as an inline constant."""
    if kind in ("i64", "f64") or (kind == LOW_HALF and is_float):
        return _code(value, 64, _F64_CODES, inv_2pi) is not None
    if kind == LOW_HALF:
        return _code(value, 32, _F32_CODES, inv_2pi) is not None
    if is_float:
        if not _converts(value, kind):
            return False
        if kind in ("f16", "v2f16"):  # a pair is checked as a single, but encoded as a half
            return _code(to_half(value), 16, _F16_CODES, inv_2pi) is not None
        if kind == "bf16":
            return _code(to_bfloat(value), 16, _BF16_CODES, inv_2pi) is not None
        if kind == "i16":  # LLVM rounds to a half before it looks for the single's pattern
            half = struct.unpack("<e", struct.pack("<H", to_half(value)))[0]
            return _code(_bits(half, "<f"), 32, _F32_CODES, inv_2pi) is not None
        return _code(to_single(value), 32, _F32_CODES, inv_2pi) is not None
    if kind in ("i16", "f16", "bf16", "v2f16"):
        if not _fits(value, 16):
            return False
        if kind == "i16":
            return integer_code(signed(value, 16)) is not None
        return _code(value, 16, _BF16_CODES if kind == "bf16" else _F16_CODES, inv_2pi) is not None
    return _fits(value, 32) and _code(value, 32, _F32_CODES, inv_2pi) is not None


_LITERAL_FORMATS = {"v2f16": "f16", "v2bf16": "f32", "v2i16": "f32", "v2f32": "f32"}


def fits_literal(value: int, is_float: bool, kind: str, has_sign_modifiers: bool, long_literals: bool) -> bool:
    """Whether a slot of `kind` can take the number from a literal; `long_literals`: the target has 64-bit ones."""
    if not is_float:
        if kind == "f64" and has_sign_modifiers:
            return False  # which bits the sign modifier would touch is ambiguous
        if kind in ("i64", "f64"):
            return long_literals or _fits(value, 32)
        return _fits(value, 16 if kind in ("i16", "f16", "bf16") else 32)
    if kind == "f64":
        return True
    if kind == "i64":
        return False
    return kind == "v2i32" or _converts(value, _LITERAL_FORMATS.get(kind, kind))


_SIGN_BIT = {"f64": 63, "i64": 63, "k64": 63} | dict.fromkeys(("f16", "i16", "bf16", "v2f16", "v2i16", "v2bf16"), 15)


def apply_sign(value: int, is_float: bool, kind: str, absolute: bool, negate: bool) -> int:
    """The number with `abs` and `neg` applied to its pattern, for encodings without modifier bits."""
    sign = 1 << (63 if is_float else _SIGN_BIT.get(kind, 31))
    value &= _MASK64
    if absolute:
        value &= ~sign
    if negate:
        value ^= sign
    return value if is_float else signed(value, 64)


def pattern(value: int, is_float: bool, kind: str, inv_2pi: bool, inline: bool = True) -> int:
    """The bit pattern of the operand. inline: an inline constant is used if there is one."""
    if is_float:
        return _float_pattern(value, kind)
    if kind in ("i64", "f64"):
        if inline and _code(value, 64, _F64_CODES, inv_2pi) is not None:
            return value & _MASK64
        if _fits(value, 32):
            # A 64-bit float takes the literal as its high half, an integer as its low half.
            return (value & 0xFFFFFFFF) << 32 if kind == "f64" else value & 0xFFFFFFFF
        return value & _MASK64
    if kind == "k64":
        return (value & 0xFFFFFFFF) << 32 if _fits(value, 32) else value & _MASK64
    if kind in ("f16", "bf16"):
        return value & 0xFFFF
    return value & 0xFFFFFFFF


def _float_pattern(value: int, kind: str) -> int:
    if kind in ("i64", "f64", "k64"):
        return value & _MASK64
    if kind in ("f16", "v2f16", "k16"):
        return to_half(value)
    if kind in ("bf16", "v2bf16"):
        return INV_2PI_BITS["bf16"] if value == _INV_2PI_AS_SINGLE else to_bfloat(value)
    return to_single(value)


def source_code(bits: int, kind: str, inv_2pi: bool) -> int:
    """The source code of a pattern: an inline constant's, or `LITERAL`."""
    if kind in ("i64", "f64"):
        code = _code(bits, 64, _F64_CODES, inv_2pi)
    elif kind == "f16":
        code = _code(bits, 16, _F16_CODES, inv_2pi)
    elif kind == "bf16":
        code = _code(bits, 16, _BF16_CODES, inv_2pi)
    elif kind == "v2f16":
        code = _packed_code(bits, _F16_CODES, inv_2pi)
    elif kind == "v2bf16":
        code = _packed_code(bits, _BF16_CODES, inv_2pi)
    else:
        code = _code(bits, 32, _F32_CODES, inv_2pi)
    return LITERAL if code is None else code


def _packed_code(bits: int, floats: Mapping[int, int], inv_2pi: bool) -> int | None:
    """A float constant fills the low half only; an integer one is sign-extended over both."""
    code = integer_code(signed(bits, 32))
    if code is None:
        code = floats.get(bits & 0xFFFFFFFF)
        if code == INV_2PI_CODE and not inv_2pi:
            return None
    return code


def splat_code(bits: int) -> int | None:
    """The code of the inline constant that is `bits` in both halves, or as a sign-extended integer."""
    code = integer_code(signed(bits, 32))
    low = bits & 0xFFFF
    if code is None and bits >> 16 & 0xFFFF == low:
        code = integer_code(low) if low < 1 << 15 else None
        code = _F16_CODES.get(low) if code is None else code
    return code


def literal_word(bits: int, kind: str) -> int:
    """The 32 bits that follow the instruction for a pattern that is not an inline constant."""
    if kind in ("f64", "k64"):
        return bits >> 32 & 0xFFFFFFFF
    return bits & 0xFFFFFFFF


def signed(value: int, bits: int) -> int:
    """The number that a field of some bits stands for, the highest of them being the sign."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value

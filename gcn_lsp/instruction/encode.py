"""Fills the bits of a form with the values of its operands.

LLVM's parser converts operands by position; here every value goes to the operand of its slot's name, and what a
conversion adds (defaults, source modifiers gathered from `op_sel` and `neg_lo`, enabled exports) is done by name.
"""

from gcn_lsp import isa
from gcn_lsp.instruction import immediates, operands
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.registers import RegisterRef
from gcn_lsp.isa import versions
from gcn_lsp.isa.modifiers import sdwa
from gcn_lsp.isa.operands.immediates import INV_2PI_FEATURE, LITERAL, LITERAL64

DPP8_FETCH_INACTIVE = (0xE9, 0xEA)
"""With dpp8, `fi` selects one of these source codes for DPP."""

_ALL_SOURCES = 0b111
_NEG, _ABS_OR_NEG_HI, _OP_SEL_LOW, _OP_SEL_HIGH, _DST_OP_SEL = 1, 2, 4, 8, 8
_SEXT = 16
_SOURCES = ("src0", "src1", "src2")
_GATHERED = (("op_sel", _OP_SEL_LOW), ("op_sel_hi", _OP_SEL_HIGH), ("neg_lo", _NEG), ("neg_hi", _ABS_OR_NEG_HI))
# Bits of op_sel_hi for sources that a packed encoding does not have: they are one.
_OP_SEL_HIGH_BITS = (1 << 59, 1 << 60, 1 << 14)
_GATHERING = frozenset(
    ("cvtVOP3P", "cvtVOP3OpSel", "cvtVOP3Interp", "cvtVOP3DPP", "cvtVOP3DPP8", "cvtVINTERP", "cvtSWMMAC")
)
_INTERPOLATION_DST_BIT = 3

_REGISTER_MASK = 0xFF

_SDWA_SCALAR, _SDWA_VECTOR_MASK = 0x100, 0xFF
_VOPC_DST_SCALAR, _VOPC_DST_MASK = 0x80, 0x7F

# LLVM's encoders of operands of 16 bits. The short encodings have one bit for the half and seven for the number.
_NUMBERED_HALF, _SELECTED_HALF = "getMachineOpValueT16Lo128", "getMachineOpValueT16"
_NUMBERED_UPPER = 0x80
_UPPER_HALF = 1 << 16  # above the number, where no field takes it

TYPES = {
    "INT16": "i16", "INT32": "i32", "INT64": "i64", "FP16": "f16", "BF16": "bf16", "FP32": "f32", "FP64": "f64",
    "V2INT16": "v2i16", "V2FP16": "v2f16", "V2BF16": "v2bf16", "V2INT32": "v2i32", "V2FP32": "v2f32",
    "V2INT64": "i64", "V2FP64": "f64", "V2FP16_SPLAT": "splat v2f16", "NOINLINE_V2FP16": "literal v2f16",
}  # fmt: skip
_ALWAYS_LITERAL = "literal v2f16"  # read from a literal even where it is an inline constant elsewhere
_SPLAT = "splat v2f16"  # from gfx11 an inline constant fills both halves
_SOURCE_TYPES = ("OPERAND_REG_IMM_", "OPERAND_REG_INLINE_C_", "OPERAND_REG_INLINE_AC_")


def number_type(kind: isa.OperandKind | None) -> str:
    """How the hardware reads a number in a slot (`f32`, `v2i16`, `k32`); '' if it is not a source operand."""
    if kind is None:
        return ""
    for prefix in _SOURCE_TYPES:
        if kind.type.startswith(prefix):
            return TYPES.get(kind.type.removeprefix(prefix), "i32")
    if kind.type.startswith("OPERAND_KIMM"):
        return "k" + kind.type.removeprefix("OPERAND_KIMM")
    if kind.type == "OPERAND_INLINE_SPLIT_BARRIER_INT32":
        return "i32"
    return ""


class Encoder:
    """The encoding of one form."""

    __slots__ = (
        "size",
        "fixed",
        "fields",
        "defaults",
        "ties",
        "gathers",
        "gathered",
        "dst_op_sel",
        "addresses",
        "is_export",
        "is_dpp8",
        "is_scaled",
        "inv_2pi",
        "long_literals",
        "strict",
        "short_only",
        "splats",
        "halves",
    )

    def __init__(self, form: isa.Form, target: isa.Target) -> None:
        self.size = form.size
        self.fixed = form.fixed | form.filler | _implied_bits(form)
        self.fields = tuple(
            (field.name, tuple((piece.source, (1 << piece.width) - 1, piece.bit) for piece in field.pieces))
            for field in form.fields
        )
        self.defaults = _defaults(form)
        encoded = {field.name for field in form.fields}
        self.ties = tuple((name, other) for name, other in form.ties if name in encoded)
        names = {operand.name for operand in form.operands}
        sources = tuple((i, f"{name}_modifiers") for i, name in enumerate(_SOURCES) if name in names)
        self.gathers = tuple((i, name) for i, name in sources if name in names)
        self.gathered = (
            tuple((name, bit) for name, bit in _GATHERED if name in names) if form.converter in _GATHERING else ()
        )
        self.dst_op_sel = _destination_bit(form, names, len(sources))
        self.halves = _selected_halves(form, self.dst_op_sel)
        addresses = [operand.name for operand in form.operands if operand.name.startswith("vaddr")]
        # Before gfx12 the addresses after the first are in additional bytes.
        self.addresses = tuple(addresses[1:]) if "MIMG" in form.flags else ()
        self.is_export = form.converter == "cvtExp"
        self.is_dpp8 = {"dpp8", "fi"} <= names
        self.is_scaled = form.converter == "cvtScaledMFMA"
        self.inv_2pi = target.has(INV_2PI_FEATURE)
        self.long_literals = target.has_64_bit_literals
        self.strict = target.has(versions.STRICT_LITERALS)
        self.splats = target.repeats_literals_in_halves
        self.short_only = bool(form.flags & {"VOP3", "VOP3P"})  # a longer literal follows only where `lit` forces it

    def number(self, argument: Argument, type_: str, encoder: str, has_modifier_bits: bool) -> "NumberValue":
        """How the number is encoded in a source operand that is read as `type_`."""
        if self.long_literals and type_ in ("i64", "f64"):
            return _long_number(argument, type_, has_modifier_bits, self.short_only, self.strict)
        if type_ == _ALWAYS_LITERAL:
            number = number_value(argument, "v2f16", encoder, has_modifier_bits, self.inv_2pi)
            word = immediates.literal_word(number.pattern, "v2f16")
            return NumberValue(LITERAL, word, number.pattern, False, word)
        if type_ == _SPLAT:
            return self._splat(number_value(argument, "v2f16", encoder, has_modifier_bits, self.inv_2pi), argument)
        return number_value(argument, type_, encoder, has_modifier_bits, self.inv_2pi, self.strict)

    def _splat(self, number: "NumberValue", argument: Argument) -> "NumberValue":
        if not self.splats or argument.modifiers & (operands.LIT | operands.LIT64):
            return number
        code = immediates.splat_code(number.pattern)
        if code is not None:
            return NumberValue(code, None, number.pattern)
        word = immediates.literal_word(number.pattern, "v2f16")
        return NumberValue(LITERAL, word, number.pattern, False, word)

    def bits(self, values: dict[str, int]) -> int:
        """The encoding without a literal; `values` are those that were written."""
        for name, other in self.ties:
            if other in values:
                values.setdefault(name, values[other])
        if self.is_export and "compr" in values:
            values[_COMPRESSION_WRITTEN] = 1
        for name, value in self.defaults:
            if name not in values:
                values[name] = value
        if self.gathered:
            if self.halves:
                self._select_halves(values)
            self._gather(values)
        if self.is_export:
            _enable_exports(values)
        elif self.is_dpp8:
            values["fi"] = DPP8_FETCH_INACTIVE[1 if values["fi"] & 0xFFFFFFFF else 0]
        elif self.is_scaled:
            _scale_selects(values)
        code = self.fixed
        for name, pieces in self.fields:
            value = values.get(name, 0)
            if value:
                for source, mask, bit in pieces:
                    code |= (value >> source & mask) << bit
        return code

    def tail(self, values: dict[str, int]) -> bytes:
        """The `addresses` that follow the encoding, padded to dwords."""
        found = bytes(values[name] & _REGISTER_MASK for name in self.addresses)
        return found + bytes(-len(found) % 4)

    def _select_halves(self, values: dict[str, int]) -> None:
        """Sets the bits of op_sel that select halves of registers in the long encodings."""
        for name, bit in self.halves:
            if values.get(name, 0) & _UPPER_HALF:
                values["op_sel"] |= bit

    def _gather(self, values: dict[str, int]) -> None:
        """Distributes op_sel and similar modifiers over the modifier bits of each source."""
        for name, bit in self.gathered:
            value = values[name]
            if value:
                for index, modifiers in self.gathers:
                    if value >> index & 1:
                        values[modifiers] = values.get(modifiers, 0) | bit
        if self.dst_op_sel >= 0 and values["op_sel"] >> self.dst_op_sel & 1:
            values["src0_modifiers"] = values.get("src0_modifiers", 0) | _DST_OP_SEL


def _implied_bits(form: isa.Form) -> int:
    """The op_sel_hi bits of sources that a packed form does not have."""
    names = {operand.name for operand in form.operands}
    if "VOP3P" not in form.flags and not form.name.startswith(("V_ACCVGPR_READ_B32", "V_ACCVGPR_WRITE_B32")):
        return 0
    if names & {"matrix_b_fmt", "matrix_b_scale", "matrix_b_reuse"}:
        return 0
    first = 0
    if "op_sel_hi" in names:
        first = sum(name in names for name in _SOURCES)
    return sum(_OP_SEL_HIGH_BITS[first:])


def _defaults(form: isa.Form) -> tuple[tuple[str, int], ...]:
    values: dict[str, int] = dict(form.presets)
    is_sdwa = form.variant in ("SDWA", "SDWA9")
    for slot in form.slots:
        if slot.kind is not None and not slot.required:
            value = slot.kind.default
            if is_sdwa:
                value = sdwa.DEFAULTS.get(slot.name, value)
            if slot.name == "op_sel_hi" and "IsPacked" in form.flags:
                value = _ALL_SOURCES
            values[slot.name] = value
    for operand in form.operands:
        if operand.name == "op_sel_hi" and operand.name not in values:
            values[operand.name] = _ALL_SOURCES if "IsPacked" in form.flags else 0
        elif operand.name in ("op_sel", "neg_lo", "neg_hi"):
            values.setdefault(operand.name, 0)
    return tuple(values.items())


def _scale_selects(values: dict[str, int]) -> None:
    """Distributes op_sel and op_sel_hi, which these forms store as modifiers, over the two scales."""
    low, high = values["src0_modifiers"], values["src1_modifiers"]
    for index, name in enumerate(("src0_modifiers", "src1_modifiers")):
        values[name] = (low >> index & 1) * _OP_SEL_LOW | (high >> index & 1) * _OP_SEL_HIGH


_COMPRESSION_WRITTEN = "compr written"  # LLVM looks only for the word, so `nocompr` counts too
_COMPRESSED_LANES, _LANES = 0x3, 0x1


def _enable_exports(values: dict[str, int]) -> None:
    """Set `en` from the sources that are not `off`; compressed data moves to the first two."""
    names = ["src0", "src1", "src2", "src3"]
    compressed = _COMPRESSION_WRITTEN in values
    written: list[int | None] = [values.get(name) for name in names]
    if compressed:
        written = [written[0], written[2], None, None]
    enabled = 0
    for index, value in enumerate(written):
        if value is not None:
            enabled |= _COMPRESSED_LANES << 2 * index if compressed else _LANES << index
        values[names[index]] = value or 0
    values["en"] = enabled


def register_value(register: RegisterRef, encoder: str) -> int:
    """The value of a register in its field."""
    code = register.code
    if encoder == _NUMBERED_HALF:
        return code | _NUMBERED_UPPER if register.half == "hi" else code
    if encoder == _SELECTED_HALF:
        return code | _UPPER_HALF if register.half == "hi" else code
    if encoder == "getSDWASrcEncoding":
        return code & _SDWA_VECTOR_MASK if register.file == "v" else code | _SDWA_SCALAR
    if encoder == "getSDWAVopcDstEncoding":
        return 0 if register.text in ("vcc", "vcc_lo") else code & _VOPC_DST_MASK | _VOPC_DST_SCALAR
    return code


def _destination_bit(form: isa.Form, names: set[str], sources: int) -> int:
    """The bit of op_sel for the destination; -1 if it has none."""
    converter = form.converter
    by_sources = converter == "cvtVOP3OpSel" or (converter.startswith("cvtVOP3DPP") and "VOP3P" not in form.flags)
    if by_sources and {"vdst", "op_sel"} <= names:
        return sources
    return _INTERPOLATION_DST_BIT if converter in ("cvtVOP3Interp", "cvtVINTERP") and "op_sel" in names else -1


def _selected_halves(form: isa.Form, destination: int) -> tuple[tuple[str, int], ...]:
    """The operands whose half a bit of op_sel selects, with that bit."""
    bits = {name: 1 << index for index, name in enumerate(_SOURCES)} | {"vdst": 1 << max(destination, 0)}
    return tuple(
        (operand.name, bits[operand.name])
        for operand in form.operands
        if operand.kind.encoder == _SELECTED_HALF and operand.name in bits
    )


class NumberValue:
    """A number in a source operand: its code, and the literal's bits if there is one.

    is_long: the literal has 64 bits. counted: the literal if it counts as one; LLVM does not count an inline constant
    that `lit` makes a literal.
    """

    __slots__ = ("code", "literal", "pattern", "is_long", "counted")

    def __init__(
        self, code: int, literal: int | None, pattern: int, is_long: bool = False, counted: int | None = None
    ) -> None:
        self.code = code
        self.literal = literal
        self.pattern = pattern
        self.is_long = is_long
        self.counted = counted


def number_value(
    argument: Argument, type_: str, encoder: str, has_modifier_bits: bool, inv_2pi: bool, strict: bool = False
) -> NumberValue:
    """How the number is encoded in a source operand that is read as `type_`."""
    value = argument.value
    signs = argument.modifiers & operands.FLOAT_MODIFIERS
    if signs and not has_modifier_bits:
        absolute, negate = bool(signs & operands.ABS), bool(signs & operands.NEG)
        value = immediates.apply_sign(value, argument.is_float, type_, absolute, negate)
    is_literal = bool(argument.modifiers & (operands.LIT | operands.LIT64))
    pattern = immediates.pattern(value, argument.is_float, type_, inv_2pi and not is_literal, not is_literal)
    if type_[0] == "k":
        if argument.modifiers & operands.LIT64:
            pattern = value & _WHOLE_MASK
        return NumberValue(pattern if type_ == "k64" else immediates.literal_word(pattern, type_), None, pattern)
    code = LITERAL if is_literal else immediates.source_code(pattern, type_, inv_2pi)
    if encoder == "getSDWASrcEncoding":
        literal = immediates.literal_word(pattern, type_) if code == LITERAL else None
        return NumberValue(code | _SDWA_SCALAR, literal, pattern)
    # Where 1/(2*pi) is not an inline constant, LLVM counts every number of a half as a literal.
    counts_all = type_ == "f16" and not inv_2pi
    if code == LITERAL:
        word = immediates.literal_word(pattern, type_)
        is_inline = is_literal and not strict and immediates.source_code(word, type_, inv_2pi) != LITERAL
        return NumberValue(code, word, pattern, False, word if counts_all or not is_inline else None)
    return NumberValue(code, None, pattern, False, pattern if counts_all else None)


_HALF_BITS, _HALF_MASK, _WHOLE_MASK = 32, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def _long_number(
    argument: Argument, type_: str, has_modifier_bits: bool, short_only: bool, strict: bool
) -> NumberValue:
    """A number in a 64-bit source on targets with 64-bit literals: short if that loses nothing and `lit` allows it."""
    value = argument.value
    signs = argument.modifiers & operands.FLOAT_MODIFIERS
    if signs and not has_modifier_bits:
        absolute, negate = bool(signs & operands.ABS), bool(signs & operands.NEG)
        value = immediates.apply_sign(value, argument.is_float, type_, absolute, negate)
    fits = argument.is_float or -(1 << 31) <= value < 1 << 32
    bits = value & _WHOLE_MASK
    if argument.modifiers & operands.LIT64:
        is_counted = strict or immediates.source_code(bits, type_, True) == LITERAL
        return NumberValue(LITERAL64, bits, bits, True, bits if is_counted else None)
    if argument.modifiers & operands.LIT:
        half = bits >> _HALF_BITS if argument.is_float else bits & _HALF_MASK
        if strict:
            return NumberValue(LITERAL, half, half, False, half)
        # Before, the number is the 32 bits that count, and still takes the long form.
        is_counted = immediates.source_code(half, type_, True) == LITERAL
        return NumberValue(LITERAL64, half, half, True, half if is_counted else None)
    code = immediates.source_code(bits, type_, True)
    if code != LITERAL:
        return NumberValue(code, None, bits)
    if type_ == "f64":
        bits = bits if argument.is_float or not fits else bits << _HALF_BITS & _WHOLE_MASK
        code = immediates.source_code(bits, type_, True)
        if code != LITERAL:
            return NumberValue(code, None, bits)
        is_long = bool(bits & _HALF_MASK)
        word = bits >> _HALF_BITS
        is_exact = argument.is_float  # the low half is dropped with a warning
    else:
        is_long = not 0 <= value < 1 << 31
        word = bits & _HALF_MASK
        is_exact = fits
    if is_long and short_only and is_exact:
        is_long = False
    if is_long:
        return NumberValue(LITERAL64, bits, bits, True, bits)
    return NumberValue(LITERAL, word, bits, False, word)


def source_modifiers(argument: Argument) -> int:
    """The modifier bits of a source: neg or sext, and abs."""
    used = argument.modifiers
    return (
        (_NEG if used & operands.NEG else 0)
        | (_ABS_OR_NEG_HI if used & operands.ABS else 0)
        | (_SEXT if used & operands.SEXT else 0)
    )

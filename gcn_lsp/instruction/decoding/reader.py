"""Reads an instruction of one form: its fields from the bits, and from these its text as LLVM writes it."""

from collections.abc import Callable, Mapping

from gcn_lsp import isa
from gcn_lsp.instruction import encode
from gcn_lsp.instruction.decoding import fields, helpers, numbers, registers
from gcn_lsp.instruction.decoding.patterns import Patterns
from gcn_lsp.instruction.decoding.registers import Registers, Texts
from gcn_lsp.isa.operands import limits
from gcn_lsp.isa.operands.immediates import LITERAL, LITERAL64
from gcn_lsp.patterns import regex

Values = dict[str, int]
"""What the fields hold, by operand; a literal under `LITERAL_NAME`, addresses in further bytes under their names."""
Part = Callable[[Values], "str | None"]
"""The text of one part of an instruction; None when its bits mean nothing."""

LITERAL_NAME = "literal"
_WHOLE_LITERALS = ("imm",)
_SLOT = regex(r"\$(\w+)")
_SHORT_LITERAL, _LONG_LITERAL = 4, 8

_NEG, _ABS, _OP_SEL, _OP_SEL_HIGH, _DST_OP_SEL, _SEXT = 1, 2, 4, 8, 8, 16
_SOURCES = ("src0", "src1", "src2")
_LISTS: Mapping[str, tuple[str, int]] = {
    "OpSel": ("op_sel", _OP_SEL),
    "OpSelHi": ("op_sel_hi", _OP_SEL_HIGH),
    "NegLo": ("neg_lo", _NEG),
    "NegHi": ("neg_hi", _ABS),
}
_NUMBERED_HALF, _SELECTED_HALF = "getMachineOpValueT16Lo128", "getMachineOpValueT16"
_SDWA_SCALAR = 0x100
_VOPC_DST_SCALAR, _VOPC_DST_MASK = 0x80, 0x7F


class FormReader:
    """How to read one form.

    form: the form. size: its bytes without a literal. addresses: operands in bytes that follow it. patterns: its own.
    """

    __slots__ = (
        "form", "size", "addresses", "_fields", "_sources", "_parts", "_whole", "_paired", "_long_literals", "_target",
        "patterns",
    )  # fmt: skip

    def __init__(self, form: isa.Form, target: isa.Target, known: Registers, word: str) -> None:
        self.form = form
        self.size = form.size
        self._fields = tuple(
            (field.name, tuple((piece.bit, (1 << piece.width) - 1, piece.source) for piece in field.pieces))
            for field in form.fields
        )
        encoded = {field.name for field in form.fields}
        addresses = [operand.name for operand in form.operands if operand.name.startswith("vaddr")]
        self.addresses = tuple(addresses[1:]) if "MIMG" in form.flags else ()
        self._whole = next((name for name in _WHOLE_LITERALS if name in encoded), "")
        # In most pairs the lowest bit of the second result is the opposite of the first's.
        self._paired = any(
            field.name == "vdstY" and all(piece.source for piece in field.pieces) for field in form.fields
        )
        self._target = next((each.name for each in form.operands if each.kind.match == "SOPPBrTarget"), "")
        self._long_literals = target.has_64_bit_literals
        self._sources = _literal_sources(form)
        self._parts = _parts(form, target, known, word)
        self.patterns = Patterns(form)

    def values(self, code: int) -> Values:
        """The fields in the bits of an instruction."""
        found: Values = {}
        for name, pieces in self._fields:
            if len(pieces) == 1:
                bit, mask, source = pieces[0]
                found[name] = (code >> bit & mask) << source
            else:
                value = 0
                for bit, mask, source in pieces:
                    value |= (code >> bit & mask) << source
                found[name] = value
        if self._paired:
            found["vdstY"] |= ~found["vdstX"] & 1
        return found

    def literal_size(self, values: Values) -> int:
        """How many bytes of a literal follow the instruction."""
        if self._whole:
            values[LITERAL_NAME] = values[self._whole]
            return 0
        for name in self._sources:
            code = values[name]
            if code == LITERAL:
                return _SHORT_LITERAL
            if code == LITERAL64 and self._long_literals:
                return _LONG_LITERAL
        return 0

    def jump(self, values: Values) -> int | None:
        """Where a branch goes, in bytes from its end; None for others."""
        if not self._target:
            return None
        dwords = values[self._target]
        return 4 * (dwords - (1 << 16) if dwords >> 15 else dwords)

    def text(self, values: Values) -> str | None:
        """The instruction's text; None when the bits are no instruction."""
        found = ""
        for part in self._parts:
            if isinstance(part, str):
                found += part
            else:
                text = part(values)
                if text is None:
                    return None
                found += text
        return found


def _literal_sources(form: isa.Form) -> tuple[str, ...]:
    """The operands whose number may say that a literal follows."""
    return tuple(operand.name for operand in form.operands if _takes_literals(form, operand.name, operand.kind))


def _takes_literals(form: isa.Form, name: str, kind: isa.OperandKind) -> bool:
    """Whether the number in an operand's field may say that a literal follows."""
    field = form.field(name)
    if field is None or kind.type.startswith("OPERAND_KIMM") or form.variant in ("SDWA", "SDWA9"):
        return False
    return bool(encode.number_type(kind)) and not _is_vector_only(field, kind)


def _is_vector_only(field: isa.Field, kind: isa.OperandKind) -> bool:
    return kind.registers is not None and registers.is_vector_only(kind.registers, field)


def _parts(form: isa.Form, target: isa.Target, known: Registers, word: str) -> "tuple[str | Part, ...]":
    """The text of a form, in parts that are fixed and parts that depend on fields."""
    found: list[str | Part] = []
    syntax = form.syntax
    at = 0
    fixed = word + " " if syntax else word
    maker = _Maker(form, target, known)
    for match in _SLOT.finditer(syntax):
        fixed += syntax[at : match.start()]
        at = match.end()
        part = maker.part(match[1])
        if isinstance(part, str):
            fixed += part
        else:
            if fixed:
                found.append(fixed)
            found.append(part)
            fixed = ""
    fixed += syntax[at:]
    if fixed:
        found.append(fixed)
    return tuple(found)


class _Maker:
    """Makes the parts of one form."""

    def __init__(self, form: isa.Form, target: isa.Target, known: Registers) -> None:
        self.form = form
        self.target = target
        self.known = known
        self.operands = {operand.name: operand.kind for operand in form.operands}
        self.presets = dict(form.presets)
        self.encoded = {field.name: field for field in form.fields}
        self.ties = dict(form.ties)

    def part(self, name: str) -> "str | Part":
        """The part that `$name` stands for."""
        kind = self.operands[name]
        if kind.type == "OPERAND_INPUT_MODS" and name.removesuffix("_modifiers") in self.operands:
            return self._modified(name, kind)
        if kind.match in _LISTS:
            return self._list(*_LISTS[kind.match])
        if kind.registers is not None or encode.number_type(kind):
            return self._source(name, kind)
        text = fields.text_of(kind, self.form, self.target)
        place = self._field_of(name)
        if place is None:
            return text(self.presets.get(name, self._implied_value(name, kind))) or ""
        texts = Texts(text)
        return lambda values: texts[values[place]]

    def _implied_value(self, name: str, kind: isa.OperandKind) -> int:
        """The value of a modifier that no field holds."""
        if name == "a16" and self.form.image is not None:
            return int("A16" in self.form.image.flags)
        return kind.default

    def _field_of(self, name: str) -> str | None:
        if name in self.encoded:
            return name
        for one, other in self.form.ties:
            if name in (one, other):
                tied = other if name == one else one
                if tied in self.encoded:
                    return tied
        return None

    def _source(self, name: str, kind: isa.OperandKind) -> "str | Part":
        if self.form.family == "EXP" and name in _EXPORTED:
            return self._exported(_EXPORTED.index(name))
        place = self._field_of(name)
        if name == "immX" and place is None:
            place = "imm"  # both halves of a pair have one literal
        if place is None and name in self._addresses():
            place = name
        if place is None:
            return "" if kind.registers is None else self._implied()
        plain = self._plain(name, place, kind)
        if self.form.family == "MTBUF" and name == "soffset":
            formats = Texts(lambda value: helpers.buffer_format(self.target, value))
            return lambda values: _joined(plain(values), formats[values["format"]])
        return plain

    def _addresses(self) -> tuple[str, ...]:
        return tuple(name for name in self.operands if name.startswith("vaddr")) if "MIMG" in self.form.flags else ()

    def _implied(self) -> str:
        """An operand that no field holds: VCC."""
        return "vcc_lo" if self.target.wavefront_size == 32 else "vcc"

    def _plain(self, name: str, place: str, kind: isa.OperandKind) -> Part:
        """A register or number without modifiers."""
        type_ = encode.number_type(kind)
        texts = self._register_texts(place, kind, type_)
        selector, bit = ("src0_modifiers", _DST_OP_SEL) if name == "vdst" else (f"{name}_modifiers", _OP_SEL)
        if kind.encoder != _SELECTED_HALF or not _is_half(kind) or selector not in self.encoded:
            return self._with_literals(place, kind, texts)
        low, high = (self._with_literals(place, kind, each) for each in (texts, Texts(_high_half(texts))))
        return lambda values: (high if values[selector] & bit else low)(values)

    def _with_literals(self, place: str, kind: isa.OperandKind, texts: Texts) -> Part:
        """What a field says, or the literal that it stands for."""
        if not _takes_literals(self.form, place, kind):
            return lambda values: texts[values[place]]
        type_ = encode.number_type(kind)

        def text(values: Values) -> str | None:
            value = values[place]
            if value == LITERAL:
                return numbers.literal(values[LITERAL_NAME], type_) if LITERAL_NAME in values else None
            if value == LITERAL64 and LITERAL_NAME in values:
                return numbers.long_literal(values[LITERAL_NAME], type_)
            return texts[value]

        return text

    def _register_texts(self, place: str, kind: isa.OperandKind, type_: str) -> Texts:
        """What the numbers in a field are, kept for all forms with such an operand."""
        is_vector_only = place not in self.encoded or _is_vector_only(self.encoded[place], kind)
        key = kind.name, is_vector_only, self.form.variant
        found = self.known.texts.get(key)
        if found is None:
            found = self.known.texts[key] = Texts(self._register_text(is_vector_only, kind, type_))
        return found

    def _register_text(self, is_vector_only: bool, kind: isa.OperandKind, type_: str) -> "Callable[[int], str | None]":
        if type_[:1] == "k":
            return lambda value: numbers.whole(value, type_)
        known, register_class = self.known, kind.registers
        if register_class is None:
            return lambda value: numbers.inline(value, type_) or known.scalar(value, 1)
        count = max(register_class.bits // 32, 1)
        if kind.encoder == "getSDWAVopcDstEncoding":
            vcc = self._implied()
            return lambda value: known.scalar(value & _VOPC_DST_MASK, count) if value & _VOPC_DST_SCALAR else vcc
        if kind.encoder == "getSDWASrcEncoding":
            return self._sdwa(type_)
        is_half = register_class.bits == 16
        if is_vector_only:
            if is_half and kind.encoder == _NUMBERED_HALF:
                return registers.numbered_half
            if is_half:
                return lambda value: registers.vector_half(registers.number_of(value), False)
            if kind.match == "AV_LdSt_32_Align2_RegOp":
                return lambda value: known.vector(registers.file_of(register_class, value), value & 0xFF, 1)
            return lambda value: known.of_class(register_class, value)
        numbered = kind.encoder == _NUMBERED_HALF
        takes_scalars = "s" in register_class.files or bool(register_class.specials)

        def text(value: int) -> str | None:
            if value & registers.VECTOR:
                if is_half and numbered:
                    return registers.numbered_half(value)
                if is_half:
                    return registers.vector_half(registers.number_of(value), False)
                return known.of_class(register_class, value)
            value &= 0xFF
            if not takes_scalars:
                return numbers.inline(value, type_) if type_ else None
            return numbers.inline(value, type_) or known.scalar(value, count)

        return text

    def _sdwa(self, type_: str) -> "Callable[[int], str | None]":
        known = self.known
        if self.form.variant == "SDWA":
            return lambda value: known.vector("v", value & 0xFF, 1)

        def text(value: int) -> str | None:
            if not value & _SDWA_SCALAR:
                return known.vector("v", value, 1)
            return numbers.inline(value & 0xFF, type_) or known.scalar(value & 0xFF, 1)

        return text

    def _modified(self, name: str, kind: isa.OperandKind) -> "str | Part":
        """A source with its modifiers."""
        source = name.removesuffix("_modifiers")
        plain = self._source(source, self.operands[source])
        if isinstance(plain, str) or name not in self.encoded:
            return plain
        is_integer = "Int" in kind.match or "Bin" in kind.match

        def text(values: Values) -> str | None:
            found = plain(values)
            used = values[name]
            if not used or found is None:
                return found
            if is_integer:
                return f"sext({found})" if used & _SEXT else found
            if used & _ABS:
                found = f"|{found}|"
            if used & _NEG:
                return f"neg({found})" if not used & _ABS and _is_number(found) else f"-{found}"
            return found

        return text

    def _list(self, name: str, bit: int) -> Part:
        """A list of bits, one for each source, which the encoding keeps with the modifiers of the sources."""
        form, encoded = self.form, self.encoded
        names = tuple(
            f"{source}_modifiers" if f"{source}_modifiers" in encoded else "" for source in self._sources_of_lists()
        )
        has_dst = bit == _OP_SEL and name == "op_sel" and self._selects_destination
        usual = bit if "IsPacked" in form.flags and bit == _OP_SEL_HIGH else 0
        if name == "op_sel" and form.mnemonic in limits.TWO_BITS_OF_SOURCE:
            return _bits_of_first
        if name == "op_sel" and form.mnemonic.startswith(limits.PERMUTES):
            return _switches

        def text(values: Values) -> str | None:
            bits = [values[place] & bit if place else 0 for place in names]
            last = values["src0_modifiers"] & _DST_OP_SEL if has_dst else 0
            if not last and all(each == usual for each in bits):
                return ""
            told = ["1" if each else "0" for each in ([*bits, last] if has_dst else bits)]
            return f" {name}:[{','.join(told)}]"

        return text

    @property
    def _selects_destination(self) -> bool:
        """Whether the list for op_sel has an item for the destination."""
        return "VOP3_OPSEL" in self.form.flags and bool({"vdst", "sdst"} & self.operands.keys())

    def _sources_of_lists(self) -> list[str]:
        """The sources that a list of bits has an item for; empty for an item without a source."""
        if self.form.flags & {"IsWMMA", "IsSWMMAC"}:
            return list(_SOURCES)
        if "src1" not in self.operands and "src2" in self.operands:
            return ["src0", "", "src2"]
        return [source for source in _SOURCES if source in self.operands]

    def _exported(self, index: int) -> Part:
        """A source of an export, or `off` when it is not enabled."""
        known = self.known
        texts = Texts(lambda value: known.vector("v", value, 1))

        def text(values: Values) -> str | None:
            if not values["en"] >> index & 1:
                return "off"
            return texts[values[_EXPORTED[index // 2 if values.get("compr") else index]]]

        return text


_EXPORTED = ("src0", "src1", "src2", "src3")


def _bits_of_first(values: Values) -> str:
    used = values["src0_modifiers"]
    low, high = int(bool(used & _OP_SEL)), int(bool(used & _OP_SEL_HIGH))
    return f" op_sel:[{low},{high}]" if low or high else ""


def _switches(values: Values) -> str:
    first, second = (int(bool(values[f"src{index}_modifiers"] & _OP_SEL)) for index in range(2))
    return f" op_sel:[{first},{second}]" if first or second else ""


def _is_half(kind: isa.OperandKind) -> bool:
    return kind.registers is not None and kind.registers.bits == 16


def _high_half(low: Texts) -> "Callable[[int], str | None]":
    """The same registers, the other half."""

    def text(value: int) -> str | None:
        found = low[value]
        return found[:-1] + "h" if found is not None and found.endswith(".l") else found

    return text


def _is_number(text: str) -> bool:
    return text[0] in "-0123456789l"


def _joined(one: "str | None", other: "str | None") -> "str | None":
    return None if one is None or other is None else one + other

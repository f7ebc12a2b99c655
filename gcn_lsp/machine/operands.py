"""The operands of one instruction as the translation asks for them: how each is read, and where results go.

What differs between instructions of one shape, the numbers of registers and immediate values, are parameters of the
compiled function: `recipe` says in which order, `parameter` gives their values.
"""

import re
import struct
from collections.abc import Callable
from functools import cached_property

import numpy as np

from gcn_lsp.instruction.encode import number_type
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import notation
from gcn_lsp.isa.documentation.operation import Call, Expression, Name, Type
from gcn_lsp.machine import integers
from gcn_lsp.machine.encoded import LITERAL64, WHOLE_SELECT, Encoded, Reference
from gcn_lsp.machine.registers import Wave, Words
from gcn_lsp.machine.terms import (
    FLOAT,
    FLOATS,
    I64,
    M32,
    M64,
    U32,
    U64,
    UNIFORM,
    WORDS,
    Compiler,
    Term,
    Untranslatable,
    cast,
    modulo,
    number,
)

NEG, ABS, OP_SEL, OP_SEL_HI, SEXT = 1, 2, 4, 8, 16
"""The bits of a source's modifiers; of packed instructions the first two negate the low and the high half."""

_VALUES = frozenset(("SIMM16", "LITERAL", "OFFSET", "OFFSET0", "OFFSET1", "RETURN", "DMASK", "BITOP3", "BYTE_SEL",
                     "SCALE_SEL", "OP_SEL", "ATTR", "TGT", "SOFFSET", "SADDR"))  # fmt: skip
_DESTINATIONS = frozenset(("D", "SDST", "S0", "DATA"))
_INLINE_FLOATS = {240: 0.5, 241: -0.5, 242: 1.0, 243: -1.0, 244: 2.0, 245: -2.0, 246: 4.0, 247: -4.0}
_INVERSE_2PI = {16: 0x3118, 32: 0x3E22F983, 64: 0x3FC45F306DC9C882}
_PACKED = re.compile(r"V2(?:FP|INT|BF)(\d+)")
_SHORT = ("i16", "f16", "bf16")
_IN_BYTE = "of the destination; the other bytes are kept."
_IN_HALF = "The last number of op_sel chooses the half of the destination; the other half is kept."
_ZEROES = "Bits 31:16 of the destination become 0."
_SDWA_SOURCE = "getSDWASrcEncoding"
_SELECTORS = "MODE.VGPR_MSB"  # in MODE rotated by two bits, see `isa.machine.vgpr_selectors`
_MODE_FIELDS = {"FP_ROUND": (3, 0), "FP_DENORM": (7, 4), "VGPR_MSB": (19, 12)}
_SPECIALS = {"src_vccz": "int(w.vcc == 0)", "src_execz": "int(w.exec == 0)", "src_scc": "w.scc"}


class Operands(Encoded):
    """The operands of an instruction as the translation reads and writes them."""

    # What the translation asks

    def has(self, name: str) -> bool:
        """Whether a name is an operand."""
        return name in notation.OPERANDS

    def size(self, name: str) -> int:
        """The bits of an operand."""
        if name in ("SIMM16",):
            return 16
        return self.reference(name).bits

    def is_destination(self, name: str) -> bool:
        """Whether an assignment to the name writes registers."""
        return name in _DESTINATIONS

    def is_scalar_place(self, name: str) -> bool:
        """Whether an operand is in scalar registers."""
        return self.reference(name).file in ("s", "none") and (self.is_scalar or self.reference(name).file == "s")

    def is_filled_in_parts(self, name: str) -> bool:
        """Whether a name is a vector destination whose parts have no meaning of their own here."""
        plain = not (self.is_packed or self.is_permuted or self.suffix or self._chooses_elements)
        return plain and self.is_destination(name) and not self.is_scalar_place(name) and not self.first_bit(name)

    def number(self, name: str) -> Term:
        """The number of the register that an operand names."""
        return Term(self._parameter(f"register:{self.reference(name).slot}"), UNIFORM, "", 0, 0, 1023)

    def is_signed(self, name: str) -> bool:
        """Whether neg_lo makes the elements of a source signed."""
        return bool(self.reference(name).modifiers & NEG)

    def state(self, translator: Compiler, name: str) -> Term | None:
        """A part of the state that is no operand."""
        full = (1 << self.lanes) - 1
        if name == "SCC":
            return Term("w.scc", UNIFORM, "u", 1, 0, 1)
        if name in ("EXEC", "VCC"):
            return Term(translator.named(f"(w.{name.lower()} & {full})"), UNIFORM, "b", 64, 0, full)
        if name == "M0":
            return Term(translator.named("w.m0"), UNIFORM, "b", 32, 0, M32)
        if name in ("PC", "NEXT"):
            return Term("pc" if name == "PC" else "w.pc", UNIFORM, "b", 64, 0, M64)
        if name == "TARGET":
            offset = self._parameter("field:simm16")
            return Term(f"(w.pc + 4 * (({offset} ^ 32768) - 32768) & {M64})", UNIFORM, "b", 64, 0, M64)
        if name == "TBA":
            return Term("w.pair(108)", UNIFORM, "b", 64, 0, M64)
        if "." in name:
            return self._field(translator, name)
        return self._value(name) if name in _VALUES else None

    def _field(self, translator: Compiler, name: str) -> Term:
        register, _, field = name.partition(".")
        place = self.mode_field(field) if register == "MODE" else None
        if place is None:
            return Term(translator.named(f"w.fields.get({name!r}, 0)"), UNIFORM, "b", 32, 0, M32)
        high, low = place
        most = (1 << (high - low + 1)) - 1
        return Term(translator.named(f"(w.mode >> {low} & {most})"), UNIFORM, "b", high - low + 1, 0, most)

    def mode_field(self, name: str) -> tuple[int, int] | None:
        """The bits of a field of MODE, both inclusive; None if this target has no such field there."""
        if name in _MODE_FIELDS:
            return _MODE_FIELDS[name]
        entry = documentation.hwreg("MODE", self.target)
        fields = entry.fields if entry is not None else ()
        return next(((field.high, field.low) for field in fields if field.name == name), None)

    def _value(self, name: str) -> Term:
        if name == "SIMM16":
            return Term(self._parameter("field:simm16"), UNIFORM, "b", 16, 0, 0xFFFF)
        if name == "RETURN":
            return number(int(any(operand.is_def for operand in self.form.operands)), "u", 1)
        if name == "OP_SEL":
            sources = [self.fields.get(f"src{place}_modifiers", 0) for place in range(3)]
            bits = sum((value >> 2 & 1) << place for place, value in enumerate(sources))
            return number(bits | (sources[0] >> 3 & 1) << 3 if not self.is_packed else bits, "b", 4)
        if name == "LITERAL":
            slot = self.slot(name)
            wide = slot == "imm" and self.form.size > 8
            return Term(self._parameter(f"field:{slot}"), UNIFORM, "b", 64 if wide else 32, 0, M64 if wide else M32)
        slot = self.slot(name)
        if name in ("SOFFSET", "SADDR"):
            reference = self.reference(name)
            if reference.file == "s":
                code = f"w.scalars({self._register(reference)}, {reference.bits // 32})"
                return Term(code, UNIFORM, "b", reference.bits, 0, (1 << reference.bits) - 1)
            return number(self._constant(reference, 32) if reference.file == "constant" else 0, "b", 64)
        if name.startswith("OFFSET"):
            if not slot:
                return number(0)
            low = 0 if self.form.family == "DS" else -(1 << 31)
            return Term(self._parameter(f"field:{slot}"), UNIFORM, "", 0, low, (1 << 32) - 1)
        if name == "BYTE_SEL":
            return number(self._byte_select())
        return number(self.immediate(slot) if slot else 0, "b", 32)

    def _byte_select(self) -> int:
        if "byte_sel" in self._written:
            return self.immediate("byte_sel")
        modifiers = self.fields.get("src0_modifiers", 0)
        return (modifiers >> 2 & 1) << 1 | modifiers >> 3 & 1

    # Reading

    def read(self, translator: Compiler, name: str, kind: Type | None) -> Term:
        """An operand as a type, or its bits, with its modifiers."""
        if name in _VALUES:
            value = self._value(name)
            return translator.reread(value, kind) if kind is not None else value
        if not self.has(name):
            raise Untranslatable(f"the name {name}")
        reference = self.reference(name)
        size = kind.size if kind is not None else reference.bits
        bits = self._bits(translator, reference, size, kind)
        if kind is None:
            return self._of_bits(translator, bits, reference, bits.size)
        if kind.kind not in FLOATS:
            signed = self._of_bits(translator, bits, reference, min(kind.size, 64))
            return translator.reread(signed, kind)
        return self._signed(translator.keep(translator.reread(bits, kind)), reference)

    def _signed(self, value: Term, reference: Reference) -> Term:
        """A float with the sign that the source's modifiers give it."""
        if self.is_packed:
            return value._replace(code=f"(-{value.code})") if reference.modifiers & NEG else value
        if reference.modifiers & ABS:
            value = value._replace(code=f"np.abs({value.code})")
        if reference.modifiers & NEG:
            value = value._replace(code=f"(-{value.code})")
        return value

    def _of_bits(self, translator: Compiler, bits: Term, reference: Reference, size: int) -> Term:
        """Bits with the sign that the modifiers give them where an operand is a float without saying so."""
        if self.is_packed or not reference.modifiers & (NEG | ABS) or bits.how == WORDS:
            return bits
        sign = 1 << (size - 1)
        if reference.modifiers & ABS:
            bits = translator.keep(integers.combined(translator, "&", bits, number(sign - 1, "b", size)))
        if reference.modifiers & NEG:
            bits = translator.keep(integers.combined(translator, "^", bits, number(sign, "b", size)))
        return bits._replace(kind="b")

    def _bits(self, translator: Compiler, reference: Reference, size: int, kind: Type | None) -> Term:
        """The bits of an operand, at least `size` of them where it has so many."""
        if reference.file in ("v", "a"):
            return self._vector(translator, reference, size)
        if reference.file == "s":
            count = max(1, reference.bits // 32)
            code = {1: "int(w.sgprs[{0}])", 2: "w.pair({0})"}.get(count, f"w.scalars({{0}}, {count})")
            bits = Term(translator.named(code.format(self._register(reference))), UNIFORM, "b", 32 * count)
            bits = bits._replace(high=(1 << bits.size) - 1)
            return self._selected(translator, bits, reference)
        if reference.file == "literal":
            return self._literal(reference, size, kind)
        if reference.file == "constant":
            width = max(reference.bits, size) if kind is not None else reference.bits
            return number(self._constant(reference, width), "b", max(width, 32))
        if reference.file == "special":
            return self._special(translator, reference)
        return number(0, "b", reference.bits)

    def _special(self, translator: Compiler, reference: Reference) -> Term:
        name = self._written[reference.slot].file
        code = _SPECIALS.get(name, f"e.constant(w, {name!r})")
        size = max(reference.bits, 32)
        if size == 64 and name.endswith("_lo"):  # a pair of registers, which is named by the first
            code = f"({code} | e.constant(w, {name.removesuffix('_lo') + '_hi'!r}) << 32)"
        return Term(translator.named(code), UNIFORM, "b", size, 0, (1 << size) - 1)

    def _literal(self, reference: Reference, size: int, kind: Type | None) -> Term:
        name = self._parameter("literal:")
        if reference.code == LITERAL64 or max(size, reference.bits) <= 32:
            wide = 64 if reference.code == LITERAL64 else 32
            return Term(name, UNIFORM, "b", wide, 0, (1 << wide) - 1)
        if number_type(self._by_name[reference.slot].kind) == "f64" or (kind is not None and kind.kind == "f"):
            return Term(f"({name} << 32)", UNIFORM, "b", 64, 0, M64)
        if kind is not None and kind.kind == "i":
            return Term(f"((({name} ^ {1 << 31}) - {1 << 31}) & {M64})", UNIFORM, "b", 64, 0, M64)
        return Term(name, UNIFORM, "b", 64, 0, M32)

    def _constant(self, reference: Reference, size: int) -> int:
        """The bits of an inline constant."""
        code, mask = reference.code, (1 << max(size, 32)) - 1
        operand = self._by_name.get(reference.slot)
        if operand is not None and operand.kind.registers is None:
            return self.immediate(reference.slot)
        if operand is not None and operand.kind.encoder == _SDWA_SOURCE:
            code &= 0xFF
        if 128 <= code <= 192:
            return code - 128
        if 193 <= code <= 208:
            return 192 - code & mask
        named = number_type(operand.kind) if operand is not None else ""
        width = (
            16
            if named.endswith("16") and named not in ("v2i16",)
            else 64
            if reference.bits == 64 and "v2" not in named
            else 32
        )
        if code == 248:
            return _INVERSE_2PI[width]
        value = _INLINE_FLOATS.get(code)
        if value is None:
            raise Untranslatable(f"the source {code}")
        if named.endswith("bf16"):
            return int(struct.unpack("<I", struct.pack("<f", value))[0]) >> 16
        form, whole = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}[width]
        bits = int(struct.unpack(whole, struct.pack(form, value))[0])
        return bits | bits << 16 if named.startswith("splat") and self.target.repeats_literals_in_halves else bits

    def row(self, translator: Compiler, index: Expression, register: Term) -> str | None:
        """The expression of a register by its number; None if the operand that names it is no vector register."""
        if isinstance(index, Call) and index.function == "number":
            name = index.arguments[0]
            assert isinstance(name, Name)
            reference = self.reference(name.name)
            if reference.file == "a":
                return f"w.accvgprs[{register.code}]"
            if reference.file != "v":
                return None
        return f"w.vgprs[{register.code}]"

    def _vector(self, translator: Compiler, reference: Reference, size: int) -> Term:
        file = "vgprs" if reference.file == "v" else "accvgprs"
        wide = max(32, reference.bits if size > 32 or reference.bits > 64 else min(reference.bits, max(size, 32)))
        if wide > 64:
            code = f"w.{file}[{self._register(reference)}:{self._register(reference, wide // 32)}]"
            return Term(translator.named(code), WORDS, "b", wide)
        if wide == 64 and not reference.is_dpp:
            code = f"paired(w.{file}[{self._register(reference)}:{self._register(reference, 2)}])"
            return Term(translator.named(code), U64, "b", 64, 0, M64)
        rows = [
            self._row(translator, f"w.{file}[{self._register(reference, place)}]", reference)
            for place in range(wide // 32)
        ]
        if wide == 64:
            return Term(translator.named(f"paired(({rows[0]}, {rows[1]}))"), U64, "b", 64, 0, M64)
        bits = Term(rows[0], U32, "b", 32, 0, M32)
        is_high = reference.half == "h" or (not reference.half and self._takes_high_half(reference, size))
        if is_high or reference.half:
            code = f"({bits.code} >> np.uint32(16))" if is_high else f"({bits.code} & 65535)"
            return Term(translator.named(code), U32, "b", 16, 0, 0xFFFF)
        return self._selected(translator, bits, reference)

    def _takes_high_half(self, reference: Reference, size: int) -> bool:
        operand = self._by_name.get(reference.slot)
        is_short = operand is not None and number_type(operand.kind) in _SHORT
        return (
            (size == 16 or is_short)
            and self.form.family not in ("VOP3P",)
            and not self.is_packed
            and "SDWA" not in self.form.variant
            and not self._chooses_elements
            and bool(reference.modifiers & OP_SEL)
        )

    def _row(self, translator: Compiler, row: str, reference: Reference) -> str:
        if reference.is_dpp:
            name = translator.named(row)
            translator.emit(f"{name}p, am = DPP.fetched({name}, full, am)")
            return f"{name}p"
        name = translator.named(row)
        translator.views.add(name)
        return name

    def _selected(self, translator: Compiler, bits: Term, reference: Reference) -> Term:
        """The part that SDWA selects, extended."""
        if reference.select == WHOLE_SELECT:
            return bits
        width, place = (8, reference.select) if reference.select < 4 else (16, reference.select - 4)
        part = integers.part(translator, bits, number(place * width), width)
        if reference.modifiers & SEXT:
            part = integers.wrapped(translator, part, "i", width)
        return translator.keep(integers.wrapped(translator, part._replace(size=0), "b", 32))

    def element(self, translator: Compiler, name: str, kind: Type, place: Term) -> Term:
        """An element of an operand."""
        reference = self.reference(name)
        if self.is_packed and integers.is_constant(place):
            operand = self._by_name.get(reference.slot)
            packed = _PACKED.search(operand.kind.type) if operand is not None else None
            if packed is not None and int(packed[1]) == kind.size and not self._chooses_elements:
                return self._packed(translator, reference, kind, place.low)
        if (
            reference.file in ("v", "a")
            and integers.is_constant(place)
            and kind.size in (32, 64)
            and not reference.is_dpp
        ):
            return self._register_element(translator, reference, kind, place.low)
        bits = self._bits(translator, reference, reference.bits, None)
        low = integers.scaled(translator, place, kind.size)
        part = integers.part(translator, translator.keep(bits), low, kind.size)
        return translator.reread(part._replace(kind="b", size=kind.size), kind)

    def _register_element(self, translator: Compiler, reference: Reference, kind: Type, place: int) -> Term:
        file = "vgprs" if reference.file == "v" else "accvgprs"
        first = self._register(reference, place * kind.size // 32)
        if kind.size == 64:
            term = Term(translator.named(f"paired(w.{file}[{first}:{first} + 2])"), U64, "b", 64, 0, M64)
        else:
            row = translator.named(f"w.{file}[{first}]")
            translator.views.add(row)
            term = Term(row, U32, "b", 32, 0, M32)
        return translator.reread(term, kind)

    def _packed(self, translator: Compiler, reference: Reference, kind: Type, place: int) -> Term:
        """An element of a packed source: the modifiers choose the half, and its sign."""
        chosen = reference.modifiers >> (2 + place) & 1
        if kind.size >= 32:
            value = self._packed_register(translator, reference, kind, chosen)
        else:
            bits = translator.keep(self._bits(translator, reference, 32, None))
            part = integers.part(translator, bits, number(kind.size * chosen), kind.size)
            value = translator.reread(part._replace(kind="b", size=kind.size), kind)
        if kind.kind in FLOATS and reference.modifiers & (NEG if place == 0 else ABS):
            value = value._replace(code=f"(-{value.code})")
        return translator.keep(value)

    def _packed_register(self, translator: Compiler, reference: Reference, kind: Type, chosen: int) -> Term:
        if reference.file in ("v", "a"):
            return self._register_element(translator, reference, kind, chosen)
        if reference.file == "s":
            offset = 0 if self.target.has_packed_singles_with_scalars else chosen * kind.size // 32
            code = f"w.scalars({self._register(reference, offset)}, {kind.size // 32})"
            return translator.reread(Term(code, UNIFORM, "b", kind.size, 0, (1 << kind.size) - 1), kind)
        bits = self._bits(translator, reference._replace(bits=kind.size), kind.size, kind)
        return translator.reread(bits, kind)

    def mixed(self, translator: Compiler, name: str) -> Term:
        """A source of a mixed instruction as a float of 32 bits."""
        reference = self.reference(name)
        half = Type("bf" if "bf16" in self.mnemonic else "f", 16)
        bits = translator.keep(self._bits(translator, reference, 32, None))
        if reference.modifiers & OP_SEL_HI:
            part = integers.part(translator, bits, number(16 * (reference.modifiers >> 2 & 1)), 16)
            short = translator.reread(part._replace(kind="b", size=16), half)
            value = Term(translator.named(translator.as_float(short, "f", 32)), FLOAT, "f", 32)
        else:
            value = translator.keep(translator.reread(bits, Type("f", 32)))
        if reference.modifiers & ABS:
            value = value._replace(code=f"np.abs({value.code})")
        return value._replace(code=f"(-{value.code})") if reference.modifiers & NEG else value

    def old(self, translator: Compiler, name: str, place: int, size: int) -> Term:
        """What is in a register of a destination before the instruction."""
        reference = self.reference(name)
        if reference.file in ("v", "a"):
            file = "vgprs" if reference.file == "v" else "accvgprs"
            first = self._register(reference, place)
            if size == 64:
                return Term(translator.named(f"paired(w.{file}[{first}:{first} + 2])"), U64, "b", 64, 0, M64)
            row = translator.named(f"w.{file}[{first}]")
            translator.views.add(row)
            return Term(row, U32, "b", 32, 0, M32)
        if reference.file == "s":
            count = max(1, reference.bits // 32)
            code = translator.named(f"w.scalars({self._register(reference)}, {count})")
            return Term(code, UNIFORM, "b", 32 * count, 0, (1 << 32 * count) - 1)
        return number(0, "b", 32)

    def fetched(self, name: str) -> "Callable[[Wave], Words]":
        """A function that reads all registers of an operand as [dword][lane]."""
        reference = self.reference(name)
        count, lanes = reference.bits // 32, self.lanes
        if reference.file in ("v", "a"):
            first = self.parameter(f"register:{reference.slot}")
            assert isinstance(first, int)
            is_vector = reference.file == "v"
            return lambda wave: (wave.vgprs if is_vector else wave.accvgprs)[first : first + count]
        if reference.file not in ("constant", "literal", "none"):
            raise Untranslatable(f"{name} in scalar registers")
        named = number_type(self._by_name[reference.slot].kind) if reference.slot else ""
        width = 64 if named in ("f64", "i64") else 32
        bits = self.literal if reference.file == "literal" else 0
        if reference.file == "constant":
            bits = self._constant(reference._replace(bits=width), width)
        words = np.array([bits & M32, bits >> 32 & M32] if width == 64 else [bits & M32], np.uint32)
        every = np.broadcast_to(np.resize(words, count)[:, None], (count, lanes))
        return lambda wave: every

    # Addresses

    def address(self, translator: Compiler, function: str) -> Term:
        """The address of a memory instruction."""
        offset = self._value("OFFSET")
        if function == "BUFFER":
            return self._buffer(translator)
        if function == "SCALAR":
            return self._scalar_address()
        base = self._value("SADDR")
        vector = self.reference("ADDR")
        total = translator.keep(integers.combined(translator, "+", base._replace(kind="", size=0), offset))
        plain = translator.named(f"({total.code} & {M64})")
        if vector.file not in ("v", "a"):
            return Term(plain, UNIFORM, "", 0, 0, M64)
        is_long = function != "SCRATCH" and vector.bits == 64
        bits = self._vector(translator, vector, 64 if is_long else 32)
        scale = f" * np.uint64({self._scaled_by})" if self.scales_offset and not is_long else ""
        return Term(f"({cast(bits, U64)}{scale} + np.uint64({plain}))", U64, "", 0, 0, M64)

    def _buffer(self, translator: Compiler) -> Term:
        resource, vector, offset = self.reference("SRSRC"), self.reference("ADDR"), self.reference("SOFFSET")
        file = "vgprs" if vector.file == "v" else "accvgprs"
        words = "w.vgprs[0:0]"
        if vector.file in ("v", "a"):
            words = f"w.{file}[{self._register(vector)}:{self._register(vector, vector.bits // 32)}]"
        scalar = f"int(w.sgprs[{self._register(offset)}])" if offset.file == "s" else "0"
        if offset.file == "constant":
            scalar = str(self._constant(offset, 32))
        code = f"e.buffer(w, ACCESS, w.scalars({self._register(resource)}, 4), {words}, {scalar}, am)"
        return Term(translator.named(code), U64, "", 0, 0, M64)

    def _scalar_address(self) -> Term:
        unit = 1 if self.target.has_byte_offsets_in_scalar_memory else 4
        offset, register = "0", self.reference("SOFFSET")
        written = self._written.get("offset")
        if written is not None and written.kind == "register":
            offset = f"int(w.sgprs[{self._parameter('register:offset')}])"
        elif written is not None:
            offset = f"{unit} * {self._parameter('field:offset')}"
        if register.file == "s":
            scale = f"{self._scaled_by} * " if self.scales_offset else ""
            offset += f" + {scale}int(w.sgprs[{self._register(register)}])"
        base = self.reference("SBASE")
        if base.bits == 128:
            return Term(f"({offset})", UNIFORM, "", 0, 0, M64)
        return Term(
            f"((w.pair({self._register(base)}) + {offset}) & {M64 & ~3 if self._is_aligned else M64})",
            UNIFORM,
            "",
            0,
            0,
            M64,
        )

    @property
    def _is_aligned(self) -> bool:
        return not re.search(r"_[iu](?:8|16)$", self.mnemonic)

    def scalar_load(self, where: str, size: int) -> str:
        """The expression of a scalar load."""
        base = self.reference("SBASE")
        if base.bits == 128:
            return f"e.scalar_buffer(w, ACCESS, w.scalars({self._register(base)}, 4), {where}, {size})"
        return f"e.scalar_load(w, ACCESS, {where}, {size})"

    # Writing

    def keep_sources(self, translator: Compiler, env: dict[str, Term], views: set[str]) -> None:
        """Copies results that are registers themselves where another result may overwrite these first."""
        vectors = [key for key in env if "#" in key and self.reference(key.partition("#")[0]).file in ("v", "a")]
        for key in vectors if len(vectors) > 1 or self.suffix else ():
            code = env[key].code.partition(".")[0]
            if code in views:
                copied = translator.named(f"{code}.copy()")
                env[key] = env[key]._replace(code=env[key].code.replace(code, copied, 1))

    def finish(self, translator: Compiler, env: dict[str, Term]) -> None:
        """Writes what was assigned."""
        places = [(key, *key.split("#")) for key in env if "#" in key]
        vectors = [key for key, name, _ in places if self.reference(name).file in ("v", "a")]
        for key, name, place in places:
            if key in vectors:
                self._write_vector(translator, self.reference(name), int(place), env[key])
            else:
                self._write_scalar(translator, self.reference(name), env[key])
        for name, term in env.items():
            if name.endswith("@lane"):
                self._write_mask(translator, name.removesuffix("@lane"), term)
            elif name in ("EXEC", "VCC", "M0", "PC"):
                translator.emit(f"w.{name.lower()} = int_of({translator.bits(term, 64 if name != 'M0' else 32).code})")
            elif name == "SCC":
                translator.emit(f"w.scc = int_of({term.code})")
            elif "." in name:
                self._write_field(translator, name, term)

    def _write_field(self, translator: Compiler, name: str, term: Term) -> None:
        register, _, field = name.partition(".")
        place = self.mode_field(field) if register == "MODE" else None
        if place is None:
            translator.emit(f"w.fields[{name!r}] = {term.code}")
            return
        high, low = place
        most = (1 << (high - low + 1)) - 1
        if name == _SELECTORS:
            term = translator.keep(term)
            term = term._replace(code=f"({term.code} << 2 | ({term.code} & {most}) >> 6)")
        translator.emit(f"w.mode = w.mode & {M32 & ~(most << low)} | ({term.code} & {most}) << {low}")

    def _write_mask(self, translator: Compiler, name: str, term: Term) -> None:
        if name == "EXEC":
            translator.emit(f"w.exec = lane_bits({term.code}, am)")
            return
        reference = Reference("s", "vcc", self.lanes) if name == "VCC" else self.reference(name)
        if reference.file == "s":
            translator.emit(f"put_mask(w, {self._register(reference)}, {term.code}, am)")

    def _write_scalar(self, translator: Compiler, reference: Reference, term: Term) -> None:
        if reference.file != "s":
            return
        count = max(1, reference.bits // 32)
        bits = translator.bits(term, 32 * count)
        code = bits.code if bits.how == UNIFORM else f"int_of({bits.code})"
        translator.emit(f"write_scalars(w, {self._register(reference)}, {code}, {count})")

    def first_bit(self, name: str) -> int:
        """The bit of a destination register at which a result of 8 or 16 bits begins."""
        if name == "D" and any(note.endswith(_IN_BYTE) for note in self._notes):
            lowest, highest = (self.fields.get(f"src{source}_modifiers", 0) for source in (2, 0))
            return 8 * (bool(lowest & OP_SEL) + 2 * bool(highest & OP_SEL_HI))
        return 16 if self._half_of(self.reference(name)) == "h" else 0

    def _half_of(self, reference: Reference) -> str:
        """The half of a destination register that a result of 16 bits goes to; empty for the lower one by default."""
        if reference.half:
            return reference.half
        is_high = (
            self.form.family in ("VOP3",)
            and not self.is_packed
            and (not self._chooses_elements or _IN_HALF in self._notes)
            and reference.slot in ("vdst",)
            and bool(self.fields.get("src0_modifiers", 0) & OP_SEL_HI)
        )
        return "h" if is_high else ""

    @cached_property
    def _notes(self) -> tuple[str, ...]:
        entry = documentation.entry(self.mnemonic, self.target)
        return entry.notes if entry is not None else ()

    def _write_vector(self, translator: Compiler, reference: Reference, place: int, term: Term) -> None:
        put = "put" if reference.file == "v" else "put_accumulator"
        register = self._register(reference, place)
        if term.size == 64:
            value = translator.bits(term, 64) if term.is_float else term
            is_wide = value.how in (UNIFORM, I64, U64)  # a narrow array may hold a small number of 64 bits
            code = translator.named(f"split({value.code if is_wide else modulo(value, U64)})")
            translator.emit(f"{put}(w, {register}, {code}[0], am)")
            translator.emit(f"{put}(w, {self._register(reference, place + 1)}, {code}[1], am)")
            return
        size = term.size if term.size else 32
        bits = translator.bits(term, size) if term.is_float or (term.low < 0 and term.how == UNIFORM) else term
        if "SDWA" in self.form.variant:
            bits = self._destination_select(translator, register, integers.wrapped(translator, bits, "b", 32))
        elif size < 32:
            bits = self._narrow(translator, register, reference, integers.wrapped(translator, bits, "b", size))
        if bits.how == "o":
            bits = integers.wrapped(translator, bits, "b", 32)
        translator.emit(f"{put}(w, {register}, {bits.code}, am)")

    def _narrow(self, translator: Compiler, register: str, reference: Reference, bits: Term) -> Term:
        """A result of 16 bits or less in its register: the rest is kept, or becomes 0."""
        half = self._half_of(reference)
        if not half and _ZEROES in self._notes:
            return bits
        file = "vgprs" if reference.file == "v" else "accvgprs"
        old = Term(translator.named(f"w.{file}[{register}]"), U32, "b", 32, 0, M32)
        return integers.inserted(translator, old, number(16 if half == "h" else 0), bits.size, bits)

    def _destination_select(self, translator: Compiler, register: str, bits: Term) -> Term:
        select, unused = self.fields.get("dst_sel", WHOLE_SELECT), self.fields.get("dst_unused", 0)
        if select == WHOLE_SELECT:
            return bits
        width, place = (8, select) if select < 4 else (16, select - 4)
        old = (
            Term(translator.named(f"w.vgprs[{register}]"), U32, "b", 32, 0, M32) if unused == 2 else number(0, "b", 32)
        )
        if unused == 1:
            signed = integers.wrapped(translator, bits, "i", width)._replace(kind="", size=0)
            moved = integers.combined(translator, "<<", translator.keep(signed), number(place * width))
            return translator.keep(integers.wrapped(translator, translator.keep(moved), "b", 32))
        return integers.inserted(translator, old, number(place * width), width, bits)

"""The encoding of one instruction: its fields, what each operand is, and the parameters of its compiled function."""

import re
from functools import cached_property

from gcn_lsp import isa
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.isa.documentation import notation
from gcn_lsp.machine.registers import VCC
from gcn_lsp.records import NamedTuple

LITERAL64 = 254
"""The code of a source that is a constant of 64 bits after the encoding."""
WHOLE_SELECT = 6
"""SDWA's DWORD."""

_OWN_LITERAL = "imm"  # of `v_fmaak_f32` and its kind, which sources share
_LITERAL, _SCALARS = 255, 128  # a constant after the encoding; how many codes are scalar registers


class Reference(NamedTuple):
    """What an operand is. file: `v`, `a`, `s`, `constant`, `literal`, `special` or `none`.

    slot: its name in the form. bits: its width. half: `l` or `h` of a register. code: of a constant in the encoding.
    modifiers: of a source. select: of SDWA. is_dpp: whether its lanes are permuted.
    """

    file: str
    slot: str = ""
    bits: int = 32
    half: str = ""
    code: int = 0
    modifiers: int = 0
    select: int = WHOLE_SELECT
    is_dpp: bool = False


class Encoded:
    """What the encoding of an instruction says. suffix: `X` or `Y` for one half of a pair."""

    def __init__(
        self, instruction: Instruction, target: isa.Target, lanes: int, operation: str, *, code: bytes, suffix: str = ""
    ) -> None:
        form = instruction.form
        assert form is not None
        self.form, self.target, self.lanes, self.suffix = form, target, lanes, suffix
        self.mnemonic = form.mnemonic
        self.recipe: list[str] = []
        self._code = code
        self._number = int.from_bytes(code[: form.size], "little")
        self._written: dict[str, Operand] = {}
        for operand in instruction.operands:
            self._written.setdefault(operand.slot, operand)
        self._by_name = {operand.name: operand for operand in form.operands}
        accessed = re.search(r"\bMEM\.[a-z]+(\d+)", operation)
        self._scaled_by = int(accessed[1]) // 8 if accessed is not None else 4  # bytes, for scale_offset
        self._chooses_elements = bool(re.search(r"\b(?:OP_SEL|BYTE_SEL|SCALE_SEL|selected)\b", operation))
        self._references: dict[str, Reference] = {}
        self.ttmp_base = target.ttmp_base

    # Encoding

    @cached_property
    def fields(self) -> dict[str, int]:
        """The values of all fields of the encoding."""
        found = {}
        for field in self.form.fields:
            value = 0
            for piece in field.pieces:
                value |= (self._number >> piece.bit & (1 << piece.width) - 1) << piece.source
            found[field.name] = value
        return {**dict(self.form.presets), **found}

    @property
    def scales_offset(self) -> bool:
        """Whether the address in a register counts elements of what is accessed."""
        policy = self._written.get("cpol")
        return policy is not None and "scale_offset" in policy.text

    @property
    def literal(self) -> int:
        """The constant after the encoding, or at its end where the instruction always has one."""
        after = self._code[self.form.size :]
        return int.from_bytes(after, "little") if after else self.fields.get(_OWN_LITERAL, 0)

    @cached_property
    def is_scalar(self) -> bool:
        """Whether it happens once for the wave: no operand can be a vector register."""
        classes = [operand.kind.registers for operand in self.form.operands]
        return not any(found is not None and found.files & {"v", "a"} for found in classes)

    @property
    def is_permuted(self) -> bool:
        """Whether a source is read from other lanes, so that reading it changes which lanes write."""
        return "DPP" in self.form.variant

    @cached_property
    def is_packed(self) -> bool:
        """Whether modifiers choose and negate halves of sources."""
        return "VOP3P" in self.form.flags or self.form.family == "VOP3P"

    def slot(self, name: str) -> str:
        """The operand of the form that a name of the notation stands for; empty if there is none."""
        candidates = notation.OPERANDS.get(name, ())
        if self.suffix:
            own = [each for each in candidates if each.endswith(self.suffix)]
            candidates = (*own, *(each for each in candidates if each[-1] not in "XY"))
        present = {*self._by_name, *self._written}
        for each in candidates:
            if each in present:
                return each
            if each.startswith("vcc") and ("vcc" in self.form.defs or "vcc" in self.form.uses):
                return "vcc"
        return ""

    def reference(self, name: str) -> Reference:
        """What a name of the notation stands for."""
        known = self._references.get(name)
        if known is None:
            known = self._references[name] = self._resolved(name)
        return known

    def _resolved(self, name: str) -> Reference:
        slot = self.slot(name)
        if not slot or slot == "off":
            return Reference("none")
        if slot.startswith("vcc"):
            return Reference("s", "vcc", self.lanes)
        operand = self._by_name.get(slot)
        registers = operand.kind.registers if operand is not None else None
        bits = registers.bits if registers is not None else 32
        modifiers = self.fields.get(f"{slot}_modifiers", 0)
        select = self.fields.get(f"{slot}_sel", WHOLE_SELECT)
        is_dpp = "DPP" in self.form.variant and slot in ("src0", "src0X", "src0Y")
        written = self._written.get(slot)
        if written is None or written.kind != "register":
            return self._unwritten(slot, bits, modifiers)
        bits = max(bits, 32 * written.count) if bits != 16 else 16
        if self._is_mask(slot, operand):
            bits = self.lanes
        file = written.file
        half = written.text.rstrip("|)")[-1] if bits == 16 and written.text.rstrip("|)")[-2:] in (".l", ".h") else ""
        if file in ("v", "a"):
            return Reference(file, slot, bits, half, 0, modifiers, select, is_dpp)
        if file in ("s", "ttmp") or written.first < _SCALARS:
            if file == "null" or written.text == "null":
                return Reference("none", slot, bits)
            return Reference("s", slot, bits, "", 0, modifiers, select)
        return Reference("special", slot, bits, "", written.first, modifiers, select)

    def _is_mask(self, slot: str, operand: "isa.Operand | None") -> bool:
        """Whether an operand is a mask of lanes, of one register in waves of 32."""
        kind = operand.kind.name if operand is not None else ""
        return "S64orS32" in kind or (slot == "src2" and kind.startswith("SSrc_i1")) or kind == "SSrc_i1"

    def _unwritten(self, slot: str, bits: int, modifiers: int) -> Reference:
        value = self.fields.get(slot)
        written = self._written.get(slot)
        if value is None:
            tied = dict(self.form.ties).get(slot)
            return self._resolved_slot(tied) if tied else Reference("none", slot, bits)
        if written is None and slot in dict(self.form.ties):
            return self._resolved_slot(dict(self.form.ties)[slot])
        if value in (_LITERAL, LITERAL64) and (len(self._code) > self.form.size or _OWN_LITERAL in self.fields):
            return Reference("literal", slot, bits, "", value, modifiers)
        return Reference("constant", slot, bits, "", value, modifiers)

    def _resolved_slot(self, slot: str) -> Reference:
        written = self._written.get(slot)
        operand = self._by_name.get(slot)
        bits = operand.kind.registers.bits if operand is not None and operand.kind.registers is not None else 32
        return Reference(written.file if written is not None else "none", slot, bits)

    # Parameters

    def parameter(self, key: str) -> object:
        """The value of a parameter of the recipe."""
        what, _, name = key.partition(":")
        if what == "register":
            if name == "vcc":
                return VCC
            written = self._written[name]
            return written.first + (self.ttmp_base if written.file == "ttmp" else 0)
        if what == "literal":
            return self.literal
        return self.immediate(name)

    def immediate(self, slot: str) -> int:
        """The value of an immediate, with its sign."""
        written = self._written.get(slot)
        if written is not None and isinstance(written.value, int) and written.kind != "register" and slot != "simm16":
            return written.value
        return self.fields.get(slot, 0)

    def _parameter(self, key: str) -> str:
        if key not in self.recipe:
            self.recipe.append(key)
        return f"n{self.suffix}{self.recipe.index(key)}"

    def _register(self, reference: Reference, offset: int = 0) -> str:
        name = self._parameter(f"register:{reference.slot}")
        return f"{name} + {offset}" if offset else name

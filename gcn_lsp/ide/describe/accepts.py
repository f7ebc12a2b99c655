"""Describes which values the operands of a form accept, in words short enough for a table cell."""

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.describe import syntax
from gcn_lsp.isa import documentation
from gcn_lsp.isa.operands import operand_types

_TYPES = {
    "INT16": "i16",
    "INT32": "i32",
    "INT64": "i64",
    "FP16": "f16",
    "BF16": "bf16",
    "FP32": "f32",
    "FP64": "f64",
    "V2FP16": "packed f16",
    "V2BF16": "packed bf16",
    "V2INT16": "packed i16",
    "V2FP32": "packed f32",
    "V2INT32": "packed i32",
}
FILES = {"v": "VGPR", "s": "SGPR", "a": "AccVGPR", "ttmp": "trap SGPR"}


def meant(slot: isa.Slot, form: isa.Form) -> isa.Slot:
    """The slot with the type of its values, where LLVM's operand has another one."""
    kind = slot.kind
    name = operand_types.source_type(form.mnemonic, slot.name)
    if kind is None or not name or not _is_source(kind):
        return slot
    written = kind.type.removesuffix(kind.value_type) + name
    return msgspec.structs.replace(slot, kind=msgspec.structs.replace(kind, type=written))


def accepts(slot: isa.Slot, form: "isa.Form | None" = None, target: "isa.Target | None" = None) -> str:
    """The values of a slot: `VGPR or SGPR, f32`, `4 SGPRs`, `signed 16-bit number`, an offset with its limits."""
    kind = meant(slot, form).kind if form is not None else slot.kind
    if kind is None:
        return ""
    if slot.role == "modifier":
        return _modifier_takes(slot, form, target) if form is not None and target is not None else ""
    if kind.registers is None:
        return _immediate(slot.name, kind, form, target)
    files = kind.registers.files
    if form is not None and target is not None and not slot.is_def and not _takes_scalars(form, target):
        files -= {"s", "ttmp"}
    parts = [_registers(kind.registers, files)]
    value = _TYPES.get(kind.value_type, "")
    if slot.is_def:  # LLVM gives the result of s_get_barrier_state the type of a source
        return parts[0]
    if value:
        parts.append(value)
    if "REG_IMM" in kind.type and _takes_literal(form, target):
        parts.append("or a constant")
    elif _is_source(kind) and _takes_inline(slot, form, target):
        parts.append("or an inline constant")
    return ", ".join(parts).replace(", or ", " or ")


def _modifier_takes(slot: isa.Slot, form: isa.Form, target: isa.Target) -> str:
    """`unsigned 12-bit number`; empty for a modifier written as words or as a list."""
    match = _BITS.fullmatch(syntax.number(slot, form, target)) if slot.name not in syntax.WORDED else None
    return f"{'signed' if match[1] == 'i' else 'unsigned'} {match[2]}-bit number" if match is not None else ""


_BITS = re.compile(r"([iu])(\d+)")


def _takes_literal(form: "isa.Form | None", target: "isa.Target | None") -> bool:
    """Whether the encoding has room for a constant that is not inline."""
    if form is None or target is None or form.size <= 4 or any(slot.name == "imm" for slot in form.slots):
        return True
    if "DPP" in form.variant or "SDWA" in form.variant:
        return False
    return target.has_vop3_literals or not form.flags & {"VOP3", "VOP3P"}


def _takes_scalars(form: isa.Form, target: isa.Target) -> bool:
    """Whether sources may be SGPRs where the tables allow them: before gfx10 a literal takes their place."""
    if form.mnemonic.startswith("v_accvgpr_write"):
        return target.has_general_acc_write
    has_literal = form.family == "VOP2" and any(slot.name == "imm" for slot in form.slots)
    return not has_literal or target.has_vop3_literals


def _takes_inline(slot: isa.Slot, form: "isa.Form | None", target: "isa.Target | None") -> bool:
    """Whether inline constants work where the tables allow them: on gfx908 the hardware fails for the C of MFMA."""
    if form is None or target is None or slot.name != "src2" or "IsMAI" not in form.flags:
        return True
    return not target.misreads_inline_constants_of_mfma


def operands(known: Iterable[isa.Form], target: isa.Target) -> Mapping[str, str]:
    """What each operand of the forms accepts, in any of them. In a pair the operands are those of its first half."""
    taken: dict[str, dict[str, None]] = {}
    for form in known:
        for slot in form.slots:
            if slot.name == "vdstY":
                break
            text = accepts(slot, form, target) if slot.role not in ("modifier", "token") else ""
            if text:
                taken.setdefault(slot.name, {})[text] = None
    return {name: _most(tuple(texts)) for name, texts in taken.items()}


def _most(texts: tuple[str, ...]) -> str:
    """The texts without those that another one includes."""
    wide = [text for text in texts if not any(_includes(other, text) for other in texts)]
    return "; ".join(_counted(wide)) + ("; less in some forms" if len(wide) < len(texts) else "")


def _includes(wide: str, narrow: str) -> bool:
    if wide == narrow:
        return False
    is_part = wide.startswith((f"{narrow} or ", f"{narrow}, ")) or wide.endswith(f" or {narrow}")
    return is_part or wide == narrow.replace("an inline constant", "a constant")


def _counted(texts: Iterable[str]) -> Iterator[str]:
    """`1 to 4 VGPRs` for `VGPR`, `2 VGPRs` and so on; the other texts as they are."""
    counts: dict[str, list[int]] = {}
    others = []
    for text in texts:
        match = _PLAIN_REGISTERS.fullmatch(text)
        if match is not None:
            counts.setdefault(match[2] + (f" or {match[3]}" if match[3] else ""), []).append(int(match[1] or 1))
        else:
            others.append(text)
    for name, found in counts.items():
        low, high = min(found), max(found)
        every = len(found) == high - low + 1
        numbers = f"{low} to {high}" if every and high - low > 1 else " or ".join(map(str, sorted(found)))
        yield name if found == [1] else f"{numbers} {name.replace(' or ', 's or ')}s"
    yield from others


_PLAIN_REGISTERS = re.compile(r"(?:(\d+) )?(VGPR|SGPR|AccVGPR)s?(?: or (?:\1 )?(AccVGPR)s?)?")


def _immediate(name: str, kind: isa.OperandKind, form: "isa.Form | None", target: "isa.Target | None") -> str:
    """What an operand that is not a register accepts."""
    limits = syntax.limits(form, target) if form is not None and target is not None and kind.match in _OFFSETS else None
    if limits is not None:
        sign = "signed" if limits.low < 0 else "unsigned"
        return f"{sign} {(limits.high - limits.low).bit_length()}-bit number of {limits.unit}"
    entry = documentation.operand(kind.name, target)
    if entry is not None and entry.syntax != _ANY_NUMBER:
        return entry.syntax
    value = _TYPES.get(kind.value_type, "")
    if value or not kind.bits:
        return value
    field = form.field(name) if form is not None else None
    encoded = sum(piece.width for piece in field.pieces) if field is not None else kind.bits
    return f"{'signed' if kind.signed else 'unsigned'} {min(kind.bits, encoded)}-bit number"


_ANY_NUMBER = "a number"
_OFFSETS = frozenset(("SMEMOffset", "SMRDOffset8"))


def _registers(registers: isa.RegisterClass, among: frozenset[str]) -> str:
    files = [FILES[file] for file in ("v", "a", "s", "ttmp") if file in among]
    if len(files) > 1 and "trap SGPR" in files:
        files.remove("trap SGPR")  # only trap handlers see them
    count = registers.bits // 32
    if count > 1:
        files = [f"{count} {name}s" for name in files]
    return " or ".join(files) if files else " or ".join(sorted(registers.specials)[:3])


def _is_source(kind: isa.OperandKind) -> bool:
    """Whether an operand of this kind takes constants."""
    return "REG_IMM" in kind.type or "REG_INLINE" in kind.type

"""How an instruction form is written and what its operands accept, in words short enough for a table cell."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction import modifiers
from gcn_lsp.instruction.constraints import matrix, memory
from gcn_lsp.isa import documentation
from gcn_lsp.isa.modifiers import cache_policy, offsets, table

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
_WIDTHS = {"16": 16, "32": 32, "64": 64}


def syntax(form: isa.Form, target: isa.Target) -> str:
    """The form as one writes it: `buffer_load_dword vdata, vaddr, srsrc, soffset offen [offset:u12] [glc] [slc]`."""
    return syntax_and_places(form, target)[0]


def syntaxes(known: Iterable[isa.Form], target: isa.Target) -> tuple[str, ...]:
    """The ways to write any of the forms. Of two that differ in a VCC which may be left out, the one that has it.

    Of pairs the first half, which goes with any second one.
    """
    found = dict.fromkeys(_alone(syntax(form, target)) for form in known)
    bare = {text: _SPELT_VCC.sub("", text) for text in found}
    also_spelt = {short for text, short in bare.items() if short != text}
    return tuple(text for text in found if text not in also_spelt)


def _alone(text: str) -> str:
    first, mark, _ = text.partition(_PAIR)
    return f"{first}{mark}v_dual_..." if mark else text


def second_half(form: isa.Form, target: isa.Target) -> str:
    """How the second half of a pair is written."""
    return f"v_dual_...{_PAIR}{syntax(form, target).partition(_PAIR)[2]}"


_PAIR = " :: "
_SPELT_VCC = re.compile(r"(?<= )vcc(?:_lo)?, |, vcc(?:_lo)?\b")


def syntax_and_places(form: isa.Form, target: isa.Target) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The form as one writes it, and where each of its slots stands in that text."""
    places: list[tuple[int, str]] = []
    trailing: list[tuple[int, str]] = []
    for number, slot in enumerate(form.slots):
        if slot.role == "modifier":
            written = _modifier(slot, form, target)
            if written:
                trailing.append((number, written))
        elif slot.role == "token" and slot.text in _TRAILING_TOKENS:
            trailing.append((number, slot.text))  # written behind the operands without a comma
        elif slot.role == "token":
            places.append((number, slot.text))
        else:
            places.append((number, slot.name if slot.required else f"[{slot.name}]"))
    text = form.mnemonic
    spans: dict[int, tuple[int, int]] = {}
    for parts, separator in ((places, ", "), (trailing, " ")):
        for index, (number, part) in enumerate(parts):
            before = parts[index - 1][1] if index else ""
            if (
                part == "::" or before == "::" or (index > 1 and parts[index - 2][1] == "::")
            ):  # around a second mnemonic
                text += " "
            elif before != "[" and part != "]":  # around the registers of an image's address
                text += separator if index else " "
            spans[number] = len(text), len(text) + len(part)
            text += part
    return text, tuple(spans.get(number, (0, 0)) for number in range(len(form.slots)))


_TRAILING_TOKENS = frozenset(("offen", "idxen", "addr64", "lds", "tfe", "gds"))

# How the value of a modifier is written, where it is no plain number; `dpp_ctrl` and `omod` stand for several words.
_VALUES = {
    "dpp_ctrl": "quad_perm:[a,b,c,d]|row_shl:n|...",
    "omod": "mul:2|mul:4|div:2",
    "op_sel": "op_sel:[a,b,...]",
    "op_sel_hi": "op_sel_hi:[a,b,...]",
    "neg_lo": "neg_lo:[a,b,...]",
    "neg_hi": "neg_hi:[a,b,...]",
    "dst_sel": "dst_sel:SELECT",
    "src0_sel": "src0_sel:SELECT",
    "src1_sel": "src1_sel:SELECT",
    "dst_unused": "dst_unused:UNUSED",
    "dpp8": "dpp8:[a,b,c,d,e,f,g,h]",
    "dim": "dim:DIM",
    "blgp": "blgp:u3",
}


# What a target must have for a modifier that LLVM's tables give its forms whether it has it or not.
_NEEDING = {"gds": "FeatureGDS", "d16": "FeatureGFX8Insts"}

# Values that are words.
_WORDS = {
    "matrix_a_fmt:": "FORMAT",
    "matrix_b_fmt:": "FORMAT",
    "matrix_a_scale:": "ROW",
    "matrix_b_scale:": "ROW",
    "matrix_a_scale_fmt:": "FORMAT",
    "matrix_b_scale_fmt:": "FORMAT",
}
_ALIASES = frozenset(name + ":" for name in table.ALIASES)


def spellings(slot: isa.Slot, target: isa.Target, form: isa.Form) -> tuple[str, ...]:
    """The words that a modifier's slot takes; those with a value end in a colon. `noglc` and kin are left out."""
    kind = slot.kind
    if kind is None:
        return ()
    if kind.match == "CPol":
        words = ("th:", "scope:") if target.generation_number >= 12 else ()
        return (*cache_flags(form, target), *words)
    if slot.name == "blgp":
        return ("neg:",) if matrix.blgp_negates(form, target) else ("blgp:",)
    found = modifiers.spellings(kind, target) or frozenset()
    return tuple(sorted(word for word in found if word.removeprefix("no") not in found or not word.startswith("no")))


def cache_flags(form: isa.Form, target: isa.Target) -> Mapping[str, int]:
    """The cache policy flags that the form takes on the target, with their bits in `cpol`."""
    return cache_policy.flags(target.features, form.family in ("SMEM", "SMRD"))


def _modifier(slot: isa.Slot, form: isa.Form, target: isa.Target) -> str:
    """A modifier as one writes it; in brackets if it may be left out, empty if it can only be left out."""
    if slot.name == "cpol":
        return " ".join(_cache_policy(form, target))
    if slot.name == "format":
        return "[format:FORMAT]" if target.generation_number >= 10 else "[format:[DATA,NUMBER]]"
    if slot.name in _VALUES:
        text = "neg:[a,b,c]" if spellings(slot, target, form) == ("neg:",) else _VALUES[slot.name]
        return text if slot.required else f"[{text}]"
    if slot.name == "offset" and _reach(form, target) == 0:
        return ""
    if slot.name == "clamp" and "IntClamp" in form.flags and not target.has("FeatureIntClamp"):
        return ""
    if slot.name in _NEEDING and not target.has(_NEEDING[slot.name]):
        return ""
    words = [word for word in spellings(slot, target, form) or (slot.name,) if word not in _ALIASES]
    texts = [
        f"{word}{_WORDS.get(word) or _number(slot, form, target)}" if word.endswith(":") else word for word in words
    ]
    return " ".join(text if slot.required else f"[{text}]" for text in texts)


def _cache_policy(form: isa.Form, target: isa.Target) -> Iterator[str]:
    """The flags of the cache policy. An atomic that returns a value has to say so, another one may not."""
    # Images have one form for both.
    returns = None if form.family in ("MIMG", "VIMAGE") or "IsAtomicRet" not in form.flags else True
    if "IsAtomicNoRet" in form.flags:
        returns = False
    if target.generation_number >= 12:
        yield "th:TH_ATOMIC_RETURN" if returns else "[th:HINT]"
        yield "[scope:SCOPE]"
    for name, bit in cache_flags(form, target).items():
        if bit == cache_policy.SCALE_OFFSET and not memory.scales_offset(form):
            continue
        if bit != cache_policy.GLC or returns is None:
            yield f"[{name}]"
        elif returns:
            yield name


def _number(slot: isa.Slot, form: isa.Form, target: isa.Target) -> str:
    """`u12`, `i13`: sign and bits of the values that a modifier takes."""
    limits = _limits(form, target) if slot.name == "offset" else None
    if limits is not None:
        return f"{'i' if limits.low < 0 else 'u'}{(limits.high - limits.low).bit_length()}"
    known = _integers(target).get(slot.name)
    if known is not None:
        return f"u{known}"
    field = form.field(slot.name)
    bits = sum(piece.width for piece in field.pieces) if field is not None else 0
    if not bits:
        return "n"
    return f"{'i' if slot.kind is not None and slot.kind.signed else 'u'}{bits}"


@lru_cache(maxsize=32)
def _integers(target: isa.Target) -> Mapping[str, int]:
    """The modifiers with a number, and how many bits it takes."""
    known = table.modifiers(target.features).values()
    return {row.name: row.high.bit_length() for row in known if row.shape == "integer"}


def _limits(form: isa.Form, target: isa.Target) -> "offsets.OffsetRange | None":
    return offsets.offset_range(form.family, target.features, "_buffer_" in form.mnemonic)


def _reach(form: isa.Form, target: isa.Target) -> "int | None":
    """The highest offset of a form; None when it is not known."""
    limits = _limits(form, target)
    return limits.high if limits is not None else None


def meant(slot: isa.Slot, form: isa.Form) -> isa.Slot:
    """The slot with the type that its values have: that of what a matrix instruction adds to is in its name.

    The tables give the accumulators of gfx11's WMMA the type of doubles, and many of MFMA that of integers.
    """
    kind = slot.kind
    match = _MATRIX.match(form.mnemonic) if slot.name == "src2" else None
    if kind is None or match is None or "REG_INLINE" not in kind.type:
        return slot
    name = kind.type.removesuffix(_suffix(kind)) + _ACCUMULATORS[match[1]]
    return msgspec.structs.replace(slot, kind=msgspec.structs.replace(kind, type=name))


_MATRIX = re.compile(r"v_(?:mfma|wmma)_(?:scale(?:16)?_)?([a-z]+\d+(?:f32)?)_\d+x")
_ACCUMULATORS = {
    "f64": "FP64",
    "f32": "FP32",
    "f16": "FP16",
    "bf16": "BF16",
    "bf16f32": "FP32",
    "i32": "INT32",
}


def float_width(kind: isa.OperandKind | None) -> int:
    """Bits of a float in a source operand of this kind; of packed operands, those of one half. 0 for bfloat."""
    if kind is None:
        return 32
    suffix = _suffix(kind)
    if "BF16" in suffix:
        return 0
    return 16 if suffix == "V2FP16" else width(kind)


def is_double(kind: isa.OperandKind | None) -> bool:
    """Whether a value in a source operand of this kind is a 64-bit float."""
    return kind is not None and _suffix(kind) == "FP64"


def width(kind: isa.OperandKind | None) -> int:
    """Bits of a value in a source operand of this kind: 16, 32 or 64."""
    if kind is None:
        return 32
    suffix = _suffix(kind)
    if suffix.startswith("V2"):
        return 32
    return next((bits for text, bits in _WIDTHS.items() if suffix.endswith(text)), 32)


def accepts(slot: isa.Slot, form: "isa.Form | None" = None, target: "isa.Target | None" = None) -> str:
    """What a slot takes: `VGPR or SGPR, f32`, `4 SGPRs`, `signed 16-bit number`, an offset within its form's limits."""
    kind = meant(slot, form).kind if form is not None else slot.kind
    if kind is None:
        return ""
    if slot.role == "modifier":
        return _modifier_takes(slot, form, target) if form is not None and target is not None else ""
    if kind.registers is None:
        return _immediate(slot.name, kind, form, target)
    parts = [_registers(kind.registers)]
    value = _TYPES.get(_suffix(kind), "")
    if slot.is_def:  # LLVM gives the result of s_get_barrier_state the type of a source
        return parts[0]
    if value:
        parts.append(value)
    if "REG_IMM" in kind.type and _takes_literal(form, target):
        parts.append("or a constant")
    elif ("REG_IMM" in kind.type or "REG_INLINE" in kind.type) and _takes_inline(slot, form, target):
        parts.append("or an inline constant")
    return ", ".join(parts).replace(", or ", " or ")


def _modifier_takes(slot: isa.Slot, form: isa.Form, target: isa.Target) -> str:
    """`unsigned 12-bit number`; empty for what is written in words or as a list."""
    match = _BITS.fullmatch(_number(slot, form, target)) if slot.name not in _VALUES else None
    return f"{'signed' if match[1] == 'i' else 'unsigned'} {match[2]}-bit number" if match is not None else ""


_BITS = re.compile(r"([iu])(\d+)")


def _takes_literal(form: "isa.Form | None", target: "isa.Target | None") -> bool:
    """Whether the encoding has room for a constant that is not inline."""
    if form is None or target is None or form.size <= 4 or any(slot.name == "imm" for slot in form.slots):
        return True
    if "DPP" in form.variant or "SDWA" in form.variant:
        return False
    return target.has("FeatureVOP3Literal") or not form.flags & {"VOP3", "VOP3P"}


def _takes_inline(slot: isa.Slot, form: "isa.Form | None", target: "isa.Target | None") -> bool:
    """Whether inline constants work where the tables have them: on gfx908 the hardware fails for the C of MFMA."""
    if form is None or target is None or slot.name != "src2" or "IsMAI" not in form.flags:
        return True
    return not target.has("FeatureMFMAInlineLiteralBug")


def operands(known: Iterable[isa.Form], target: isa.Target) -> Mapping[str, str]:
    """What each operand of the forms takes, in any of them. In a pair the operands are those of its first half."""
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
    """The texts without those of which another takes everything and more."""
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
    """What an operand that is no register takes."""
    limits = _limits(form, target) if form is not None and target is not None and kind.match in _OFFSETS else None
    if limits is not None:
        sign = "signed" if limits.low < 0 else "unsigned"
        return f"{sign} {(limits.high - limits.low).bit_length()}-bit number of {limits.unit}"
    entry = documentation.operand(kind.name, target)
    if entry is not None and entry.syntax != _ANY_NUMBER:
        return entry.syntax
    value = _TYPES.get(_suffix(kind), "")
    if value or not kind.bits:
        return value
    field = form.field(name) if form is not None else None
    encoded = sum(piece.width for piece in field.pieces) if field is not None else kind.bits
    return f"{'signed' if kind.signed else 'unsigned'} {min(kind.bits, encoded)}-bit number"


_ANY_NUMBER = "a number"
_OFFSETS = frozenset(("SMEMOffset", "SMRDOffset8"))


def _registers(registers: isa.RegisterClass) -> str:
    files = [FILES[file] for file in ("v", "a", "s", "ttmp") if file in registers.files]
    if len(files) > 1 and "trap SGPR" in files:
        files.remove("trap SGPR")  # only trap handlers see them
    count = registers.bits // 32
    if count > 1:
        files = [f"{count} {name}s" for name in files]
    return " or ".join(files) if files else " or ".join(sorted(registers.specials)[:3])


def _suffix(kind: isa.OperandKind) -> str:
    return kind.type.rpartition("_")[2]

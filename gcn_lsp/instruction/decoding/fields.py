"""The text of what is neither register nor source: modifiers, offsets and immediates, by LLVM's operand class."""

from collections.abc import Callable, Mapping

from gcn_lsp import isa
from gcn_lsp.instruction import modifiers
from gcn_lsp.instruction.constraints import matrix
from gcn_lsp.instruction.decoding import helpers, numbers
from gcn_lsp.isa.kernels import predefined
from gcn_lsp.isa.modifiers import cache_policy, dimensions, offsets, table

Text = Callable[[int], "str | None"]
"""The text of a field's value, with the blank before a modifier; None when the value means nothing."""
Maker = Callable[[isa.OperandKind, isa.Form, isa.Target], Text]

_HEXADECIMAL = frozenset(("DMask", "DppRowMask", "DppBankMask"))
_ALWAYS = frozenset(("DppRowMask", "DppBankMask", "WaitVDST", "WaitEXP", "WaitVAVDst", "WaitVMVSrc"))
_INTERPOLATION_SLOTS = ("p10", "p20", "p0")
_LARGEST_DECIMAL_BITOP = 10


def text_of(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    """How a field of the kind is written."""
    maker = _MAKERS.get(kind.match)
    if maker is not None:
        return maker(kind, form, target)
    helper = _HELPERS.get(kind.match)
    if helper is not None:
        return lambda value: helper(target, value)
    if kind.parser == "parseNamedBit":
        return _flag(kind.prefix)
    if kind.parser.startswith("parseIndexKey"):
        return lambda value: f" index_key:{value}" if value else ""
    if kind.parser == "parseIntWithPrefix":
        return _named(kind)
    word = modifiers.WORDS.get(kind.match)
    if word is not None:
        return _word(word, kind.match in _SELECTS)
    if kind.name == "VersionImm":
        return _version(kind, form, target)
    if kind.match == "S16Imm" or kind.match == "U16Imm":
        return lambda value: f"{value & 0xFFFF:#x}"
    return _plain


def _plain(value: int) -> str:
    """A number as LLVM writes those that are no source: an inline constant by its value."""
    if -16 <= value <= 64:
        return str(value)
    return numbers.single(value)


def _flag(name: str) -> Text:
    return lambda value: f" {name}" if value else ""


def _named(kind: isa.OperandKind) -> Text:
    notation = "#x" if kind.match in _HEXADECIMAL else "d"
    always = kind.match in _ALWAYS
    return lambda value: f" {kind.prefix}:{value:{notation}}" if value or always else ""


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def _signed_bits(family: str, target: isa.Target) -> int:
    """The bits of a family's offset, by the range that the assembler takes; 0 if it is unsigned."""
    taken = offsets.offset_range(family, target.features)
    return taken.high.bit_length() + 1 if taken is not None and taken.low < 0 else 0


def _word(name: str, always: bool) -> Text:
    words = {number: word for word, number in (table.ROWS[name].values or {}).items()}

    def text(value: int) -> str | None:
        if always:
            return f"{name}:{words[value]}" if value in words else None
        return f" {name}:{words.get(value, value)}" if value else ""

    return text


_SELECTS = frozenset(("SDWADstSel", "SDWADstUnused", "SDWASrc0Sel", "SDWASrc1Sel"))


def _scalar_offset(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    bits = _signed_bits("SMEM", target)
    prefix = f" {kind.prefix}:" if kind.prefix else ""
    if not bits:
        return lambda value: f"{prefix}{value & 0xFFFFF:#x}"
    return lambda value: f"{prefix}{_signed(value, bits):#x}"


def _hexadecimal(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    return lambda value: f"{value:#x}"


def _buffer_offset(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    if form.family in ("MUBUF", "MTBUF") and target.has_temporal_hints:
        return lambda value: None if value >> 23 else f" offset:{value}" if value else ""
    return lambda value: f" offset:{value}" if value else ""


def _flat_offset(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    bits = _signed_bits("FLAT" if form.family == "FLAT" else "GLOBAL", target)
    if not bits:
        return lambda value: f" offset:{value}" if value else ""
    return lambda value: f" offset:{_signed(value, bits)}" if value else ""


def _resource_bit(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    return _flag("a16" if target.has_a16_in_r128 else "r128")


def _policy(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    # Constant bits say that these return a value; images have a field for it.
    returned = cache_policy.GLC if "IsAtomicRet" in form.flags and form.image is None else 0
    if helpers.is_late(target):
        access = _access(form)
        return lambda value: helpers.late_policy(target, value | returned, access)
    is_scalar = form.family in cache_policy.SCALAR_FAMILIES
    return lambda value: helpers.early_policy(target, value | returned, is_scalar)


def _access(form: isa.Form) -> int:
    """For which accesses the hint of a form is, as LLVM sees it."""
    if form.flags & {"IsAtomicNoRet", "IsAtomicRet"}:
        return cache_policy.ATOMIC
    if form.may_store and form.mnemonic.startswith(("tensor_store", "global_store_async")):
        return cache_policy.STORE
    return cache_policy.STORE if form.may_store and not form.may_load else cache_policy.LOAD


def _output_modifier(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    texts = {
        code: f" {name}:{factor}" for name, codes in table.OUTPUT_MODIFIERS.items() for factor, code in codes.items()
    }
    texts[0] = ""
    return texts.get


def _truth_operator(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    return lambda value: f" bitop3:{value:{'d' if value <= _LARGEST_DECIMAL_BITOP else '#x'}}" if value else ""


def _negation(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    if matrix.blgp_negates(form, target):
        return lambda value: f" neg:[{value & 1},{value >> 1 & 1},{value >> 2 & 1}]" if value else ""
    return lambda value: f" blgp:{value}" if value else ""


def _bound_control(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    return lambda value: " bound_ctrl:1" if value else ""


def _fetch_inactive(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    if kind.name == "Dpp8FI":
        return {0xE9: "", 0xEA: " fi:1"}.get
    return lambda value: " fi:1" if value else ""


def _dimension(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    names = {code: f" dim:{dimensions.PREFIX}{name}" for name, code in dimensions.CODES.items()}
    return names.get


def _version(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    """`UC_VERSION_GFX12|UC_VERSION_W64_BIT`, or the number when other bits are set."""
    bits = {name: code for name, code in predefined.VERSION_CODES.items() if name.endswith("_BIT")}
    generations = {code: name for name, code in predefined.VERSION_CODES.items() if name not in bits}

    def text(value: int) -> str:
        number = value & 0xFF
        if value & ~sum(bits.values()) != number:
            return f"{value:#x}"
        words = [generations.get(number, str(number)), *(name for name, bit in bits.items() if value & bit)]
        return "|".join(words)

    return text


def _branch(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    return str


def _end(kind: isa.OperandKind, form: isa.Form, target: isa.Target) -> Text:
    return lambda value: str(value) if value else ""


_MAKERS: Mapping[str, Maker] = {
    "SMEMOffset": _scalar_offset,
    "SMEMOffsetMod": _scalar_offset,
    "OptSMEMOffsetMod": _scalar_offset,
    "SMRDOffset8": _hexadecimal,
    "SMRDLiteralOffset": _hexadecimal,
    "Offset": _buffer_offset,
    "FlatOffset": _flat_offset,
    "R128A16": _resource_bit,
    "CPol": _policy,
    "CPol_GLC": _policy,
    "CPol_NonGLC": _policy,
    "OModSI": _output_modifier,
    "BitOp3": _truth_operator,
    "BLGP": _negation,
    "DppBoundCtrl": _bound_control,
    "DppFI": _fetch_inactive,
    "Dim": _dimension,
    "SOPPBrTarget": _branch,
    "Endpgm": _end,
}
_HELPERS: Mapping[str, Callable[[isa.Target, int], "str | None"]] = {
    "SWaitCnt": helpers.wait_counts,
    "DepCtr": helpers.dependency_counters,
    "SDelayALU": helpers.delay,
    "Hwreg": helpers.hardware_register,
    "SendMsg": helpers.message,
    "GPRIdxMode": helpers.index_mode,
    "ExpTgt": helpers.export_target,
    "Swizzle": helpers.swizzled,
    "DPPCtrl": helpers.dpp_control,
    "DPP8": helpers.dpp8,
    "InterpSlot": lambda target, value: _INTERPOLATION_SLOTS[value] if value < 3 else f"invalid_param_{value}",
    "InterpAttr": lambda target, value: f"attr{value}",
    "InterpAttrChan": lambda target, value: f".{'xyzw'[value & 3]}",
    "FORMAT": lambda target, value: "",  # written after soffset
}

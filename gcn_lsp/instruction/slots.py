"""What a slot accepts, as a rule: made once for each operand kind, applied to the shape of an operand.

The rules are those of LLVM's operand classes: their names say file and type (`VSrc_f32`: a VALU source read as f32).
"""

from typing import cast

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction import immediates, modifiers, operands, registers
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.registers import RegisterRef
from gcn_lsp.isa import versions
from gcn_lsp.isa.modifiers import cache_policy
from gcn_lsp.isa.operands.immediates import INV_2PI_FEATURE
from gcn_lsp.isa.tables import features

NO_MODIFIERS, FLOAT_MODIFIERS, SEXT_MODIFIER = "", "float", "sext"


class Rule(msgspec.Struct, frozen=True):
    """The operands that a slot accepts.

    names: the shapes of its keywords or tokens. The other fields are not used then.
    registers: the register class that it accepts, or None.
    token: the text of a token.
    inline: the type that inline constants are read as (`f32`), or '' if it accepts none.
    literals: the type that literals are read as.
    symbols: whether it accepts an expression that has no value yet.
    source_modifiers: the source modifiers that it accepts.
    integer: the name of the check for plain immediates.
    merged: the operand that is merged into it.
    calls: the names of its helper functions.
    inline_registers: whether it accepts registers encoded in the inline constant range.
    """

    names: frozenset[str] | None = None
    registers: isa.RegisterClass | None = None
    token: str = ""
    inline: str = ""
    literals: tuple[str, ...] = ()
    symbols: bool = False
    source_modifiers: str = NO_MODIFIERS
    integer: str = ""
    merged: str = ""
    calls: tuple[str, ...] = ()
    any_expression: bool = False
    inline_registers: bool = False

    @property
    def takes_numbers(self) -> bool:
        """Whether the slot takes some number."""
        return bool(self.inline or self.literals or self.integer)


_PREFIXES = ("SSrcOrLds_", "SSrc_", "SCSrc_", "VSrcT_", "VSrcFake16_", "VSrc_", "VCSrcT_", "VCSrc_", "VISrc_", "AISrc_")
_INLINE = {
    "b16": "i16",
    "b32": "i32",
    "b64": "i64",
    "v2b16": "i16",
    "v2f16": "f16",
    "v2bf16": "bf16",
    "v2b32": "i64",
    "v2f32": "f64",
    "v2b64": "i64",
    "v2f64": "f64",
}
_LITERALS = {
    "b16": ("i16",), "b32": ("i32",), "b64": ("i64",), "v2b16": ("i16", "v2i16"), "v2f16": ("f16", "v2f16"),
    "v2bf16": ("bf16", "v2bf16"), "v2b32": ("i64", "v2i32"), "v2f32": ("f64", "v2f32"),
    "v2b64": ("i64",), "v2f64": ("f64",),
}  # fmt: skip
PAIR_AS_HALF = ("bf16", "v2f16")
"""The literals of a pair of bf16 where `versions.PAIRS_AS_HALVES` holds."""
_LONG = (("i64",), ("f64",))
_HALVES_OF_PAIRS = ("v2b32", "v2f32")  # where literals have 64 bits, only the low half of a number counts
_TAKES_SYMBOLS = frozenset(("SSrc_b32", "SSrc_f32", "SSrcOrLds_b32", "VSrc_b32", "VSrc_f32"))
_TAKES_LONG_SYMBOLS = frozenset(("SSrc_b64",))  # where a literal may have 64 bits

# Classes of sources with modifiers: type, whether they take literals, which modifiers.
_WITH_MODIFIERS = {
    "RegOrImmWithFP16InputMods": ("f16", True, FLOAT_MODIFIERS),
    "RegOrImmWithFP32InputMods": ("f32", True, FLOAT_MODIFIERS),
    "RegOrImmWithFP64InputMods": ("f64", True, FLOAT_MODIFIERS),
    "RegOrImmWithInt16InputMods": ("i16", True, SEXT_MODIFIER),
    "RegOrImmWithInt32InputMods": ("i32", True, SEXT_MODIFIER),
    "RegOrImmWithInt64InputMods": ("i64", True, SEXT_MODIFIER),
    "RegOrImmWithFPT16InputMods": ("f16", True, FLOAT_MODIFIERS),
    "RegOrImmWithFPFake16InputMods": ("f16", True, FLOAT_MODIFIERS),
    "RegOrImmWithIntT16InputMods": ("i16", True, SEXT_MODIFIER),
    "RegOrImmWithIntFake16InputMods": ("i16", True, SEXT_MODIFIER),
    "RegOrInlineImmWithFP32InputMods": ("f32", False, FLOAT_MODIFIERS),
    "RegOrInlineImmWithFP64InputMods": ("f64", False, FLOAT_MODIFIERS),
    "RegOrInlineImmWithInt32InputMods": ("i32", False, SEXT_MODIFIER),
    "RegOrInlineImmWithFPFake16InputMods": ("f16", False, FLOAT_MODIFIERS),
    "RegOrInlineImmWithFPT16InputMods": ("f16", False, FLOAT_MODIFIERS),
    "RegOrInlineImmWithIntFake16InputMods": ("i16", False, SEXT_MODIFIER),
    "RegOrInlineImmWithIntT16InputMods": ("i16", False, SEXT_MODIFIER),
    "PackedFP16InputMods": ("v2f16", True, FLOAT_MODIFIERS),
    "SDWAWithFP16InputMods": ("f16", False, FLOAT_MODIFIERS),
    "SDWAWithFP32InputMods": ("f32", False, FLOAT_MODIFIERS),
    "SDWAWithInt16InputMods": ("i16", False, SEXT_MODIFIER),
    "SDWAWithInt32InputMods": ("i32", False, SEXT_MODIFIER),
    "SDWAWithBin32InputMods": ("i32", False, NO_MODIFIERS),
    "VRegWithFPInputMods": ("", False, FLOAT_MODIFIERS),
    "VRegWithIntInputMods": ("", False, SEXT_MODIFIER),
    "VRegWithFP32InputMods": ("", False, FLOAT_MODIFIERS),
    "VRegWithFP64InputMods": ("", False, FLOAT_MODIFIERS),
    "PackedFP32InputMods": ("", False, FLOAT_MODIFIERS),
    "Fake16VRegWithFPInputMods": ("", False, FLOAT_MODIFIERS),
    "Fake16VRegWithIntInputMods": ("", False, SEXT_MODIFIER),
    "Fake16_Lo128VRegWithFPInputMods": ("", False, FLOAT_MODIFIERS),
    "Fake16_Lo128VRegWithIntInputMods": ("", False, SEXT_MODIFIER),
    "T16VRegWithFPInputMods": ("", False, FLOAT_MODIFIERS),
    "T16VRegWithIntInputMods": ("", False, SEXT_MODIFIER),
    "T16_Lo128VRegWithFPInputMods": ("", False, FLOAT_MODIFIERS),
    "T16_Lo128VRegWithIntInputMods": ("", False, SEXT_MODIFIER),
}

_DPP_SOURCES = frozenset(("VRegWithFPInputMods", "VRegWithIntInputMods"))
"""Their predicate takes one register and, with `FeatureDPALU_DPP`, two, whichever the instruction reads."""

# Plain immediates: the limit of each class. `any` is truncated to the field's width.
_INTEGERS = {
    "S16Imm": "s16", "U16Imm": "u16", "Imm": "any", "SMRDOffset8": "u8", "SMEMOffset": "integer",
    "SMRDLiteralOffset": "long", "SplitBarrier": "inline",
}  # fmt: skip
_KIMM = {"KImmFP16": "f16", "KImmFP32": "f32", "KImmFP64": "f64"}

# Helpers that read a number or a call; the reader checks the value.
_HELPERS = {
    "Hwreg": ("hwreg", operands.STRUCTURE),
    "SendMsg": ("sendmsg",),
    "GPRIdxMode": ("gpr_idx",),
    "WaitEvent": (operands.STRUCTURE,),
    "SOPPBrTarget": (),
    "Endpgm": (),
}
_MERGED = {
    "FORMAT": operands.FORMAT,
    "InterpAttr": operands.ATTRIBUTE,
    "InterpAttrChan": operands.CHANNEL,
    "SWaitCnt": operands.WHOLE,
    "SDelayALU": operands.WHOLE,
    "DepCtr": operands.WHOLE,
}
INTERPOLATION_SLOTS = {"p10": 0, "p20": 1, "p0": 2}
_CACHE = {
    "CPol": operands.CACHE,
    "CPol_GLC": operands.CACHE + " with glc",
    "CPol_NonGLC": operands.CACHE + " without glc",
}

_SHARED_NAME = "src_flat_scratch_base_lo"
"""In LLVM's tables also the name of the register pair, which cannot be written with it."""
_TAKING_NULL = frozenset(("SReg_96", "SReg_512"))
"""Classes without `null` for which LLVM's parser still takes it."""
APERTURES = frozenset(("src_shared_base", "src_shared_limit", "src_private_base", "src_private_limit"))


def rule_for(slot: isa.Slot, target: isa.Target) -> Rule:
    """What the slot takes on the target."""
    if slot.kind is None:
        return _token_rule(slot.text, target)
    kind = slot.kind
    if slot.modifiers is not None and slot.modifiers.match in _WITH_MODIFIERS:
        return _modified(slot.modifiers.match, kind.registers, target)
    names = modifiers.spellings(kind, target)
    if names is not None:
        return Rule(names=names)
    match = kind.match
    if match in _CACHE:
        return Rule(merged=_CACHE[match])
    if match in _MERGED:
        return Rule(merged=_MERGED[match])
    if match in _HELPERS:
        return Rule(integer="helper", calls=_HELPERS[match], any_expression=True)
    if match in _INTEGERS:
        return Rule(integer=_INTEGERS[match])
    if match in _KIMM:
        return Rule(literals=(_KIMM[match],))
    if match == "AV_LdSt_32_Align2_RegOp":  # the class has pairs, but LLVM's parser takes any single register
        return Rule(registers=target.register_class("AV_32"))
    if match == "BoolReg":
        return Rule(registers=_lane_mask(slot, kind, target), inline_registers=True)
    if match == "InterpSlot":
        return Rule(names=frozenset(INTERPOLATION_SLOTS))
    if match == "ExpTgt":
        return Rule(any_expression=True)
    if match == "VReg32OrOff":
        return Rule(registers=kind.registers, names=frozenset(("off",)))
    for prefix in _PREFIXES:
        if match.startswith(prefix):
            return _source_rule(match, prefix, kind, target)
    return Rule(registers=kind.registers)


def _modified(match: str, register_class: isa.RegisterClass | None, target: isa.Target) -> Rule:
    """What a source with modifiers takes."""
    type_, literals, allowed = _WITH_MODIFIERS[match]
    if match.startswith("SDWAWith") and target.has_sdwa_on_vgprs_only:
        return Rule(registers=target.register_class("VGPR_32"), source_modifiers=allowed)
    if register_class is not None and match in _DPP_SOURCES:
        register_class = _dpp_source(register_class, target)
    return Rule(registers=register_class, inline=type_, literals=(type_,) if literals else (), source_modifiers=allowed)


def lacks_doubles(slot: isa.Slot, rule: Rule) -> bool:
    """Whether the instruction reads two registers in the slot, and its encoding takes one."""
    own = slot.kind.registers if slot.kind is not None else None
    return own is not None and rule.registers is not None and own.bits == 64 and rule.registers.bits == 32


def _dpp_source(register_class: isa.RegisterClass, target: isa.Target) -> isa.RegisterClass:
    single = target.register_class("VGPR_32")
    if single is None or not target.has_64_bit_dpp:
        return single or register_class
    both = _either(single, target.register_class("VReg_64")) or single
    return isa.RegisterClass(register_class.name, register_class.bits, both.ranges, frozenset())


def _lane_mask(slot: isa.Slot, kind: isa.OperandKind, target: isa.Target) -> isa.RegisterClass | None:
    """A mask with a bit for each lane. As a source LLVM takes exec too, although the operand's class is without it."""
    short, long = target.register_class("SReg_32"), target.register_class("SReg_64")
    own = kind.registers if slot.is_def else short if target.wavefront_size == 32 else long
    return _either(own, long if own is short else short) if target.has(features.ANY_WAVE) else own


def _either(one: isa.RegisterClass | None, other: isa.RegisterClass | None) -> isa.RegisterClass | None:
    if one is None or other is None:
        return one or other
    return isa.RegisterClass(one.name, one.bits, (*one.ranges, *other.ranges), one.specials | other.specials)


def _token_rule(text: str, target: isa.Target) -> Rule:
    if text in target.registers:
        return Rule(token=text)
    if text in ("gds", "tfe"):  # read as flags, so their negated spellings are accepted too
        return Rule(names=frozenset((text, "no" + text)), token=text)
    return Rule(names=frozenset((text,)), token=text)


def _source_rule(match: str, prefix: str, kind: isa.OperandKind, target: isa.Target) -> Rule:
    parts = match[len(prefix) :].split("_")
    type_ = next((part for part in parts if part in _LITERALS or part in ("f16", "bf16", "f32", "f64")), "f32")
    takes_literals = prefix in ("SSrcOrLds_", "SSrc_", "VSrcT_", "VSrcFake16_", "VSrc_")
    inline = "" if "NoInline" in match else _INLINE.get(type_, type_)
    if type_ in _HALVES_OF_PAIRS and target.has_64_bit_literals:
        inline = immediates.LOW_HALF
    literals = _LITERALS.get(type_, (type_,))
    if type_ == "v2bf16" and target.has(versions.PAIRS_AS_HALVES):
        literals = PAIR_AS_HALF
    return Rule(
        registers=kind.registers,
        inline=inline,
        literals=literals if takes_literals else (),
        symbols=match in _TAKES_SYMBOLS or (match in _TAKES_LONG_SYMBOLS and target.has_64_bit_literals),
    )


class Judge:
    """Decides whether a rule takes an operand; keeps every result by rule and shape."""

    def __init__(self, target: isa.Target) -> None:
        self._inv_2pi = target.has(INV_2PI_FEATURE)
        self._long_literals = target.has_64_bit_literals
        self._rules: dict[Rule, int] = {}
        self.memo: ByValue[tuple[int, object], bool] = ByValue(200_000)

    def number(self, rule: Rule) -> int:
        """The rule's number, for keys of `memo`; equal rules share one."""
        return self._rules.setdefault(rule, len(self._rules))

    def takes(self, number: int, rule: Rule, argument: Argument) -> bool:
        """Whether a slot with `rule` takes `argument`."""
        key = (number, argument.shape)
        answer = self.memo.get(key)
        if answer is None:
            answer = self.memo.keep(key, self._judge(rule, argument))
        return answer

    def _judge(self, rule: Rule, argument: Argument) -> bool:
        kind = argument.kind
        if kind == operands.UNKNOWN:
            return True
        if kind in (operands.NAME, operands.MODIFIER) and rule.names is not None and argument.shape in rule.names:
            return True
        if kind == operands.REGISTER:
            return self._takes_register(rule, argument)
        if kind == operands.NUMBER:
            return self._takes_number(rule, argument)
        if kind == operands.MERGED:
            return _takes_merged(rule.merged, argument)
        if kind == operands.CALL:
            return argument.name in rule.calls
        if kind in (operands.NAME, operands.EXPRESSION):
            return rule.any_expression or rule.symbols
        return False

    def _takes_register(self, rule: Rule, argument: Argument) -> bool:
        register = cast("RegisterRef", argument.register)
        if argument.modifiers and not _takes_modifiers(rule.source_modifiers):
            return False
        if rule.token:
            return register.text == rule.token and not argument.modifiers
        if (rule.inline or rule.inline_registers) and register.text in registers.INLINE_VALUES:
            return True
        if rule.registers is None:
            return False
        if register.text in APERTURES and rule.registers.bits == 32:
            return False  # the class holds only the low half, which has no name
        if register.text == "null" and rule.registers.name in _TAKING_NULL:
            return True
        if register.text == _SHARED_NAME and rule.registers.bits == 64:
            return False
        return registers.class_holds(rule.registers, register)

    def _takes_number(self, rule: Rule, argument: Argument) -> bool:
        value, is_float = argument.value, argument.is_float
        if rule.integer:
            return not argument.modifiers & operands.SOURCE_MODIFIERS and _fits_integer(rule.integer, value, is_float)
        source_modifiers = argument.modifiers & operands.SOURCE_MODIFIERS
        # A source without modifier bits takes a number with a sign modifier as a literal, with the sign applied.
        plain = not source_modifiers or _takes_modifiers(rule.source_modifiers)
        inline = rule.inline and not argument.modifiers & (operands.LIT | operands.LIT64)
        if argument.modifiers & operands.LIT64 and not self._long_literals and rule.literals[:1] in _LONG:
            return False
        if inline and plain and immediates.is_inline(value, is_float, rule.inline, self._inv_2pi):
            return True
        signs = bool(source_modifiers & operands.FLOAT_MODIFIERS)
        # Literals of packed operands, which are read in two ways, have 32 bits everywhere.
        is_long = self._long_literals and len(rule.literals) == 1
        return any(immediates.fits_literal(value, is_float, kind, signs, is_long) for kind in rule.literals)


def _takes_modifiers(which: str) -> bool:
    # The kind was checked against the mnemonic's positions; a few forms take modifiers that only another form reads.
    return which != NO_MODIFIERS


def _fits_integer(check: str, value: int, is_float: bool) -> bool:
    if check == "s16":
        return -(1 << 15) <= value < 1 << 16
    if check == "long":
        return 1 << 8 <= value < 1 << 32
    if check in ("u8", "u16"):
        return 0 <= value < 1 << int(check[1:])
    if check == "inline":
        return immediates.is_inline(value, is_float, "i32", True)
    return True


def _takes_merged(wanted: str, argument: Argument) -> bool:
    if argument.name != operands.CACHE:
        return wanted == argument.name
    if wanted == _CACHE["CPol_GLC"]:
        return bool(argument.value & cache_policy.GLC)
    if wanted == _CACHE["CPol_NonGLC"]:
        return not argument.value & cache_policy.GLC
    return wanted == operands.CACHE

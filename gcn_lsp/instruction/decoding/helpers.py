"""Operands with a syntax of their own, from their bits to LLVM's text: counters, messages, swizzles, DPP controls."""

from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.instruction.special import hwreg, sendmsg, waitcnt
from gcn_lsp.isa.modifiers import cache_policy, dpp
from gcn_lsp.isa.operands import exports, formats, gpr_index, swizzle
from gcn_lsp.isa.waits import waitcnt as counters

_BITS16 = 0xFFFF


def _word(words: Mapping[str, int], code: int) -> str | None:
    """The first word for a code; None if there is none."""
    return next((word for word, each in words.items() if each == code), None)


def wait_counts(target: isa.Target, value: int) -> str:
    """`vmcnt(0) lgkmcnt(1)`."""
    return waitcnt.render(target, value)


def dependency_counters(target: isa.Target, value: int) -> str:
    """`depctr_va_vdst(0)`, or the number when bits without a meaning are set."""
    value &= _BITS16
    fields = counters.depctr_fields(target.features)
    known = {name: field.taken(value) for name, field in fields.items()}
    # Bits that no field has are set in what the assembler makes.
    spare = _BITS16 & ~sum(field.placed(field.maximum) for field in fields.values())
    if value & spare:
        return f"{value:#x}"
    told = {name: count for name, count in known.items() if count != fields[name].maximum} or known
    return " ".join(f"{name}({count})" for name, count in told.items())


def delay(target: isa.Target, value: int) -> str:
    """`instid0(VALU_DEP_1) | instskip(NEXT)`."""
    found = []
    for name, field in counters.DELAY_FIELDS.items():
        words = counters.DELAY_SKIPS if name == "instskip" else counters.DELAY_INSTRUCTIONS
        number = field.taken(value)
        if number:
            word = _word(words, number)
            kind = name.rstrip("01")
            found.append(f"{name}({word or f'/* invalid {kind} value */'})")
    return " | ".join(found) or "0"


def hardware_register(target: isa.Target, value: int) -> str:
    """`hwreg(HW_REG_MODE, 0, 4)`."""
    return hwreg.render(target, value)


def message(target: isa.Target, value: int) -> str:
    """`sendmsg(MSG_INTERRUPT)`."""
    return sendmsg.render(target, value)


def index_mode(target: isa.Target, value: int) -> str:
    """`gpr_idx(SRC0,DST)`."""
    if value > gpr_index.HIGHEST_MODE:
        return f"{value:#x}"
    return f"gpr_idx({','.join(name for name, bit in gpr_index.MODES.items() if value & bit)})"


def export_target(target: isa.Target, value: int) -> str:
    """`mrt0`."""
    return _word(exports.targets(target.features), value) or f"invalid_target_{value}"


def buffer_format(target: isa.Target, value: int) -> str:
    """` format:[BUF_FMT_32_FLOAT]`; nothing for the default."""
    features = target.features
    if formats.is_unified(features):
        if value == formats.DEFAULT:
            return ""
        name = _word(formats.unified_formats(features), value)
        return f" format:[{name}]" if name else f" format:{value}"
    data, number = value & ((1 << formats.DATA_BITS) - 1), value >> formats.NUMBER_SHIFT
    words = []
    if data != formats.DEFAULT:
        words.append(_word(formats.DATA_FORMATS, data))
    if number:
        words.append(_word(formats.number_formats(features), number))
    named = [word for word in words if word]
    if len(named) < len(words):
        return f" format:{value}"
    return f" format:[{','.join(named)}]" if named else ""


def swizzled(target: isa.Target, value: int) -> str:
    """` offset:swizzle(QUAD_PERM,0,1,2,3)`; nothing for 0."""
    return f" offset:{_swizzle(target, value)}" if value else ""


def _swizzle(target: isa.Target, value: int) -> str:
    known = swizzle.modes(target.features)
    if value >= swizzle.ROTATE_CODE and "ROTATE" in known:
        if value >= swizzle.FFT_CODE:
            return f"swizzle(FFT,{value & swizzle.MASK})"
        direction = value >> swizzle.ROTATE_DIRECTION_SHIFT & 1
        return f"swizzle(ROTATE,{direction},{value >> swizzle.ROTATE_SIZE_SHIFT & swizzle.MASK})"
    if value & 0xFF00 == swizzle.QUAD_PERM_CODE:
        return "swizzle(QUAD_PERM," + ",".join(str(value >> 2 * lane & 3) for lane in range(4)) + ")"
    if value & swizzle.QUAD_PERM_CODE:
        return str(value)
    and_mask, or_mask, xor_mask = swizzle.masks(value)
    group = swizzle.MASK + 1 - and_mask
    if and_mask == swizzle.MASK and not or_mask and xor_mask:
        if not xor_mask & (xor_mask - 1):
            return f"swizzle(SWAP,{xor_mask})"
        if not xor_mask & (xor_mask + 1):
            return f"swizzle(REVERSE,{xor_mask + 1})"
    if group > 1 and not group & (group - 1) and or_mask < group and not xor_mask:
        return f"swizzle(BROADCAST,{group},{or_mask})"
    low, high = or_mask ^ xor_mask, (and_mask | or_mask) ^ xor_mask
    letters = {(0, 0): "0", (1, 1): "1", (0, 1): "p", (1, 0): "i"}
    places = reversed(range(swizzle.MASK_WIDTH))
    return f'swizzle(BITMASK_PERM,"{"".join(letters[low >> bit & 1, high >> bit & 1] for bit in places)}")'


def dpp_control(target: isa.Target, value: int) -> str | None:
    """`row_shl:1`, `quad_perm:[0,1,2,3]`; None when the target has no such control."""
    if value <= 0xFF:
        return f"{dpp.QUAD_PERM}:{_lanes(value, dpp.QUAD_LANES, dpp.QUAD_BITS)}"
    for name, control in dpp.controls(target.features).items():
        if control.codes:
            number = next((number for number, code in control.codes if code == value), None)
        elif control.low is None or control.high is None:
            if control.base == value:
                return name
            continue
        else:
            number = control.low + value - control.base
            number = number if number <= control.high and number >= control.low else None
        if number is not None:
            return f"{name}:{number}"
    return None


def dpp8(target: isa.Target, value: int) -> str:
    """`dpp8:[0,1,2,3,4,5,6,7]`."""
    return f"{dpp.DPP8}:{_lanes(value, dpp.DPP8_LANES, dpp.DPP8_BITS)}"


def _lanes(value: int, count: int, bits: int) -> str:
    return f"[{','.join(str(value >> bits * lane & (1 << bits) - 1) for lane in range(count))}]"


def early_policy(target: isa.Target, value: int, is_scalar: bool) -> str | None:
    """` glc slc`: the flags of a cache policy before gfx12; None when the target lacks one that is set."""
    known = cache_policy.vocabulary(target.features, is_scalar)
    text = ""
    for name, bit in known.items():
        if value & bit:
            text += f" {name}"
            value &= ~bit
    return None if value else text


_CASCADE = 4
_HINTS = {code: name for name, code in cache_policy.HINTS.items()}  # of several names the last, as LLVM writes it
_HINT_PREFIXES = {cache_policy.LOAD: "TH_LOAD_", cache_policy.STORE: "TH_STORE_"}


def late_policy(target: isa.Target, value: int, access: int) -> str:
    """` th:TH_LOAD_NT scope:SCOPE_SYS`. access: `LOAD`, `STORE` or `ATOMIC` of the policies."""
    hint, scope = value & cache_policy.HINT_MASK, value & cache_policy.SCOPE_MASK
    text = " scale_offset" if value & cache_policy.SCALE_OFFSET else ""
    if hint:
        text += f" th:{_hint(hint, scope, access)}"
    if scope:
        text += f" scope:{_word(cache_policy.SCOPES, scope)}"
    return text + (" nv" if value & cache_policy.NV else "")


def _hint(hint: int, scope: int, access: int) -> str:
    if access == cache_policy.ATOMIC and hint & _CASCADE:
        if scope < cache_policy.SCOPES["SCOPE_DEV"]:
            return f"{hint:#x}"
        hint &= ~1  # which says nothing then
    if access != cache_policy.ATOMIC and hint == cache_policy.BYPASS and scope == cache_policy.SYSTEM_SCOPE:
        return f"{_HINT_PREFIXES[access]}BYPASS"
    return _HINTS.get(access | hint, f"{hint:#x}")


def is_late(target: isa.Target) -> bool:
    """Whether cache policies are hints and scopes."""
    return target.has_temporal_hints

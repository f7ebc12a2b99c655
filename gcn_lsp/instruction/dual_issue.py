"""The constraints between the halves of a dual-issue instruction (VOPD): their registers are in different banks.

gfx1250 has two encodings of a pair. The shorter one is used where possible; the longer one (VOPD3) has source modifiers
and third sources, takes no literals, and has fewer constraints on registers.
"""

from gcn_lsp import isa
from gcn_lsp.instruction import immediates, operands
from gcn_lsp.instruction.bound import Bound
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.registers import RegisterRef
from gcn_lsp.isa import versions
from gcn_lsp.isa.operands.immediates import LITERAL

_HALF_TYPES = frozenset(("v2f16", "v2bf16"))
_BANKS = (4, 4, 2)
"""The number of banks of the register file for the first, the second and the third source."""
_LONG_BANKS = (4, 4, 4)
_PARITIES = 2

_MODIFIERS = tuple(f"{source}{half}_modifiers" for source in ("src0", "vsrc1", "vsrc2") for half in "XY")


def check(bound: Bound) -> Problem | None:
    """One result is even and the other odd; sources at the same position come from different banks."""
    is_long = "VOPD3" in bound.form.flags
    if is_long:
        for name, argument in bound.arguments.items():
            if argument.modifiers & operands.ABS:
                message = "the encoding of this pair has no bits for absolute values"
                return bound.problem("unknown-modifier", message, name)
        for name, number in bound.numbers.items():
            is_half = bound.types[name] in _HALF_TYPES
            if is_half and immediates.source_code(number.pattern, "f32", True) == LITERAL:
                message = "the encoding of this pair takes only inline constants of 32 bits"
                return bound.problem("literal-not-allowed", message, name)
    return _conflict(bound, is_long)


def declines(bound: Bound) -> bool:
    """Whether the other of the two encodings must be used."""
    if "VOPD3" not in bound.form.flags:
        return _needs_long(bound)
    halves = _halves(bound)
    if any(name.startswith("V_CNDMASK") for name in halves):
        return False  # its condition is an operand only in the longer encoding
    if halves[0].startswith(_MISCOUNTED) and not bound.target.has(versions.SHORT_DOT):
        return False  # missing in LLVM 22's list of first halves, so it never tries the shorter form
    modified = [name.removesuffix("_modifiers") for name in _MODIFIERS if bound.values.get(name)]
    if halves[0].startswith(_UNMODIFIED):  # LLVM then negates numbers of the second half in the shorter form
        modified = [name for name in modified if bound.arguments[name].register is not None]
    return not modified and not _needs_long(bound)


def _needs_long(bound: Bound) -> bool:
    """Whether only the longer encoding can hold the registers."""
    if _conflict(bound, is_long=False) is None:
        return False
    has_literal = "imm" in bound.numbers or any(number.literal is not None for number in bound.numbers.values())
    if has_literal or bound.symbols:
        return False
    found = _conflict(bound, is_long=True)
    return found is None or _result_conflict(bound, is_long=True) is not None


def _halves(bound: Bound) -> tuple[str, str]:
    """The single instructions of the two halves, from the form's name."""
    first, _, second = bound.form.name.removeprefix("V_DUAL_").partition("_X_")
    return f"V_{first}", f"V_{second}"


def _conflict(bound: Bound, is_long: bool) -> Problem | None:
    found = _result_conflict(bound, is_long)
    if found is not None:
        return found
    if bound.form.name.startswith("V_DUAL_MOV_B32_e32_X_MOV_B32") and _has_second_cache(bound.target):
        return None  # the second move reads through another cache
    sources = _long_sources(bound) if "VOPD3" in bound.form.flags else _sources(bound)
    for left, right, banks in zip(*sources, _LONG_BANKS if is_long else _BANKS, strict=False):
        one, other = _vgprs(bound, left), _vgprs(bound, right)
        if one is None or other is None:
            continue
        if one == other and _reads_once(bound.target):
            continue
        if _share_bank(one, other, banks):
            message = f"sources `{one.text}` and `{other.text}` of the two halves are in the same of {banks} VGPR banks"
            return bound.problem("operand-conflict", message, right)
    return None


def _has_second_cache(target: isa.Target) -> bool:
    return target.has_second_source_cache


def _reads_once(target: isa.Target) -> bool:
    """Whether both halves may read the same register.

    All of gfx12 can, but LLVM knows that of gfx1200 only since 23.
    """
    if target.has(versions.SHARED_SOURCES):
        return target.shares_sources_of_pairs
    return target.shared_sources_of_pairs_first


def _result_conflict(bound: Bound, is_long: bool) -> Problem | None:
    first, second = _vgprs(bound, "vdstX"), _vgprs(bound, "vdstY")
    if first is None or second is None:
        return None
    if first.overlaps(second):
        message = f"both halves write the same register: `{first.text}` and `{second.text}`"
        return bound.problem("operand-conflict", message, "vdstY")
    if not is_long and _share_bank(first, second, _PARITIES):
        parity = "odd" if first.first % _PARITIES else "even"
        message = f"results `{first.text}` and `{second.text}` are both {parity}; one must be even and the other odd"
        return bound.problem("operand-conflict", message, "vdstY")
    return None


def _share_bank(one: RegisterRef, other: RegisterRef, banks: int) -> bool:
    distance = one.first - other.first
    if distance % banks == 0:
        return True
    return (one.count > 1 and (distance + 1) % banks == 0) or (other.count > 1 and (distance - 1) % banks == 0)


def _sources(bound: Bound) -> tuple[list[str], list[str]]:
    """The source slots of each half, in order; an accumulated result is the third source."""
    names = [slot.name or slot.text for slot in bound.form.slots]
    middle = names.index("::")
    halves = names[1:middle], names[middle + 3 :]
    tied = dict(bound.form.ties)
    for half, accumulator in zip(halves, ("src2X", "src2Y"), strict=True):
        if accumulator in tied:
            half.append(tied[accumulator])
    return halves


_UNMODIFIED = "V_MOV_B32"
"""A first half without source modifiers."""
_MISCOUNTED = "V_DOT2C_F32_BF16"
"""An instruction whose source modifiers LLVM forgets when it counts the operands of the longer form."""


def _long_sources(bound: Bound) -> tuple[list[str], list[str]]:
    """The operands that LLVM takes as sources of each half: after a miscounted half they are the wrong ones."""
    operands_ = [operand.name for operand in bound.form.operands]
    tied = dict(bound.form.ties)
    place = operands_.index("vdstY") + 1
    found: list[list[str]] = []
    for half, name in zip("XY", _halves(bound), strict=True):
        own = [source for source in ("src0", "vsrc1", "vsrc2", "src2") if source + half in operands_]
        modified = sum(f"{source}{half}_modifiers" in operands_ for source in own)
        counted = 0 if name.startswith(_MISCOUNTED) else modified
        places = [place + index + min(index + 1, counted) for index in range(len(own))]
        names = [operands_[index] if index < len(operands_) else "" for index in places]
        found.append([tied.get(source, source) for source in names])
        place += len(own) + counted
    return found[0], found[1]


def _vgprs(bound: Bound, name: str) -> RegisterRef | None:
    argument = bound.arguments.get(name)
    if argument is None or argument.register is None or argument.register.file != "v":
        return None
    return argument.register

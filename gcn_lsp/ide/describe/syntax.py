"""The syntax of an instruction form: `buffer_load_dword vdata, vaddr, srsrc, soffset offen [offset:u12]`."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from operator import attrgetter

from gcn_lsp import isa
from gcn_lsp.instruction import modifiers
from gcn_lsp.instruction.constraints import matrix, memory
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.modifiers import cache_policy, offsets, table
from gcn_lsp.isa.operands import formats
from gcn_lsp.patterns import regex


def syntax(form: isa.Form, target: isa.Target) -> str:
    """The syntax of a form: `buffer_load_dword vdata, vaddr, srsrc, soffset offen [offset:u12] [glc] [slc]`."""
    return syntax_and_places(form, target)[0]


def syntaxes(known: Iterable[isa.Form], target: isa.Target) -> tuple[str, ...]:
    """The syntaxes of the forms. If two differ in an optional VCC, the one that has it.

    Of pairs the first half, which fits any second one.
    """
    found = dict.fromkeys(_alone(syntax(form, target)) for form in known)
    bare = {text: _SPELT_VCC.sub("", text) for text in found}
    also_spelt = {short for text, short in bare.items() if short != text}
    return tuple(text for text in found if text not in also_spelt)


def _alone(text: str) -> str:
    first, mark, _ = text.partition(_PAIR)
    return f"{first}{mark}{roles.HALF}..." if mark else text


def second_half(form: isa.Form, target: isa.Target) -> str:
    """The syntax of the second half of a pair."""
    return f"{roles.HALF}...{_PAIR}{syntax(form, target).partition(_PAIR)[2]}"


_PAIR = " :: "
_SPELT_VCC = regex(r"(?<= )vcc(?:_lo)?, |, vcc(?:_lo)?\b")


def syntax_and_places(form: isa.Form, target: isa.Target) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The syntax of a form, and the place of each of its slots in that text."""
    places: list[tuple[int, str]] = []
    trailing: list[tuple[int, str]] = []
    for number, slot in enumerate(form.slots):
        if slot.role == "modifier":
            written = _modifier(slot, form, target)
            if written:
                trailing.append((number, written))
        elif slot.role == "token" and slot.text in _TRAILING_TOKENS:
            trailing.append((number, slot.text))  # after the operands without a comma
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

# The values of modifiers that are not plain numbers; `dpp_ctrl` and `omod` each have several words.
WORDED = {
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


# The fact that a modifier needs, since LLVM's tables give it to forms of targets without them, too.
_NEEDING = {"gds": attrgetter("has_gds"), "d16": attrgetter("has_d16")}

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
    """The words of a modifier's slot; those with a value end in a colon. `noglc` and the like are left out."""
    kind = slot.kind
    if kind is None:
        return ()
    if kind.match == "CPol":
        words = ("th:", "scope:") if target.has_temporal_hints else ()
        return (*cache_policy.flags_of(form.family, target.features), *words)
    if slot.name == "blgp":
        return ("neg:",) if matrix.blgp_negates(form, target) else ("blgp:",)
    found = modifiers.spellings(kind, target) or frozenset()
    return tuple(sorted(word for word in found if word.removeprefix("no") not in found or not word.startswith("no")))


def _modifier(slot: isa.Slot, form: isa.Form, target: isa.Target) -> str:
    """The syntax of a modifier; in brackets if it is optional, empty if it can never be written."""
    if slot.name == "cpol":
        return " ".join(_cache_policy(form, target))
    if slot.name == "format":
        return "[format:FORMAT]" if formats.is_unified(target.features) else "[format:[DATA,NUMBER]]"
    if slot.name in WORDED:
        text = "neg:[a,b,c]" if spellings(slot, target, form) == ("neg:",) else WORDED[slot.name]
        return text if slot.required else f"[{text}]"
    if _is_never_written(slot, form, target):
        return ""
    words = [word for word in spellings(slot, target, form) or (slot.name,) if word not in _ALIASES]
    texts = [
        f"{word}{_WORDS.get(word) or number(slot, form, target)}" if word.endswith(":") else word for word in words
    ]
    return " ".join(text if slot.required else f"[{text}]" for text in texts)


def _is_never_written(slot: isa.Slot, form: isa.Form, target: isa.Target) -> bool:
    if slot.name == "offset":
        return _reach(form, target) == 0
    if slot.name == "clamp" and "IntClamp" in form.flags:
        return not target.has_integer_clamp
    return slot.name in _NEEDING and not _NEEDING[slot.name](target)


def _cache_policy(form: isa.Form, target: isa.Target) -> Iterator[str]:
    """The flags of the cache policy. An atomic needs one to return a value and must not have it otherwise."""
    # Images have one form for both.
    returns = None if form.family in ("MIMG", "VIMAGE") or "IsAtomicRet" not in form.flags else True
    if "IsAtomicNoRet" in form.flags:
        returns = False
    if target.has_temporal_hints:
        yield "th:TH_ATOMIC_RETURN" if returns else "[th:HINT]"
        yield "[scope:SCOPE]"
    for name, bit in cache_policy.flags_of(form.family, target.features).items():
        if bit == cache_policy.SCALE_OFFSET and not memory.scales_offset(form):
            continue
        if bit != cache_policy.GLC or returns is None:
            yield f"[{name}]"
        elif returns:
            yield name


def number(slot: isa.Slot, form: isa.Form, target: isa.Target) -> str:
    """`u12`, `i13`: sign and bits of the values that a modifier takes."""
    reach = limits(form, target) if slot.name == "offset" else None
    if reach is not None:
        return f"{'i' if reach.low < 0 else 'u'}{(reach.high - reach.low).bit_length()}"
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
    """The modifiers with a number, and its width in bits."""
    known = table.modifiers(target.features).values()
    return {row.name: row.high.bit_length() for row in known if row.shape == "integer"}


def limits(form: isa.Form, target: isa.Target) -> "offsets.OffsetRange | None":
    """The range of a form's offset; None if it is not known."""
    return offsets.offset_range(form.family, target.features, "_buffer_" in form.mnemonic)


def _reach(form: isa.Form, target: isa.Target) -> "int | None":
    """The highest offset of a form; None if it is not known."""
    found = limits(form, target)
    return found.high if found is not None else None

"""What a manual says in words of clamp and the output modifiers, against the rows about them."""

import re
from collections.abc import Iterable, Iterator

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import result_modifiers
from gcn_lsp.isa.documentation.result_modifiers import CLAMP, IGNORED, OMOD
from tests.manuals.precision import Statement, described

_LISTS = {
    CLAMP: re.compile(r"clamp bit is not supported for \(ignored\)"),
    OMOD: re.compile(r"Output Modifiers are not"),
}
_SATURATION = re.compile(r"Supports saturation \((un)?signed (\d+)-bit integer domain\)")
_WITHOUT = re.compile(r"[Ii]nput and output modifiers not supported|Ignores OMOD( and clamp)?")
_SATURATED = re.compile(r"D\.([ui])(\d+)(?:\[\w+\])? = saturate\(")
_OF_MODE = {
    "ignores omod where denormals are kept": "Output modifiers are not compatible with output denormals",
    "ignores omod with MODE.IEEE": "Output modifiers are ignored if the IEEE mode bit",
    "applies omod whatever MODE says": "OMOD is allowed regardless of MODE.denorm",
    "needs MODE.DX10_CLAMP": "when set, clamp NaN to zero",
    "always makes 0 of NaN": "any NaN result is clamped to zero",
}

_GROUPS = {
    "Bitwise ops": r"v_(?:and|or|xor|xnor|not|bfi|bfe|bfm|bfrev|lshlrev|lshrrev|ashrrev)_\w*b\d+",
    "Integer and bitwise ops": r"v_(?:pk_)?(?:add|sub|mul|mad|and|or|xor|min|max)\w*_[biu]\d+",
    "Float DOT instructions": r"v_dot\dc?_(?:f|bf)\w+",
    "DOT2_F16_F16": r"v_dot2_f16_f16", "DOT2_BF16_BF16": r"v_dot2_bf16_bf16",
    "DOT4 with BF8/FP8": r"v_dot4_f32_\w+",
    "WMMA ops": r"", "V_SWAP and V_SWAPREL": r"v_swap(?:rel)?_\w+",
    "V_MUL/MAD on integers": r"v_(?:mul|mad)(?:_lo|_hi)?_[iu]\w+",
    "Min/Max/Med on integers": r"v_(?:min|max|med)3?_[iu]\d+",
    "V_CMP on integers": r"v_cmpx?_\w+_[iu]\d+",
    "V_CVT*F32_{BF8,FP8}": r"v_cvt_(?:pk_)?f32_[bf]p?8", "V_CVT*F32{BF8,FP8}": r"v_cvt_(?:pk_)?f32_[bf]p?8",
    "BF16 trans ops": r"v_(?:cos|exp|log|rcp|rsq|sin|sqrt|tanh)_bf16",
    "Packed and scaled converts": r"v_cvt_(?:scale\w*|(?:sr_)?pk_\w+)",
    "Packed and/or scaled converts": r"v_cvt_(?:scale\w*|(?:sr_)?pk_\w+)",
    "Converts from any integer type": r"v_cvt_f\d+_(?:[iu]\d+|ubyte\d)",
    "Converts from FP8/BF8/FP6/BF6/FP4 types": r"v_cvt_(?:pk_)?f\d+_[bf]p?[468]",
}  # fmt: skip
"""What a list calls instructions that share more than the start of their names; matrices have no row here."""


def compare(text: str, target: isa.Target, names: Iterable[str]) -> Iterator[Statement]:
    """The statements of a manual, each once. names: of the instructions that it lists."""
    known = [name for name in dict.fromkeys(names) if target.forms(name)]
    statements = (*_of_modes(text, target), *_of_lists(text, target, known), *_of_entries(text, target))
    yield from dict.fromkeys(statements)


def _of_modes(text: str, target: isa.Target) -> Iterator[Statement]:
    """What MODE has to do with it, in the operation of an addition."""
    found = _modified("v_add_f32", target, omod=1, clamp=True)
    ours = {
        "ignores omod where denormals are kept": "MODE.FP_DENORM" in found,
        "ignores omod with MODE.IEEE": "MODE.IEEE" in found,
        "applies omod whatever MODE says": "MODE.FP_DENORM" not in found,
        "needs MODE.DX10_CLAMP": "MODE.DX10_CLAMP" in found,
        "always makes 0 of NaN": "MODE.DX10_CLAMP" not in found,
    }
    for what, words in _OF_MODE.items():
        if words in text:
            yield Statement("v_add_f32", what, "1", "1" if ours[what] else "")


def _of_lists(text: str, target: isa.Target, names: list[str]) -> Iterator[Statement]:
    lines = text.replace("\\_", "_").replace("\\*", "*").split("\n")
    for place, line in enumerate(lines):
        for modifier, title in _LISTS.items():
            for cell in _cells(lines[place + 1 :]) if title.search(line) else ():
                pattern = _GROUPS.get(cell)
                if pattern is None:
                    pattern = re.escape(cell.lower()).replace(r"\*", r"\w*") + (r"\w*" if "*" not in cell else "")
                for name in names:
                    if re.fullmatch(pattern, name):
                        yield Statement(name, f"{modifier} ignored", "1", _ignored(modifier, name, target))


def _cells(lines: list[str]) -> Iterator[str]:
    """The entries of the list or table at the start of some lines."""
    for line in lines:
        if line.startswith("|") and not line.startswith("|--"):
            yield from filter(None, (cell.strip() for cell in line.strip("|").split("|")))
        elif line.startswith("- "):
            yield line[2:].strip()
        elif line.strip() and not line.startswith("|"):
            return


def _of_entries(text: str, target: isa.Target) -> Iterator[Statement]:
    for name, line in described(text):
        if not target.forms(name):
            continue
        domain, without = _SATURATION.search(line), _WITHOUT.search(line)
        if domain:
            saturated = _SATURATED.search(_modified(name, target, clamp=True))
            ours = f"{saturated[1]}{saturated[2]}" if saturated else ""
            yield Statement(name, "saturates", f"{'u' if domain[1] else 'i'}{domain[2]}", ours)
        if without:
            yield Statement(name, "omod ignored", "1", _ignored(OMOD, name, target))
            if without[0] != "Ignores OMOD":
                yield Statement(name, "clamp ignored", "1", _ignored(CLAMP, name, target))


def _ignored(modifier: str, name: str, target: isa.Target) -> str:
    """Whether an instruction has no such modifier, or ignores it."""
    has = any(slot.name == modifier for form in target.forms(name) for slot in form.slots)
    if not has or result_modifiers.effect(modifier, name, target.name) == IGNORED:
        return "1"
    entry = documentation.entry(name, target)
    assert entry is not None
    omod = int(modifier == OMOD)
    found = result_modifiers.modified(entry.operation, name, target.name, omod, modifier == CLAMP)
    return "1" if any("is ignored here" in note for note in found.notes) else ""


def _modified(name: str, target: isa.Target, *, omod: int = 0, clamp: bool = False) -> str:
    entry = documentation.entry(name, target)
    return result_modifiers.modified(entry.operation, name, target.name, omod, clamp).operation if entry else ""

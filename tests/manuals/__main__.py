"""Prints how the tables and the documentation compare with the manuals in a folder.

python -m tests.manuals FOLDER [MANUAL...]

It ends with 1 if a disagreement is not explained, or if, with all manuals, an explanation was not needed.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from gcn_lsp import isa
from tests.manuals import effects, explained, opcodes, reading, results
from tests.manuals.reading import Listed

# Names that manuals list in tables with numbers, and that are no instructions.
_INSTRUCTIONS = (
    "s_",
    "v_",
    "ds_",
    "buffer_",
    "tbuffer_",
    "image_",
    "global_",
    "flat_",
    "scratch_",
    "tensor_",
    "cluster_",
)

_REGISTERS = ("flat_scr",)

_GROUPS = {
    **dict.fromkeys(("SOP1", "SOP2", "SOPC", "SOPK", "SOPP"), "SALU"),
    **dict.fromkeys(("VOP3P", "MAI"), "VOP3P"),
    **dict.fromkeys(("DS", "LDSDIR"), "LDS"),
    **dict.fromkeys(("MUBUF", "MTBUF", "FLAT", "GLOBAL", "SCRATCH"), "memory"),
    **dict.fromkeys(("MIMG", "VIMAGE", "VSAMPLE"), "images"),
    **dict.fromkeys(("VINTRP", "VINTERP"), "interpolation"),
}
"""Encodings that are counted together; the others, SMEM and the encodings of VALU, are counted alone."""

Used = set[object]
"""The explanations that were needed."""


def main() -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("manuals", nargs="*", default=list(reading.TARGETS))
    asked = parser.parse_args()
    used: Used = set()
    wrong = 0
    for manual in asked.manuals:
        wrong += compare((asked.folder / manual / "README.md").read_text(), manual, used, print)
    if asked.manuals == list(reading.TARGETS):
        unneeded = [row for row in (*explained.OPCODES, *explained.RESULTS, *explained.EFFECTS) if row not in used]
        for row in unneeded:
            print(f"NOT NEEDED {row}")
        wrong += len(unneeded)
    return int(bool(wrong))


def compare(text: str, manual: str, used: Used, show: Callable[[str], None]) -> int:
    """Compares one manual, and gives the number of disagreements that are not explained."""
    target = isa.load_target(reading.TARGETS[manual])
    listed = [
        each
        for each in reading.listed(text)
        if each.name.startswith(_INSTRUCTIONS) and not each.name.startswith(_REGISTERS)
    ]
    show(f"{manual} ({target.name})")
    found = _opcodes(listed, target, used, show)
    found += _effects(listed, target, used, show)
    return found + _results(listed, target, used, show)


Counts = Mapping[str, Counter[str]]
"""How many compare in which way, by group of encodings."""


def _opcodes(listed: Iterable[Listed], target: isa.Target, used: Used, show: Callable[[str], None]) -> int:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seconds = opcodes.second_halves(target) if target.forms("v_dual_mov_b32") else {}
    for name, number in dict.fromkeys((each.name, each.number) for each in listed):
        forms = target.forms(name)
        known = {found for form in forms for found in opcodes.numbers(form, target.features)}
        known |= seconds.get(name, set())
        row = explained.opcode(name, number, target.name, known)
        group = _group(name, target)
        if number in known:
            counts[group]["equal"] += 1
        elif row:
            counts[group][row.reason] += 1
            used.add(row)
        else:
            counts[group]["UNEXPLAINED"] += 1
            show(f"  UNEXPLAINED {name} {number}, here {sorted(known) or 'unknown'}")
    return _show("opcodes", counts, show)


def _effects(listed: Iterable[Listed], target: isa.Target, used: Used, show: Callable[[str], None]) -> int:
    """Compares what the first code of each name reads and writes implicitly, and the widths of its operands."""
    entries: dict[str, Listed] = {}
    for each in listed:
        if effects.is_compared(each, target):
            entries.setdefault(each.name, each)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, each in entries.items():
        for found in effects.compare(each, target):
            row = explained.effect(name, target.name, found.where)
            if row:
                counts[_group(name, target)][row.reason] += 1
                used.add(row)
                continue
            counts[_group(name, target)]["UNEXPLAINED"] += 1
            show(f"  UNEXPLAINED {name} {found.where}: theirs {found.theirs}, ours {found.ours}")
        if not effects.compare(each, target):
            counts[_group(name, target)]["equal"] += 1
    return _show("implicit state and widths", counts, show)


def _results(listed: Iterable[Listed], target: isa.Target, used: Used, show: Callable[[str], None]) -> int:
    entries: dict[str, Listed] = {}
    for each in listed:
        is_memory = results.is_memory(each.name)
        if each.code and (not each.is_older if is_memory else each.name.startswith(("s_", "v_"))):
            entries.setdefault(each.name, each)
    codes = {name: each.code for name, each in entries.items()}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, each in entries.items():
        found = results.compare(each, target, codes)
        group = _group(name, target)
        row = explained.result(name, target.name, found.where, found.share) if found.how == "different" else None
        if row:
            counts[group][row.reason] += 1
            used.add(row)
        elif found.how == "different":
            counts[group]["UNEXPLAINED"] += 1
            show(f"  UNEXPLAINED {name} ({found.share:.0%} at {found.where}): {found.example}")
        else:
            counts[group][found.how if found.how == "equal" else f"not evaluated, {found.how}"] += 1
    return _show("results", counts, show)


def _group(name: str, target: isa.Target) -> str:
    forms = target.forms(name) or target.forms("v_dual_mov_b32" if name.startswith("v_dual_") else "")
    family = forms[0].family if forms else "unknown"
    return _GROUPS.get(family, family)


def _show(what: str, counts: Counts, show: Callable[[str], None]) -> int:
    """Shows a line for each group and one for each reason, and gives how many are not explained."""
    reasons: Counter[str] = Counter()
    for each in counts.values():
        reasons += each
    show(f"  {what}: {reasons['equal']} of {reasons.total()} equal")
    for group, each in sorted(counts.items()):
        aside = sum(count for how, count in each.items() if how.startswith("not evaluated"))
        explanations = each.total() - each["equal"] - aside - each["UNEXPLAINED"]
        show(
            f"    {group:14} {each['equal']:5} equal {explanations:4} explained {each['UNEXPLAINED']:4} unexplained"
            f" {aside:4} not evaluated"
        )
    for how, count in reasons.most_common():
        if how != "equal":
            show(f"    {count:5} {how}")
    return reasons["UNEXPLAINED"]


if __name__ == "__main__":
    raise SystemExit(main())

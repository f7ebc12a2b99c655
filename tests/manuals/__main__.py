"""Prints how the tables and the documentation compare with the manuals in a folder.

python -m tests.manuals FOLDER [MANUAL...]

It ends with 1 if a disagreement is not explained, or if, with all manuals, an explanation was not needed.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from gcn_lsp import isa
from tests.manuals import (
    codes,
    effects,
    explained,
    layouts,
    legality,
    opcodes,
    precision,
    reading,
    result_modifiers,
    results,
    source_types,
    tables,
)
from tests.manuals.reading import Listed
from tests.manuals.tables import ASIDE, EQUAL, UNEXPLAINED

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

_GROUPS_OF_ENCODINGS = {
    **dict.fromkeys(("VOP3A", "VOP3B", "VOP3SD"), "VOP3"),
    **dict.fromkeys(("SDWA", "SDWAB", "DPP", "DPP8", "DPP16"), "SDWA and DPP"),
    **dict.fromkeys(("VOPD", "VOPD3"), "VOPD"),
    **dict.fromkeys(("DS", "LDS", "LDSDIR", "VDSDIR"), "LDS"),
    **dict.fromkeys(("MUBUF", "MTBUF", "VBUFFER", "FLAT"), "memory"),
    **dict.fromkeys(("MIMG", "VIMAGE", "VSAMPLE"), "images"),
    **dict.fromkeys(("VOP3P-MAI", "VOP3PX2"), "VOP3P"),
    **dict.fromkeys(("VINTRP", "VINTERP"), "interpolation"),
    **dict.fromkeys(("EXP", "VEXPORT"), "EXP"),
}
"""The same for names that the manuals have for encodings."""

Used = set[object]
"""The explanations that were needed."""

Counts = Mapping[str, Counter[str]]
"""How many compare in which way, by group of encodings."""

Found = Mapping[str, Counts]
"""The counts by what is compared."""


def main() -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("manuals", nargs="*", default=list(reading.TARGETS))
    asked = parser.parse_args()
    used: Used = set()
    found: dict[str, Found] = {}
    for manual in asked.manuals:
        found[manual] = compare((asked.folder / manual / "README.md").read_text(), manual, used, print)
    tables.show(found, print)
    wrong = sum(each[UNEXPLAINED] for counts in found.values() for what in counts.values() for each in what.values())
    if asked.manuals == list(reading.TARGETS):
        unneeded = [row for row in explained.ALL if row not in used]
        for row in unneeded:
            print(f"NOT NEEDED {row}")
        wrong += len(unneeded)
    return int(bool(wrong))


def compare(text: str, manual: str, used: Used, show: Callable[[str], None]) -> Found:
    """Compares one manual, shows what is not explained, and counts."""
    target = isa.load_target(reading.TARGETS[manual])
    listed = [
        each
        for each in reading.listed(text)
        if each.name.startswith(_INSTRUCTIONS) and not each.name.startswith(_REGISTERS)
    ]
    show(f"{manual} ({target.name})")
    report = _Report(used, show)
    return {
        "fields of encodings": _layouts(text, target, report),
        "codes of sources": _codes(text, target, report),
        "opcodes": _opcodes(listed, target, report),
        "types of sources": _types(listed, target, report),
        "DPP and SDWA": _legality(text, listed, target, report),
        "precision and exceptions": _statements(precision.compare(text, target), target, report),
        "clamp and output modifiers": _statements(
            result_modifiers.compare(text, target, (each.name for each in listed)), target, report
        ),
        "implicit state and widths": _effects(listed, target, report),
        "results": _results(listed, target, report),
    }


class _Report:
    """Counts what agrees, what a row explains and what nothing explains; shows the last."""

    def __init__(self, used: Used, show: Callable[[str], None]) -> None:
        self._used, self._show = used, show

    def differs(self, counts: Counter[str], row: object, text: str) -> None:
        """Something differs, for the reason in `row` if that is not None."""
        if row is None:
            counts[UNEXPLAINED] += 1
            self._show(f"  {UNEXPLAINED} {text}")
            return
        self._used.add(row)
        counts[row.reason] += 1  # type: ignore[attr-defined]


def _layouts(text: str, target: isa.Target, report: _Report) -> Counts:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    forms: dict[str, list[isa.Form]] = {}
    for field in filter(layouts.is_compared, layouts.fields(text)):
        if field.encoding not in forms:
            forms[field.encoding] = layouts.of_encoding(field.encoding, target)
        found = layouts.compare(field, target, forms[field.encoding])
        group = _GROUPS_OF_ENCODINGS.get(field.encoding) or _GROUPS.get(field.encoding, field.encoding)
        if found is None:
            counts[group][EQUAL] += 1
        else:
            row = explained.layout(found.where, target.name)
            report.differs(counts[group], row, f"{found.where} {found.theirs}, here {found.ours}")
    return counts


def _codes(text: str, target: isa.Target, report: _Report) -> Counts:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for code in codes.codes(text):
        ours, group = codes.ours(code, target), "VALU" if code.is_vector else "SALU"
        if ours == code.meaning:
            counts[group][EQUAL] += 1
        else:
            row = explained.code(code.number, target.name, code.is_vector)
            report.differs(counts[group], row, f"{group} source {code.number} {code.meaning!r}, here {ours!r}")
    return counts


def _types(listed: Iterable[Listed], target: isa.Target, report: _Report) -> Counts:
    """Compares the types of the sources in the first code of each name."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, each in _first(each for each in listed if source_types.is_compared(each, target)).items():
        found = tuple(source_types.compare(each, target))
        for one in found:
            row = explained.source_type(name, target.name, one.where)
            report.differs(
                counts[_group(name, target)], row, f"{name} {one.where}: theirs {one.theirs}, ours {one.ours}"
            )
        counts[_group(name, target)][EQUAL] += not found
    return counts


def _legality(text: str, listed: Iterable[Listed], target: isa.Target, report: _Report) -> Counts:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in legality.compare(text, target, {one.name for one in listed}):
        if each.theirs == each.ours:
            counts[each.family][EQUAL] += 1
        else:
            row = explained.legality(each.name, target.name, each.how)
            report.differs(counts[each.family], row, f"{each.name} {each.how}: theirs {each.theirs}, ours {each.ours}")
    return counts


def _statements(found: Iterable[precision.Statement], target: isa.Target, report: _Report) -> Counts:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in found:
        if each.theirs == each.ours:
            counts[_group(each.name, target)][EQUAL] += 1
        else:
            row = explained.source_type(each.name, target.name, each.what)
            group = counts[_group(each.name, target)]
            report.differs(group, row, f"{each.name} {each.what}: theirs {each.theirs}, ours {each.ours or 'nothing'}")
    return counts


def _first(listed: Iterable[Listed]) -> dict[str, Listed]:
    """The first of those with each name."""
    found: dict[str, Listed] = {}
    for each in listed:
        found.setdefault(each.name, each)
    return found


def _opcodes(listed: Iterable[Listed], target: isa.Target, report: _Report) -> Counts:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seconds = opcodes.second_halves(target) if target.forms("v_dual_mov_b32") else {}
    for name, number in dict.fromkeys((each.name, each.number) for each in listed):
        forms = target.forms(name)
        known = {found for form in forms for found in opcodes.numbers(form, target.features)}
        known |= seconds.get(name, set())
        group = _group(name, target)
        if number in known:
            counts[group][EQUAL] += 1
        else:
            row = explained.opcode(name, number, target.name, known)
            report.differs(counts[group], row, f"{name} {number}, here {sorted(known) or 'unknown'}")
    return counts


def _effects(listed: Iterable[Listed], target: isa.Target, report: _Report) -> Counts:
    """Compares what the first code of each name reads and writes implicitly, and the widths of its operands."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, each in _first(each for each in listed if effects.is_compared(each, target)).items():
        found = effects.compare(each, target)
        for one in found:
            row = explained.effect(name, target.name, one.where)
            report.differs(
                counts[_group(name, target)], row, f"{name} {one.where}: theirs {one.theirs}, ours {one.ours}"
            )
        counts[_group(name, target)][EQUAL] += not found
    return counts


def _results(listed: Iterable[Listed], target: isa.Target, report: _Report) -> Counts:
    entries = _first(
        each for each in listed if each.code and (results.is_memory(each.name) or each.name.startswith(("s_", "v_")))
    )
    code = {name: each.code for name, each in entries.items()}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, each in entries.items():
        found = results.compare(each, target, code)
        group = _group(name, target)
        if found.how == "different":
            row = explained.result(name, target.name, found.where, found.share)
            report.differs(counts[group], row, f"{name} ({found.share:.0%} at {found.where}): {found.example}")
        else:
            counts[group][EQUAL if found.how == "equal" else f"{ASIDE}, {found.how}"] += 1
    return counts


def _group(name: str, target: isa.Target) -> str:
    forms = target.forms(name) or target.forms("v_dual_mov_b32" if name.startswith("v_dual_") else "")
    family = forms[0].family if forms else "unknown"
    return _GROUPS.get(family, family)


if __name__ == "__main__":
    raise SystemExit(main())

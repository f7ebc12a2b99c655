"""Prints how the tables and the documentation compare with the manuals in a folder.

python -m tests.manuals FOLDER [MANUAL...]
"""

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from gcn_lsp import isa
from tests.manuals import explained, opcodes, reading, results
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


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("manuals", nargs="*", default=list(reading.TARGETS))
    asked = parser.parse_args()
    for manual in asked.manuals:
        target = isa.load_target(reading.TARGETS[manual])
        listed = list(reading.listed((asked.folder / manual / "README.md").read_text()))
        listed = [
            each for each in listed if each.name.startswith(_INSTRUCTIONS) and not each.name.startswith(_REGISTERS)
        ]
        print(f"{manual} ({target.name})")
        _print_opcodes(listed, target)
        _print_results(listed, target)


def _print_opcodes(listed: Iterable[Listed], target: isa.Target) -> None:
    counts: Counter[str] = Counter()
    for each in dict.fromkeys((each.name, each.number) for each in listed):
        name, number = each
        forms = target.forms(name)
        known = {found for form in forms for found in opcodes.numbers(form, target.features)}
        reason = explained.opcode(name, number, target.name)
        if number in known:
            counts["equal"] += 1
        elif reason:
            counts[f"explained: {reason}"] += 1
        elif forms and not known:
            counts["not compared: pairs, or encodings without a number here"] += 1
        else:
            counts["UNEXPLAINED"] += 1
            print(f"  UNEXPLAINED {name} {number}, here {sorted(known) or 'unknown'}")
    _print("opcodes", counts)


def _print_results(listed: Iterable[Listed], target: isa.Target) -> None:
    entries: dict[str, Listed] = {}
    for each in listed:
        if each.code and each.name.startswith(("s_", "v_")) and "SMEM" not in each.section:
            entries.setdefault(each.name, each)
    codes = {name: each.code for name, each in entries.items()}
    counts: Counter[str] = Counter()
    for name, each in entries.items():
        found = results.compare(each, target, codes)
        reason = explained.result(name, target.name) if found.how == "different" else ""
        if found.how == "different" and not reason:
            counts["UNEXPLAINED"] += 1
            print(f"  UNEXPLAINED {name}: {found.example}")
        elif reason:
            counts[f"explained: {reason}"] += 1
        else:
            counts[found.how if found.how == "equal" else f"not evaluated: {found.how.split(':')[0]}"] += 1
    _print("results", counts)


def _print(what: str, counts: Counter[str]) -> None:
    print(f"  {what}: {sum(counts.values())}")
    for how, count in counts.most_common():
        print(f"    {count:5} {how}")


if __name__ == "__main__":
    main()

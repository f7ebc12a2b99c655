"""Which instructions cannot use DPP and SDWA, as a manual lists them, against the forms.

The manuals up to RDNA 2 and CDNA 4 have lists; what is in VOP1, VOP2 or VOPC and in no list, can use both.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp import isa
from tests.instruction import support


class Legality(NamedTuple):
    """Whether an instruction has a form with DPP or SDWA. how: `DPP`, `SDWA`. theirs, ours: whether it has one."""

    name: str
    how: str
    family: str
    theirs: bool
    ours: bool


_LIST = re.compile(r"The following instructions cannot use (DPP|SDWA)")
_ITEM = re.compile(r"- (V_[A-Z0-9_*]+)$")
_SHORT = ("VOP1", "VOP2", "VOPC")
_VARIANTS = {"DPP": frozenset(("DPP",)), "SDWA": frozenset(("SDWA", "SDWA9"))}


def compare(text: str, target: isa.Target, named: "set[str]") -> Iterator[Legality]:
    """The instructions of a manual in a short encoding, for each list that it has. named: all that it names."""
    for how, patterns in _lists(text).items():
        for name in sorted(named):
            forms = target.forms(name)
            families = [form.family for form in forms if form.family in _SHORT and form.variant == "Default"]
            if families:
                theirs = not any(re.fullmatch(pattern, name) for pattern in patterns)
                ours = any(_is_accepted(form, how, target) for form in forms if form.variant in _VARIANTS[how])
                yield Legality(name, how, families[0], theirs, ours)


def _is_accepted(form: isa.Form, how: str, target: isa.Target) -> bool:
    """Whether a form assembles with the plainest operands."""
    operands = [_written(slot) for slot in form.slots if slot.required and slot.role != "modifier"]
    line = f"{form.mnemonic}_{how.lower()} {', '.join(filter(None, operands))} {_CONTROL[how]}"
    return bool(support.assemble(line, target.name).code)


def _written(slot: isa.Slot) -> str:
    if slot.kind is None or slot.kind.registers is None:
        return slot.text
    count = slot.kind.registers.bits // 32
    file = "v" if "v" in slot.kind.registers.files else "s"
    return f"{file}[0:{count - 1}]" if count > 1 else f"{file}0"


_CONTROL = {"DPP": "quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf", "SDWA": ""}


def _lists(text: str) -> dict[str, list[str]]:
    """The patterns of names in each list."""
    found: dict[str, list[str]] = {}
    patterns: list[str] | None = None
    for line in text.replace("\\_", "_").replace("\\*", "*").split("\n"):
        title, item = _LIST.match(line), _ITEM.match(line.strip())
        if title:
            patterns = found.setdefault(title[1], [])
        elif item and patterns is not None:
            patterns.append(item[1].lower().replace("*", r"\w+"))
        elif line.strip():
            patterns = None
    return found

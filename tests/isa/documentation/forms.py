"""What the tables know of a mnemonic, and the documentation says, for the tests that hold the two together.

All of a target is read once and kept as small values: its forms take seconds to decode.
"""

from functools import cache

import msgspec

from gcn_lsp import isa
from gcn_lsp.isa import documentation, versions
from gcn_lsp.isa.documentation import Entry

# One of each set of targets that differ in what they have or in how it is documented.
TARGETS = (
    *("gfx600", "gfx700", "gfx803", "gfx810", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"),
    *("gfx1010", "gfx1013", "gfx1030", "gfx1100", "gfx1150", "gfx1170", "gfx1200", "gfx1250", "gfx1251", "gfx1310"),
)
_GROWN = "gfx1251"  # has instructions that only the newest version of LLVM knows


class Written(msgspec.Struct, frozen=True):
    """A form: its syntax, the names that an operation may stand for, the places that are written, in order."""

    syntax: str
    names: frozenset[str]
    positional: frozenset[str]
    tokens: tuple[str, ...]


class Known(msgspec.Struct, frozen=True):
    """A mnemonic of a target: the entry, its forms, and what the tables say of all of them together.

    vector, scalar: whether a counter of vector memory, or of LDS, scalar memory and messages, is raised.
    """

    entry: Entry
    forms: tuple[Written, ...]
    uses: frozenset[str]
    defs: frozenset[str]
    vector: bool
    scalar: bool


@cache
def known(target: str) -> dict[str, Known]:
    """The mnemonics of a target that are no aliases on it."""
    loaded = isa.load_target(target, f"+llvm{versions.VERSIONS[-1]}" if target == _GROWN else "")
    found = {}
    for name in loaded.mnemonics:
        if loaded.native(name) != name:
            continue
        entry = documentation.entry(name, loaded)
        assert entry is not None, f"{name} has no entry on {target}"
        forms = loaded.forms(name)
        found[name] = Known(
            entry,
            tuple({form.syntax: _written(form) for form in forms}.values()),
            frozenset(register for form in forms for register in form.uses),
            frozenset(register for form in forms for register in form.defs),
            any("VM_CNT" in form.flags for form in forms),
            # A load to LDS has the flags of both counters in LLVM, but that of vector memory alone counts it.
            any("LGKM_CNT" in form.flags and not _goes_to_lds(form) for form in forms),
        )
    return found


def _written(form: isa.Form) -> Written:
    slots = {name for slot in form.slots for name in (slot.name, slot.text)}
    names = slots | {operand.name for operand in form.operands} | set(form.defs) | set(form.uses)
    positional = frozenset(slot.name for slot in form.slots if slot.name and slot.role == "operand")
    return Written(form.syntax, frozenset(names), positional, tuple(slot.text for slot in form.slots))


def _goes_to_lds(form: isa.Form) -> bool:
    """Whether the form is that of a load to LDS, or a store from there, in vector memory."""
    return "lds" in {slot.text for slot in form.slots} or "_lds_" in form.mnemonic


@cache
def second_halves() -> frozenset[str]:
    """Mnemonics of the second instruction of a pair: `v_dual_mov_b32 v0, v1 :: v_dual_and_b32 v3, v4, v5`."""
    pairs = (known(target)["v_dual_mov_b32"].forms for target in ("gfx1100", "gfx1200", "gfx1250"))
    return frozenset(text for forms in pairs for form in forms for text in form.tokens if text.startswith("v_dual_"))

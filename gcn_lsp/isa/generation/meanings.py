"""Finds mnemonics that mean one instruction on different targets, and mnemonics that mean several.

Two mnemonics mean the same if they encode one pseudo instruction of LLVM's, each on its own targets: the buffer load
that is `buffer_load_dword` up to gfx10 and `buffer_load_b32` from gfx11. A mnemonic whose pseudo instructions have
nothing in common on two targets means two things: `v_add_u32` writes a carry on gfx8 only.
"""

import re
from collections.abc import Iterable, Mapping

from gcn_lsp.isa import conditions
from gcn_lsp.isa.generation.forms import FormRow

# The parts of a record's name besides the instruction: the encoding, the generation, sizes, kinds of address.
_DETAIL = re.compile(
    r"(_E32|_E64|_DPP8?|_SDWA9?|_T16|_FAKE16|_GFX\w+|_VI|_CI|_SI|_V\d+.*|_RTN|_NSA|_VBUFFER.*|_ADDR64|_OFFSET|_IDXEN"
    r"|_OFFEN|_BOTHEN|_TFE.*|_OPSEL|_PSEUDO|_VOP3|_SADDR|_SVS|_ST|_IMM|_SGPR)$"
)
_PAIRS = "VOPD"  # the encoding of two instructions in one
_INTERNAL = ("_t16", "_fake16", "_pseudo")  # the endings of LLVM's internal aliases


class _Groups:
    """Names that belong together, directly or through others."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def first(self, name: str) -> str:
        """The name that represents the group."""
        while (above := self._above.setdefault(name, name)) != name:
            name = above
        return name

    def join(self, names: Iterable[str]) -> None:
        """Put names into one group; the first in the alphabet represents it."""
        firsts = sorted({self.first(name) for name in names})
        for name in firsts[1:]:
            self._above[name] = firsts[0]


def rows(
    forms: Iterable[FormRow],
    aliases: Iterable[tuple[str, str, str, str]],
    targets: Mapping[str, frozenset[str]],
) -> list[tuple[str, str, tuple[str, ...]]]:
    """Instruction, mnemonic, and the targets where it means the instruction; only if there is a choice.

    An instruction is named after the first of its records.
    """
    encoded = _encoded(forms, targets)
    groups = _Groups()
    for together in encoded.values():
        groups.join(together)
    meant: dict[str, dict[str, set[str]]] = {}
    for (mnemonic, target), together in encoded.items():
        meant.setdefault(groups.first(min(together)), {}).setdefault(mnemonic, set()).add(target)
    for old, new, _, needs in aliases:
        if old.endswith(_INTERNAL):
            continue
        for target, known in targets.items():
            if (new, target) in encoded and conditions.holds(needs, known):
                meant[groups.first(min(encoded[new, target]))].setdefault(old, set()).add(target)
    counts: dict[str, int] = {}
    for mnemonics in meant.values():
        for mnemonic in mnemonics:
            counts[mnemonic] = counts.get(mnemonic, 0) + 1
    return sorted(
        (instruction, mnemonic, tuple(sorted(having)))
        for instruction, mnemonics in meant.items()
        for mnemonic, having in mnemonics.items()
        if len(mnemonics) > 1 or counts[mnemonic] > 1
    )


def _encoded(forms: Iterable[FormRow], targets: Mapping[str, frozenset[str]]) -> dict[tuple[str, str], set[str]]:
    """The instructions that each mnemonic is on each target."""
    holding: dict[conditions.Clauses, list[str]] = {}
    encoded: dict[tuple[str, str], set[str]] = {}
    nameless: dict[tuple[str, str], set[str]] = {}  # records without a pseudo instruction: they count if others do not
    for form in forms:
        pseudo = (form.pseudo or form.record).upper()
        # A load to LDS shares the record of the plain load; SDWA kept old results where the other encodings lost them.
        if form.shape.family == _PAIRS or "_LDS" in pseudo or pseudo.endswith("_SDWA"):
            continue
        if form.condition not in holding:
            holding[form.condition] = [name for name, known in targets.items() if conditions.met(form.condition, known)]
        for target in holding[form.condition]:
            records = encoded if form.pseudo else nameless
            records.setdefault((form.mnemonic, target), set()).add(_plain(pseudo))
    return {**nameless, **encoded}


def _plain(name: str) -> str:
    """The name of a record reduced to the instruction."""
    while (shorter := _DETAIL.sub("", name)) != name:
        name = shorter
    return name

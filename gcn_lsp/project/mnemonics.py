"""The first words of a file's statements, which may tell its target; an edit costs no more than the edited lines."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from gcn_lsp.patterns import regex

# Only mnemonics of at most one family are looked up: most are shared by all targets.
_DISTINCTIVE = regex(
    rb"^[ \t]*((?:v_s?mfma|v_smfmac|v_accvgpr|v_dual_|v_s?wmmac?_|s_delay_alu|s_barrier_(?:signal|wait)"
    rb"|s_wait_(?:load|store|sample|bvh|ds|km|exp|x|async|tensor)cnt)\w*)",
    re.MULTILINE,
)

# The first word of a statement, which may be a field of a descriptor, and a name that a macro gives to one. Words that
# macro arguments complete say nothing.
_WORD = regex(rb"^[ \t]*(?:[A-Za-z_.$][\w.$]*:[ \t]*)?((?:\.amdhsa_)?[A-Za-z]\w+)(?=[ \t\r]|$)", re.MULTILINE)
_MACRO = regex(rb"^[ \t]*\.macro[ \t]+(\w+)", re.MULTILINE | re.IGNORECASE)


class Mnemonics(msgspec.Struct, frozen=True):
    """How often a file has each first word, each mnemonic of one family, and each name of a macro."""

    words: Mapping[bytes, int]
    distinctive: Mapping[bytes, int]
    macros: Mapping[bytes, int]

    @staticmethod
    def of(lines: Sequence[bytes]) -> "Mnemonics":
        """Those in all of `lines`."""
        text = b"\n".join(lines)
        return Mnemonics(*(Counter(pattern.findall(text)) for pattern in (_WORD, _DISTINCTIVE, _MACRO)))

    def after_edit(self, removed: Sequence[bytes], added: Sequence[bytes]) -> "Mnemonics":
        """Those after some lines replace others; the same object if nothing changes."""
        old, new = Mnemonics.of(removed), Mnemonics.of(added)
        if old == new:
            return self
        return Mnemonics(
            _changed(self.words, old.words, new.words),
            _changed(self.distinctive, old.distinctive, new.distinctive),
            _changed(self.macros, old.macros, new.macros),
        )

    def without_macros(self) -> frozenset[bytes]:
        """The words that no macro of the file has as its name."""
        return frozenset(self.words) - frozenset(self.macros)


def _changed(counts: Mapping[bytes, int], old: Mapping[bytes, int], new: Mapping[bytes, int]) -> Mapping[bytes, int]:
    if old == new:
        return counts
    found = Counter(counts)
    found.subtract(old)
    found.update(new)
    return +found

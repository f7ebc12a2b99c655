"""Which rows of a target's forms some bits may be: by the constant bits, those with most of them first.

Instructions on halves of registers have two rows, one for registers of 16 bits and one that writes whole ones; which of
them counts is a feature of the target.
"""

from functools import cache
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.isa.target import Row

_WORD, _PREFIX_SHIFT = 0xFFFFFFFF, 26
"""Every encoding says what it is in the highest bits of its first word."""
_OTHER_NAMES = frozenset(("v_mul_lo_i32",))
"""Mnemonics that the assembler takes for the bits of another one, by which these are always called."""
_ADDRESS_FIELDS = frozenset(("VIMAGE", "VSAMPLE"))
_HALVES, _LATER = "_t16_", ("_fake16_", "_nortn_")
"""Parts of LLVM's names: an instruction with registers of 16 bits; those that are tried when no other fits: halves of
registers as whole ones, an image instruction whose result nobody takes."""
_LAST = 1000  # more than an encoding has bits


class Candidate(NamedTuple):
    """Rows with the same constant bits. size: bytes, without a literal. fixed, mask: the bits and which they are.

    rank: candidates of a lower one are tried first.
    """

    size: int
    fixed: int
    mask: int
    rows: tuple[Row, ...]
    rank: int


_Groups = tuple[tuple[int, dict[int, list[Candidate]]], ...]
"""Masks of the first word, and for each the candidates by their bits in it."""
_Same = tuple[int, int, int, bool]
"""What rows have in common: size, constant bits, which they are, whether they are tried last."""


class Index:
    """The rows of a target, found by their first word."""

    def __init__(self, target: isa.Target) -> None:
        has_halves = target.has("FeatureRealTrue16Insts")
        last = _LATER if has_halves else _LATER[1:]
        self._rows: dict[_Same, list[Row]] = {}
        for row in target.rows():
            mnemonic, _, record = row.cells[:3]
            if mnemonic in _OTHER_NAMES or (_HALVES in record and not has_halves):
                continue
            mask = row.fixed_mask
            if row.family in _ADDRESS_FIELDS:
                mask &= ~(_WORD << 64)  # the last word has the fields of the addresses, zero where there are fewer
            is_last = any(part in record for part in last)
            self._rows.setdefault((row.size, row.fixed & mask, mask, is_last), []).append(row)
        self._by_prefix: dict[int, list[_Same]] = {}
        for same in self._rows:
            for prefix in _prefixes(same[1] >> _PREFIX_SHIFT & 0x3F, same[2] >> _PREFIX_SHIFT & 0x3F):
                self._by_prefix.setdefault(prefix, []).append(same)
        self._groups: dict[int, _Groups] = {}

    def candidates(self, word: int) -> list[Candidate]:
        """What an instruction whose first 32 bits are `word` may be, the one with the most constant bits first."""
        prefix = word >> _PREFIX_SHIFT
        groups = self._groups.get(prefix)
        if groups is None:
            groups = self._groups[prefix] = self._grouped(prefix)
        found: list[Candidate] = []
        for mask, group in groups:
            some = group.get(word & mask)
            if some is not None:
                found += some
        if len(found) > 1:
            found.sort(key=_rank)
        return found

    def _grouped(self, prefix: int) -> _Groups:
        masks: dict[int, dict[int, list[Candidate]]] = {}
        for same in self._by_prefix.get(prefix, ()):
            size, fixed, mask, is_last = same
            candidate = Candidate(size, fixed, mask, tuple(self._rows[same]), _LAST * is_last - mask.bit_count())
            masks.setdefault(mask & _WORD, {}).setdefault(fixed & _WORD, []).append(candidate)
        return tuple(masks.items())


def _rank(candidate: Candidate) -> int:
    return candidate.rank


@cache
def _prefixes(fixed: int, mask: int) -> tuple[int, ...]:
    return tuple(prefix for prefix in range(64) if not (prefix ^ fixed) & mask)

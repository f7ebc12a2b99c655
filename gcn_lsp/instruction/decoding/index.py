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


_Group = tuple[int, dict[int, tuple[Candidate, ...]]]  # a mask of the first word: candidates by their bits in it


class Index:
    """The rows of a target, found by their first word."""

    def __init__(self, target: isa.Target) -> None:
        has_halves = target.has("FeatureRealTrue16Insts")
        last = _LATER if has_halves else _LATER[1:]
        same: dict[tuple[int, int, int, bool], list[Row]] = {}
        for row in target.rows():
            if row.cells[0] in _OTHER_NAMES or (_HALVES in row.record and not has_halves):
                continue
            is_last = any(part in row.record for part in last)
            mask = row.fixed_mask
            if row.family in _ADDRESS_FIELDS:
                mask &= ~(_WORD << 64)  # the last word has the fields of the addresses, zero where there are fewer
            same.setdefault((row.size, row.fixed & mask, mask, is_last), []).append(row)
        by_prefix: dict[int, dict[int, dict[int, list[Candidate]]]] = {}
        for (size, fixed, mask, is_last), rows in same.items():
            candidate = Candidate(size, fixed, mask, tuple(rows), (_LAST if is_last else 0) - mask.bit_count())
            for prefix in _prefixes(fixed >> _PREFIX_SHIFT & 0x3F, mask >> _PREFIX_SHIFT & 0x3F):
                masks = by_prefix.setdefault(prefix, {})
                masks.setdefault(mask & _WORD, {}).setdefault(fixed & mask & _WORD, []).append(candidate)
        self._groups: dict[int, tuple[_Group, ...]] = {
            prefix: tuple(
                (mask, {bits: tuple(found) for bits, found in group.items()}) for mask, group in masks.items()
            )
            for prefix, masks in by_prefix.items()
        }

    def candidates(self, word: int) -> list[Candidate]:
        """What an instruction whose first 32 bits are `word` may be, the one with the most constant bits first."""
        found: list[Candidate] = []
        for mask, group in self._groups.get(word >> _PREFIX_SHIFT, ()):
            some = group.get(word & mask)
            if some is not None:
                found += some
        if len(found) > 1:
            found.sort(key=_rank)
        return found


def _rank(candidate: Candidate) -> int:
    return candidate.rank


@cache
def _prefixes(fixed: int, mask: int) -> tuple[int, ...]:
    return tuple(prefix for prefix in range(64) if not (prefix ^ fixed) & mask)

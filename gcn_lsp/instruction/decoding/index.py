"""Which rows of a target's forms some bits may be: by the constant bits, those with most of them first.

Instructions on halves of registers have two rows, one for registers of 16 bits and one that writes whole ones; which of
them counts is a feature of the target.
"""

import re

from gcn_lsp import isa
from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.target import Line, Row
from gcn_lsp.records import NamedTuple

_WORD, _PREFIX_SHIFT = 0xFFFFFFFF, 26
"""Every encoding says what it is in the highest bits of its first word."""
_OTHER_NAMES = frozenset(("v_mul_lo_i32",))
"""Mnemonics that the assembler takes for the bits of another one, by which these are always called."""
_ADDRESS_FIELDS = frozenset(("VIMAGE", "VSAMPLE"))
_HALVES, _LATER = "_t16_", ("_fake16_", "_nortn_")
"""Parts of LLVM's names: an instruction with registers of 16 bits; those that are tried when no other fits: halves of
registers as whole ones, an image instruction whose result nobody takes."""
_LAST = 1000  # more than an encoding has bits


class UnwrittenEncoding(NamedTuple):
    """An encoding that LLVM reads and never writes, as a difference from one that it writes.

    condition: on features. family, records: the family and the end of LLVM's names for the forms. ones: bits that are
    set. free: bits that do not count. moved: operands with another lowest bit, and their width. about: what it is.
    """

    condition: str
    family: str
    records: str
    ones: int
    free: int
    moved: tuple[tuple[str, int, int], ...]
    about: str


UNWRITTEN = (
    UnwrittenEncoding(
        "gfx9", "SMEM", r"_SGPR(_RTN)?_vi", 1 << 14, 0x1FFFFF << 32, (("soffset", 57, 7),),
        "the SGPR with the offset where SGPR and number go together, without the number",
    ),
    UnwrittenEncoding(
        "gfx120", "MUBUF", "_gfx12", 0, 0x7F << 55, (), "an untyped access of a buffer with a format, which is ignored",
    ),
)  # fmt: skip
"""LLVM's records SMEM_Real_SGPR_alt_gfx9 and VBUFFER_MUBUF_Real_gfx12."""


class Candidate(NamedTuple):
    """Rows with the same constant bits. size: bytes, without a literal. fixed, mask: the bits and which they are.

    rank: candidates of a lower one are tried first. moved: see `UnwrittenEncoding`.
    """

    size: int
    fixed: int
    mask: int
    rows: tuple[Row, ...]
    rank: int
    moved: tuple[tuple[str, int, int], ...]


_Groups = tuple[tuple[int, dict[int, list[Line]]], ...]
"""Masks of the first word, and for each the lines by their bits in it."""


class Index:
    """The rows of a target, found by their first word. A row is read when a word may be it."""

    def __init__(self, target: isa.Target) -> None:
        self._target = target
        self._has_halves = target.has_true16
        self._unwritten = [each for each in UNWRITTEN if holds(each.condition, target.features)]
        self._by_mask: dict[int, dict[int, list[Line]]] = {}
        for layout, fixed, line in target.encodings():
            mask = layout.fixed_mask & _WORD
            group = self._by_mask.get(mask)
            if group is None:
                group = self._by_mask[mask] = {}
            bits = fixed & mask
            if bits in group:
                group[bits].append(line)
            else:
                group[bits] = [line]
        self._prefixes = {mask: {bits >> _PREFIX_SHIFT for bits in group} for mask, group in self._by_mask.items()}
        self._groups: dict[int, _Groups] = {}
        self._candidates: dict[tuple[int, int], list[Candidate]] = {}

    def candidates(self, word: int) -> list[Candidate]:
        """What an instruction whose first 32 bits are `word` may be, the one with the most constant bits first."""
        prefix = word >> _PREFIX_SHIFT
        groups = self._groups.get(prefix)
        if groups is None:
            groups = self._groups[prefix] = self._grouped(prefix)
        found: list[Candidate] = []
        for mask, group in groups:
            bits = word & mask
            if bits in group:
                found += self._candidates.get((mask, bits)) or self._made(mask, bits)
        if len(found) > 1:
            found.sort(key=_rank)
        return found

    def _grouped(self, prefix: int) -> _Groups:
        """The groups in which a word with the prefix may be."""
        return tuple(
            (mask, group)
            for mask, group in self._by_mask.items()
            if prefix & mask >> _PREFIX_SHIFT in self._prefixes[mask]
        )

    def _made(self, mask: int, bits: int) -> list[Candidate]:
        """The candidates with the same bits in the first word."""
        later = _LATER if self._has_halves else _LATER[1:]
        same: dict[tuple[int, int, int, bool, tuple[tuple[str, int, int], ...]], list[Row]] = {}
        for row in map(self._target.row, self._by_mask[mask][bits]):
            if row.cells[0] in _OTHER_NAMES or (_HALVES in row.record and not self._has_halves):
                continue
            constant = row.fixed_mask
            if row.family in _ADDRESS_FIELDS:
                constant &= ~(_WORD << 64)  # the last word has the fields of the addresses, zero where there are fewer
            is_last = any(part in row.record for part in later)
            same.setdefault((row.size, row.fixed & constant, constant, is_last, ()), []).append(row)
            for each in self._unwritten:
                if each.family == row.family and re.search(f"{each.records}$", row.record):
                    other = constant & ~each.free | each.ones
                    key = (row.size, row.fixed & other | each.ones, other, is_last, each.moved)
                    same.setdefault(key, []).append(row)
        found = self._candidates[mask, bits] = [
            Candidate(size, fixed, constant, tuple(rows), _LAST * is_last - constant.bit_count(), moved)
            for (size, fixed, constant, is_last, moved), rows in same.items()
        ]
        return found


def _rank(candidate: Candidate) -> int:
    return candidate.rank

"""Comparisons and the instructions that select by their result, by mnemonic.

Mnemonics are those of forms: `v_cmp_gt_u32` compares src0 with src1.
"""

from collections.abc import Mapping
from typing import Literal

from gcn_lsp.patterns import regex

STARTS = ("s_cmp", "s_bitcmp", "v_cmp_")
"""The starts of mnemonics that only compare."""

SELECTIONS = ("s_cselect", "s_cmov", "v_cndmask")
"""The starts of mnemonics that choose a value by a condition; sums read carries."""

Relation = Literal["eq", "lt", "le", "gt", "ge"]
_RELATIONS: Mapping[str, Relation] = {"eq": "eq", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}
MIRRORED: Mapping[Relation, Relation] = {"eq": "eq", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
"""The relation of two values in the other order."""

_OF_INTEGERS = regex("v_cmp_([a-z]+)_[ui](?:16|32)")


def relation_of_lanes(mnemonic: str) -> "Relation | None":
    """The relation of two integers of 16 or 32 bits that an instruction asks for in each lane."""
    match = _OF_INTEGERS.fullmatch(mnemonic)
    return _RELATIONS.get(match[1]) if match is not None else None

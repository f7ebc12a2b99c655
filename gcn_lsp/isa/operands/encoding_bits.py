"""Bits of encodings that no operand fills: their names in AMD's documents, and what they say.

LLVM's records have them as constants of a form, or not at all. Sources: the fields of SMRD (Southern Islands, Sea
Islands) and of SMEM (GCN3, Vega, MI100).
"""

from collections.abc import Iterator

import msgspec

from gcn_lsp.isa.conditions import holds


class NamedBit(msgspec.Struct, frozen=True):
    """A bit of the encodings of a family on some targets."""

    family: str
    condition: str
    bit: int
    name: str
    meaning: str


_ROWS = (
    NamedBit("SMRD", "", 8, "imm", "1: bits 7:0 are an offset; 0: they name an SGPR with it"),
    NamedBit("SMEM", "gfx8-9", 17, "imm", "1: the offset is a number; 0: an SGPR or M0"),
    NamedBit("SMEM", "gfx9", 15, "nv", "non-volatile memory; assemblers write 0"),
    NamedBit("SMEM", "gfx9", 14, "soe", "1: soffset is added"),
)


def named_bits(family: str, features: frozenset[str]) -> Iterator[NamedBit]:
    """The named bits of a family's encodings on a target with these features."""
    return (row for row in _ROWS if row.family == family and holds(row.condition, features))

"""The hazards of every target as rows, with the ids of the fact sheets: what must not follow what too closely."""

from collections.abc import Mapping

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.hazards import clauses, document, kinds, matrix, mitigations, parts, wait_states
from gcn_lsp.isa.hazards.kinds import NOP as NOP
from gcn_lsp.isa.hazards.kinds import TIMED as TIMED
from gcn_lsp.isa.hazards.model import FOREVER, SGPR_WRITERS, STATES, VALUS, Row, Unit
from gcn_lsp.isa.operands import limits

ROWS: tuple[Row, ...] = (*wait_states.ROWS, *matrix.ROWS, *document.ROWS, *mitigations.ROWS, *clauses.ROWS)

# What counts in each unit; wait states count as the instruction says, and in the last unit nothing counts.
UNITS: Mapping[str, Unit | None] = {
    STATES: None,
    VALUS: Unit(kinds.VALU, parts.ALWAYS),
    SGPR_WRITERS: Unit(kinds.VALU_OR_SALU, parts.IF_WRITES_SGPR),
    FOREVER: None,
}

# For gfx120x the RDNA4 ISA document gives `s_nop` seven bits in table 5.2, as LLVM does, and four bits in its entry.
_CERTAIN_NOP_BITS = 4


def rows(features: frozenset[str]) -> tuple[Row, ...]:
    """The rows that hold on a target."""
    return tuple(row for row in ROWS if holds(row.targets, features))


def nop_limit(features: frozenset[str]) -> int:
    """The most wait states that one `s_nop` gives for certain."""
    bits = limits.significant_bits("s_nop", features)
    return 1 << (min(bits, _CERTAIN_NOP_BITS) if holds("gfx120", features) else bits)

"""The hazards of every target as rows, with the ids of the fact sheets: what must not follow what too closely."""

from collections.abc import Mapping

from gcn_lsp.isa import conditions as on
from gcn_lsp.isa.hazards import clauses, document, kinds, matrix, mitigations, parts, wait_states
from gcn_lsp.isa.hazards.kinds import NOP as NOP
from gcn_lsp.isa.hazards.kinds import TIMED as TIMED
from gcn_lsp.isa.hazards.model import FOREVER, SGPR_WRITERS, STATES, VALUS, Row, Unit

ROWS: tuple[Row, ...] = (*wait_states.ROWS, *matrix.ROWS, *document.ROWS, *mitigations.ROWS, *clauses.ROWS)

# What counts in each unit; wait states are worth what the instruction says, and in the last one nothing counts.
UNITS: Mapping[str, Unit | None] = {
    STATES: None,
    VALUS: Unit(kinds.VALU, parts.ALWAYS),
    SGPR_WRITERS: Unit(kinds.VALU_OR_SALU, parts.IF_WRITES_SGPR),
    FOREVER: None,
}

# Bits of the immediate of `s_nop` that the hardware looks at.
_NOP_BITS: tuple[tuple[str, int], ...] = (
    ("!FeatureGCN3Encoding !FeatureGFX10Insts", 3),
    (on.BEFORE_GFX12, 4),
    (on.GFX12_ON, 7),
)


def rows(features: frozenset[str]) -> tuple[Row, ...]:
    """The rows that hold on a target."""
    return tuple(row for row in ROWS if on.holds(row.targets, features))


def nop_limit(features: frozenset[str]) -> int:
    """The most wait states that one `s_nop` gives."""
    return 1 << next(bits for condition, bits in _NOP_BITS if on.holds(condition, features))

"""The modes of a wave on which the meaning of its instructions depends, as one number.

Bits 15:0 are the selectors of VGPRs (`vgpr_selectors`); `expert_mode.IN_FORCE` says that the wave is certainly in the
expert scheduling mode. Nothing is set where a wave begins.
"""

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.machine import expert_mode, vgpr_selectors

SELECTORS = (1 << 2 * vgpr_selectors.BITS) - 1
SETTERS = vgpr_selectors.SETTERS
TARGETS = (vgpr_selectors.TARGETS, expert_mode.TARGETS)


def are_there(features: frozenset[str]) -> bool:
    """Whether a target has any of these modes."""
    return any(holds(targets, features) for targets in TARGETS)


def joined(one: int, other: int) -> int:
    """What is known where two ways meet; `one` itself if that is no less."""
    selectors = vgpr_selectors.joined(one & SELECTORS, other & SELECTORS)
    found = selectors | one & other & expert_mode.IN_FORCE
    return one if found == one else found

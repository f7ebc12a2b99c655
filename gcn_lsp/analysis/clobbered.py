"""Conditions that are overwritten before anything reads them: a comparison, then a carry, then a branch on the carry.

Only straight code is looked at: the comparison, what overwrites SCC or VCC on the side, and the branch or selection
that reads it follow one another in one segment.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.analysis import dead, registers, results
from gcn_lsp.analysis.liveness import Liveness
from gcn_lsp.analysis.segments import Segment, Site

_COMPARISONS = ("s_cmp", "s_bitcmp", "v_cmp_")
_SELECTIONS = ("s_cselect", "s_cmov", "v_cndmask")  # what asks for a condition; carries are asked for by sums
_CONDITIONS = {"SCC": registers.SCC, "VCC": registers.VCC}


class Clobbered(NamedTuple):
    """A comparison whose result nothing reads, what overwrites it, and what reads that. condition: SCC or VCC."""

    condition: str
    comparison: Site
    overwriting: Site
    reader: Site


def conditions(liveness: Liveness) -> Iterator[Clobbered]:
    """The conditions of a program that are overwritten, in program order."""
    for node, segment in enumerate(liveness.graph.nodes):
        if node not in liveness.opaque:
            for site in dead.in_node(liveness, node):
                found = _followed(segment, site) if _mnemonic(site).startswith(_COMPARISONS) else None
                if found is not None:
                    yield found


def _followed(segment: Segment, comparison: Site) -> "Clobbered | None":
    writes = comparison.effects.writes
    condition = next((name for name, mask in _CONDITIONS.items() if not writes & ~mask), "")
    if not condition:
        return None
    known = results.of_segment(segment)
    overwriting: Site | None = None
    for index in range(comparison.index + 1, len(segment.sites)):
        site, result = segment.sites[index], known[index]
        if overwriting is not None and result.used & writes:
            asks = site.effects.flow == "conditional" or _mnemonic(site).startswith(_SELECTIONS)
            return Clobbered(condition, comparison, overwriting, site) if asks else None
        if result.writes & writes:
            is_on_the_side = result.is_computed and bool(result.writes & ~_CONDITIONS[condition])
            if overwriting is not None or not is_on_the_side:
                return None
            overwriting = site
    return None


def _mnemonic(site: Site) -> str:
    instruction = site.item.instruction
    return instruction.form.mnemonic if instruction is not None and instruction.form is not None else ""

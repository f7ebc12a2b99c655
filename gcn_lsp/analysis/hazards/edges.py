"""Hazards of a piece of code with instructions before and after it that nobody has written yet.

A compiler that places code around inline assembly counts no wait states for it. LLVM's hazard recognizer does little:
from gfx940 it puts one wait state between a statement and a VALU instruction that uses its outputs
(`GCNHazardRecognizer::checkVALUHazards`), and before a statement it looks after the data of wide stores and the results
of partial writes (`checkInlineAsmHazards`).
"""

from collections.abc import Iterator, Sequence

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.hazards.profiles import Danger, rows_for
from gcn_lsp.analysis.hazards.walk import NOTHING, HazardSetting, run
from gcn_lsp.analysis.machine import registers
from gcn_lsp.isa.hazards import kinds
from gcn_lsp.isa.hazards.model import NOP, STATES, Row, may_fit
from gcn_lsp.records import NamedTuple

_EVERY_CLASS = -1


class Exposed(NamedTuple):
    """A hazard of an instruction with one outside.

    site: the instruction. row: the rule, in which the one outside is the first (at the start) or the second (at the
    end). registers: in which the two would meet. need, present: wait states required, and those that the code gives.
    """

    site: Site
    row: Row
    registers: int
    need: int
    present: int


def at_start(graph: Graph, sites: Sequence[Site], among: int) -> Iterator[Exposed]:
    """The hazards with a VALU instruction directly before the code that writes some of the registers `among`."""
    rows = rows_for(graph.model.target)
    passed = 0
    left = among & ~registers.ALL_SCALARS  # scalar inputs come from scalar instructions, as a rule
    longest = max((row.need for row in rows.rows if _is_first(row) and isinstance(row.need, int)), default=0)
    for site in sites:
        if not left or passed >= longest:
            return
        profile = rows.of(site.item.instruction, site.effects)
        for row, mask in rows.as_second(profile):
            if _is_first(row) and isinstance(row.need, int) and row.need > passed and mask & left:
                yield Exposed(site, row, mask & left, row.need, passed)
        passed += profile.steps[0]
        left &= ~site.effects.writes


def at_end(graph: Graph, sites: Sequence[Site], among: int) -> Iterator[Exposed]:
    """The hazards with an ordinary instruction directly after the code that reads or writes some of the registers."""
    rows = rows_for(graph.model.target)
    setting = HazardSetting(rows.units, _EVERY_CLASS, False, tuple(rows.triples))
    state = NOTHING
    for segment in dict.fromkeys(site.segment for site in sites):
        profiles = tuple(rows.of(site.item.instruction, site.effects) for site in segment.sites)
        state = run(segment, profiles, state, setting).after
    is_helped = graph.model.target.compilers_wait_after_results
    for site, danger, passed, _ in state.pending:
        met = danger.mask & among
        if not _is_scalar_result(site):
            met &= ~registers.ALL_SCALARS  # a mask, which goes to the VALU and the SALU
        if not danger.keys or not met:
            continue
        for requirement in danger.requirements:
            row, missing = requirement.row, requirement.need - passed
            if missing <= (1 if is_helped and row.second in kinds.USUAL_VALU and _is_result(site, danger) else 0):
                continue
            if _is_counted(row) and row.second in kinds.USUAL:
                yield Exposed(site, row, met, requirement.need, passed)


def _is_scalar_result(site: Site) -> bool:
    form = site.item.instruction.form if site.item.instruction is not None else None
    return form is not None and may_fit(kinds.READLANE, form)


def _is_result(site: Site, danger: Danger) -> bool:
    return bool(site.effects.writes & danger.mask)


def _is_first(row: Row) -> bool:
    return _is_counted(row) and row.first in kinds.USUAL


def _is_counted(row: Row) -> bool:
    """Whether wait states alone resolve a row that the hardware is known to need."""
    return row.sure and row.unit == STATES and row.fix == NOP and row.through is None and not row.replay

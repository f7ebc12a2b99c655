"""Finds the place of the wait that an instruction needs: before instructions that must stay together with it.

Only the instructions of its clause may follow `s_clause`; `s_delay_alu` counts the instructions up to those that it is
about. So a wait goes before them, and its count is lower by what the clause itself has issued by then.
"""

from collections.abc import Iterable, Mapping
from itertools import islice

from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.operands import limits


def anchor(graph: Graph, site: Site, needs: Mapping[str, int]) -> tuple[Site, dict[str, int]]:
    """The instruction before which a wait for `needs` must be placed for `site`, and the counts there."""
    between = _clause(graph, site)
    if _waits_for_own(between, site):
        between = []
    for each in straight.back(graph, between[0] if between else site):
        if each.mnemonic != roles.DELAY:
            break
        between.insert(0, each)
    first = between[0] if between else site
    if first.item.written.frame is not site.item.written.frame:
        return site, dict(needs)
    found = dict(needs)
    for each in between:
        for event in each.effects.events:
            if event.counter in found:
                found[event.counter] = max(0, found[event.counter] - 1)
    return first, found


def _clause(graph: Graph, site: Site) -> list[Site]:
    """The `s_clause` of an instruction's clause, and the instructions of the clause before it."""
    passed: list[Site] = []
    for each in islice(straight.back(graph, site), limits.LONGEST_CLAUSE + 1):
        passed.insert(0, each)
        if each.mnemonic == roles.CLAUSE:
            length = _length(each)
            return passed if length is not None and length >= len(passed) else []
    return []


def _waits_for_own(between: Iterable[Site], site: Site) -> bool:
    """Whether an instruction touches registers that others of its clause write later, so that it cannot be in it."""
    writes = registers.NONE
    for each in between:
        for event in each.effects.events:
            writes |= event.writes
    return bool(writes & site.effects.touches)


def _length(clause: Site) -> "int | None":
    """How many instructions a clause has."""
    value = next((operand.value for operand in clause.operands), None)
    return limits.clause_length(value) if type(value) is int else None

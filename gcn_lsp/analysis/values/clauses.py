"""Finds clauses that contradict their `s_clause`: something in them does not belong, or the code ends before them.

Labels inside do not matter: control that enters at one has not met the `s_clause`. A clause is followed as control
falls through.

Question: does every instruction that a clause counts belong into it?
Direction: forward from each `s_clause`, as control falls through.
Lattice and join: none; falling through is one path.
May or must: must; unknown instructions count as right.
Ignored: control that enters at a label inside.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import fall_through, starting_points
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import results
from gcn_lsp.isa.machine import clause_types, roles
from gcn_lsp.isa.machine.clause_types import ClauseRole, ClauseType
from gcn_lsp.isa.operands import limits
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

NO_TYPE = f"the clause takes its type from the first instruction; write it before the `{roles.CLAUSE}`"
"""The reason why a wait or a delay does not belong at the start of a clause."""


class Broken(NamedTuple):
    """A clause with an instruction that does not belong.

    length: instructions that it should have. fitting: how many come before the first that does not belong. offender:
    that one; None if the code ends. reason: why it does not belong. field: the operand's value.
    """

    clause: Site
    length: int
    fitting: int
    offender: Site | None
    reason: str
    field: int


def broken(program: Program, graph: Graph) -> Iterator[Broken]:
    """The broken clauses of a program, in program order; none where the instructions are not known."""
    found = starting_points.of(graph, starting_points.CLAUSE)
    if not found:
        return
    opaque = results.opaque(program, graph)
    features = graph.model.target.features
    for node, site in found:
        field = next((operand.value for operand in site.operands), None)
        if type(field) is not int:
            continue
        length = limits.clause_length(field)
        if limits.SHORTEST_CLAUSE < length <= limits.LONGEST_CLAUSE + 1:
            offending = _first_offender(graph, opaque, node, site, length, features)
            if offending is not None:
                yield Broken(site, length, *offending, field)


def _first_offender(
    graph: Graph, opaque: frozenset[int], node: int, clause: Site, length: int, features: frozenset[str]
) -> "tuple[int, Site | None, str] | None":
    kind: ClauseType | None = None
    member: Site | None = None
    for count, site in enumerate(fall_through.through(graph, opaque, node, clause.index + 1)):
        if site is None:
            return (count, None, "the code ends there") if count < length else None
        if count == length or not site.effects.known:
            return None
        form = site.item.instruction.form if site.item.instruction is not None else None
        if form is None:
            return None
        found = clause_types.of_form(form, features)
        if found.place is ClauseRole.OUTSIDE:
            return count, site, found.reason
        if found.place is ClauseRole.INTERNAL and not count and clause_types.has_type_of_first(features):
            return count, site, NO_TYPE
        if found.not_in and kind is not None and kind.domain == found.not_in:
            return count, site, found.reason
        if found.place is ClauseRole.MEMBER:
            if kind is not None and member is not None and not kind.goes_with(found):
                return count, site, f"`{member.item.statement.name}` began it, and one clause has one type"
            kind, member = (found, site) if kind is None else (kind, member)
    return None

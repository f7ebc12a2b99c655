"""Finds loops whose conditions cannot change: they run once, or never end.

Question: which loop is left only by branches whose condition is the same in every round?
Direction: backward, from a branch back to the head of its loop: what lies between is the loop.
May or must: must; no instruction of the loop writes what the conditions compare.
Ignored: loops that a call, a jump or unknown code is part of, loops with two heads, and conditions that are not a
comparison of registers or constants.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.flow.search import Search
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import control_flow


class Endless(NamedTuple):
    """A branch back to the head of a loop, and the comparison that it depends on; None if the loop has none.

    compared: the registers that the comparison reads, none if it is of constants or of a register with itself; none
    without a comparison if no branch leaves the loop.
    """

    branch: Site
    comparison: Site | None
    compared: int


_BRANCHES = {
    **dict.fromkeys(control_flow.SCC_BRANCHES, registers.SCC),
    **dict.fromkeys(control_flow.VCC_BRANCHES, registers.VCC),
    **dict.fromkeys(control_flow.EXEC_BRANCHES, registers.EXEC),
}


def loops(graph: Graph, opaque: frozenset[int]) -> Iterator[Endless]:
    """The loops of a program that cannot be left after the first round, or at all, by their branches back."""
    entries = frozenset(graph.entries)
    for node, _ in _branches(graph):
        heads = [each for each in graph.successors[node] if each <= node]
        if len(heads) != 1 or len(graph.successors[node]) != len(("next", "target")):
            continue
        body = _body(graph, heads[0], node)
        if not opaque.isdisjoint(body) or any(each in entries for each in body if each != heads[0]):
            continue
        found = _same_in_each_round(graph, body, node)
        if found is not None:
            yield found
    for node, branch in _branches_back(graph):
        heads = [each for each in graph.successors[node] if each <= node]
        body = _body(graph, heads[0], node) if heads else set()
        if body and opaque.isdisjoint(body) and _is_never_left(graph, body):
            yield Endless(branch, None, registers.NONE)


def _branch_in(segment: Segment, _: Model) -> "Site | None":
    """The conditional branch that ends a segment, unless the segment itself changes what it depends on."""
    if segment.flow != "conditional" or segment.sites[-1].mnemonic not in _BRANCHES:
        return None
    written = registers.NONE
    for site in segment.sites:
        written |= site.effects.writes
    return segment.sites[-1] if _condition(segment.sites, written) is not None else None


_branches = in_segments(_branch_in)


_branches_back = in_segments(
    lambda segment, _: segment.sites[-1] if segment.flow == "branch" and segment.sites else None
)


def _is_never_left(graph: Graph, body: set[int]) -> bool:
    """Whether nothing in a loop leads out of it, and it works: a wave that shall hang for a debugger only waits."""
    works = False
    for node in body:
        if node in graph.open_ends or node in graph.fallen or not body.issuperset(graph.successors[node]):
            return False
        for site in graph.nodes[node].sites:
            if not site.effects.known or site.effects.flow in _LEAVING or site.mnemonic in control_flow.STOPS:
                return False
            works = works or bool(site.effects.writes)
    return works


_LEAVING = ("call", "jump", "end")


class _Condition(NamedTuple):
    comparison: Site | None
    compared: int


def _condition(sites: "list[Site]", written: int) -> "_Condition | None":
    """The condition of the branch at the end of some instructions; None if it depends on one of `written`."""
    condition = _BRANCHES[sites[-1].mnemonic]
    writer = next((site for site in reversed(sites[:-1]) if site.effects.writes & condition), None)
    if writer is None:
        return None if written & condition else _Condition(None, condition)
    if not control_flow.COMPARISONS.fullmatch(writer.mnemonic):
        return None
    compared = registers.NONE if _is_with_itself(writer) else writer.effects.reads
    if compared & written or not writer.effects.known or any(map(_is_outside, writer.operands)):
        return None
    return _Condition(writer, compared)


_BIT = "bit_"  # the question for a bit that the other operand chooses


def _is_with_itself(comparison: Site) -> bool:
    """Whether a scalar comparison of integers has one register twice, so that its result is always the same."""
    question, _ = control_flow.COMPARES.get(comparison.mnemonic, (_BIT, False))
    if question.startswith(_BIT):
        return False
    one, other = ((each.kind, each.file, each.first, each.count) for each in comparison.operands[:2])
    return one[0] == "register" and one == other


def _is_outside(operand: Operand) -> bool:
    """Whether an operand is no register of the wave, and no constant: `src_lds_direct` reads LDS, others the time."""
    return operand.kind == "register" and operand.file.startswith("src_")


def _body(graph: Graph, head: int, last: int) -> set[int]:
    """The nodes from which control reaches the branch back without passing the head again, and the head."""
    search = Search((last,))
    search.seen.add(head)
    for node in search:
        if node != head:
            search.add(graph.predecessors[node])
    return search.seen


def _same_in_each_round(graph: Graph, body: set[int], last: int) -> "Endless | None":
    written = registers.NONE
    for node in body:
        for site in graph.nodes[node].sites:
            if not site.effects.known or site.effects.flow in ("call", "jump"):
                return None
            written |= site.effects.writes
    found: Endless | None = None
    for node in sorted(body):
        if node in graph.open_ends or node in graph.fallen:
            return None
        if body.issuperset(graph.successors[node]):
            continue
        branch = graph.nodes[node].sites[-1] if graph.nodes[node].sites else None
        if branch is None or branch.mnemonic not in _BRANCHES:
            return None
        before = list(straight.back(graph, branch))[::-1]
        condition = _condition([*before, branch], written)
        if condition is None:
            return None
        if node == last:
            found = Endless(branch, *condition)
    return found

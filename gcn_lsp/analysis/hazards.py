"""Finds instructions that follow too closely on another: pipeline hazards that only wait states or the like resolve.

Every segment is a function from the dangers before it to the hazards in it and the dangers behind it. It remembers what
it gave for the states that it saw last, so that after an edit only what the edit reaches is worked out again.
"""

from typing import NamedTuple

import msgspec

from gcn_lsp.analysis import graph as graphs
from gcn_lsp.analysis.graph import Graph
from gcn_lsp.analysis.hazard_profiles import Danger, Profile, Requirement, Rows, rows_for
from gcn_lsp.analysis.segments import Segment, Site
from gcn_lsp.asm.program import Program
from gcn_lsp.flow.solver import solve
from gcn_lsp.isa.hazards.model import ANY, SAME, Row
from gcn_lsp.syntax import nodes

_MEMO = "hazards"


class Hazard(NamedTuple):
    """Two instructions too close together.

    first, second: the instructions. row: the rule. registers: in which they meet. need, present: how much has to be
    between them, and the least that is, on any path, in the row's unit.
    """

    first: Site
    second: Site
    row: Row
    registers: int
    need: int
    present: int


# What may still be harmed: a danger with the site that left it and how much has passed since.
Pending = tuple[Site, Danger, int]
State = frozenset[Pending]
_NONE: State = frozenset()


class _Result(NamedTuple):
    after: State
    hazards: tuple[Hazard, ...]


class _Memo(NamedTuple):
    """What a segment gave, for the rows of a target: by the state before it, and the profiles of its sites."""

    rows: Rows
    profiles: tuple[Profile, ...]
    results: dict[State, _Result]


class Hazards(msgspec.Struct, frozen=True):
    """The hazards of a program with the graph in which they are, in program order."""

    graph: Graph
    found: tuple[Hazard, ...]


def of(program: Program) -> "Hazards | None":
    """The hazards of a program; None when its target is not known."""
    graph = graphs.of(program)
    if graph is None:
        return None
    rows = rows_for(graph.model.target)
    memos = [_memo(segment, rows) for segment in graph.nodes]
    used: list[dict[State, _Result]] = [{} for _ in memos]

    def transfer(node: int, state: State) -> State:
        results = used[node]
        result = results.get(state)
        if result is None:
            result = memos[node].results.get(state)
            if result is None:
                result = _run(graph.nodes[node], memos[node].profiles, state)
            results[state] = result
        return result.after

    before = solve(graph.successors, dict.fromkeys(graph.entries, _NONE), transfer, _join)
    found: list[Hazard] = []
    for node, state in enumerate(before):
        memo = memos[node]
        memo.results.clear()
        memo.results.update(used[node])  # and nothing older, which would keep segments of earlier versions
        if state is not None:
            found += memo.results[state].hazards
    return Hazards(graph, tuple(found))


def _memo(segment: Segment, rows: Rows) -> _Memo:
    kept = segment.memo.get(_MEMO)
    if isinstance(kept, _Memo) and kept.rows is rows:
        return kept
    profiles = tuple(rows.of(site.item.instruction, site.effects) for site in segment.sites)
    made = _Memo(rows, profiles, {})
    segment.memo[_MEMO] = made
    return made


def _join(first: State, second: State) -> State:
    """The dangers of both, each as near as it is in either."""
    if second <= first:
        return first
    nearest: dict[tuple[Site, Danger], int] = {}
    for site, danger, passed in first | second:
        key = (site, danger)
        known = nearest.get(key)
        if known is None or passed < known:
            nearest[key] = passed
    joined = frozenset((site, danger, passed) for (site, danger), passed in nearest.items())
    return first if joined == first else joined


# A danger at work: where it was left, in what has passed by then; where it ends; its registers; itself; its site.
_Active = tuple[int, int, int, Danger, Site]


def _run(segment: Segment, profiles: tuple[Profile, ...], before: State) -> _Result:
    """What a segment does with the dangers before it."""
    now = 0
    active: list[_Active] = [
        (-passed, danger.longest - passed, danger.mask, danger, site) for site, danger, passed in before
    ]
    found: list[Hazard] = []
    for site, profile in zip(segment.sites, profiles, strict=True):
        if active:
            mask = profile.mask
            if mask:
                keys = profile.keys
                for _, _, registers, danger, _ in active:
                    if mask & registers and keys & danger.keys:
                        worst = _worst(active, profile, site, now)
                        if worst is not None:
                            found.append(worst)
                            now += worst.need - worst.present  # go on as if it were mended
                        break
            now += profile.states
            if profile.marks:
                active = _marked(active, profile.marks)
            active = [danger for danger in active if danger[1] > now]
        else:
            now += profile.states
        for danger in profile.dangers:
            active.append((now, now + danger.longest, danger.mask, danger, site))
    if segment.flow == "call" or not active:  # what a function does takes its time
        return _Result(_NONE, tuple(found))
    return _Result(frozenset((site, danger, now - born) for born, _, _, danger, site in active), tuple(found))


def _marked(active: list[_Active], marks: int) -> list[_Active]:
    """What is left after an instruction that may cancel dangers or arm them."""
    kept = []
    for entry in active:
        born, end, mask, danger, site = entry
        if danger.cancels & marks:
            continue
        if danger.armed_by & marks:
            assert danger.armed is not None
            kept.append((born, end, mask, danger.armed, site))
        else:
            kept.append(entry)
    return kept


def _worst(active: list[_Active], profile: Profile, site: Site, now: int) -> "Hazard | None":
    """Of all that an instruction comes too early for, that of which the most is missing."""
    worst: Hazard | None = None
    missing = 0
    for born, _, registers, danger, first in active:
        if not (profile.mask & registers and profile.keys & danger.keys):
            continue
        present = now - born
        for requirement in danger.requirements:
            if requirement.need - present <= missing or not profile.keys & requirement.key:
                continue
            met = _meeting(requirement, profile, registers)
            if met:
                missing = requirement.need - present
                worst = Hazard(first, site, requirement.row, met, requirement.need, present)
    return worst


def _meeting(requirement: Requirement, profile: Profile, registers: int) -> int:
    """The registers in which two instructions meet as a row says; empty when they do not."""
    row = requirement.row
    if row.opcode and (requirement.form is profile.form) != (row.opcode == "same"):
        return 0
    for key, mask in profile.met:
        if key == requirement.key:
            met = mask & registers
            if met and (row.overlap == ANY or (mask == registers) == (row.overlap == SAME)):
                return met
    return 0


def nop_limit(hazards: Hazards) -> int:
    """The most wait states that one `s_nop` gives on the target."""
    return rows_for(hazards.graph.model.target).nop_limit


def nop_states(hazards: Hazards, site: Site) -> "int | None":
    """The wait states of an `s_nop` whose count is written as a number; None for anything else."""
    instruction = site.item.instruction
    if instruction is None or not instruction.operands or not isinstance(instruction.operands[0].node, nodes.Integer):
        return None
    profile = rows_for(hazards.graph.model.target).of(instruction, site.effects)
    return profile.states if profile.is_nop else None

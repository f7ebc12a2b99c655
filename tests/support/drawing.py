"""Draws the blocks of a program as text, with what is in flight and what may still be harmed before each of them."""

from collections.abc import Iterator
from functools import reduce

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.hazards.profiles import rows_for
from gcn_lsp.analysis.hazards.walk import NOTHING, HazardSetting, HazardState, join, run
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.waits import waits
from gcn_lsp.analysis.waits.state import UNKNOWN
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.flow.solver import solve
from gcn_lsp.program.program import Program


def draw(program: Program) -> str:
    """Blocks in program order: from where control comes, the facts before them, instructions, where control goes.

    An operation in flight is written as its registers and how many younger ones its counter counts: `v0+1`.
    """
    graph, found = graphs.of(program), waits.of(program)
    assert graph is not None
    assert found is not None
    dangers = _dangers(graph)
    missing = {each.site: " ".join(f"{name}({count})" for name, count in each.needs) for each in found.missing}
    lines: list[str] = []
    for node, segment in enumerate(graph.nodes):
        ways = [str(before) for before in graph.predecessors[node]]
        ways += ["outside"] if node in graph.entries or node in found.entries else []
        lines.append(f"{node} {' '.join(segment.labels)} <- {', '.join(ways) or 'nowhere'}".replace("  ", " "))
        lines.append(f"    in flight: {', '.join(_in_flight(found, node)) or 'nothing'}")
        lines += [f"    may be harmed: {text}" for text in dangers[node]]
        for site in segment.sites:
            needs = f"  ; needs {missing[site]}" if site in missing else ""
            lines.append(f"  {_text(site)}{needs}")
        lines.append(f"  -> {', '.join(map(str, graph.successors[node])) or 'nowhere'}")
    return "\n".join(lines) + "\n"


def _text(site: Site) -> str:
    statement = site.item.statement
    return " ".join(statement.line[statement.start : statement.end].decode().split())


def _in_flight(found: Waits, node: int) -> Iterator[str]:
    if not found.before(node):
        return
    state = reduce(found.engine.join, found.before(node))
    for name, most, pending in zip(found.engine.counters, state.most, state.pending, strict=True):
        masks = ((each.raised.writes | each.raised.reads, each.age) for each in pending)
        held = [f"{registers.describe(mask) if mask else 'memory'}+{age}" for mask, age in masks]
        if held or most == UNKNOWN:
            yield f"{name} {' '.join(held) or 'unknown'}"


def _dangers(graph: Graph) -> list[list[str]]:
    """What each node finds of the instructions before it, with the wait states since then."""
    rows = rows_for(graph.model.target)
    profiles = [tuple(rows.of(site.item.instruction, site.effects) for site in node.sites) for node in graph.nodes]
    present = reduce(int.__or__, (profile.keys for each in profiles for profile in each), 0)
    setting = HazardSetting(rows.units, present, False, tuple(rows.triples))

    def transfer(node: int, state: HazardState) -> HazardState:
        return run(graph.nodes[node], profiles[node], state, setting).after

    before = solve(graph.successors, dict.fromkeys(graph.entries, NOTHING), transfer, join)
    return [
        sorted(
            f"{registers.describe(danger.mask)} of {_text(site)}, {passed} of {danger.longest} ago"
            for site, danger, passed, _ in (state.pending if state is not None else ())
        )
        for state in before
    ]

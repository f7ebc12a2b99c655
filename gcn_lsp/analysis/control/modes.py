"""Follows the modes of a wave on which the meaning of its instructions depends: selectors of VGPRs, expert scheduling.

Question: which modes are in force before each segment?
Direction: forward.
Lattice and join: the number of `isa.wave_modes`; a selector that differs is unknown, the expert scheduling mode is on
if it is on both.
May or must: must; a mode that differs on two paths is unknown, and findings that depend on it are not reported.
Ignored: which path was taken. The hardware starts waves with all of it 0, and by LLVM's convention calls and returns
have it so: a call with other selectors may return with any.
"""

from collections.abc import Iterable, Mapping, Sequence

from gcn_lsp.analysis.control.segments import Segment
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.flow import solver
from gcn_lsp.flow.kept import latest
from gcn_lsp.isa.machine import vgpr_selectors, wave_modes

InForce = solver.Solution[int, None]


def are_set(nodes: Iterable[Segment], model: Model) -> bool:
    """Whether any of some nodes sets modes."""
    return any(_setting(segment, model) is not None for segment in nodes)


def before(
    nodes: Sequence[Segment],
    blocks: solver.Blocks,
    entries: Iterable[int],
    calls: Mapping[int, int],
    model: Model,
    earlier: "InForce | None",
) -> InForce:
    """The modes in force before each node of a graph.

    entries: nodes where control comes from outside. calls: the functions, by the node that calls them. earlier: the
    result for the version before.
    """

    def pass_through(segment: Segment, state: int) -> tuple[int, None]:
        return _after(segment, model, state), None

    outside = dict.fromkeys(entries, 0)
    while True:
        found = solver.pass_blocks(nodes, blocks, outside, pass_through, wave_modes.joined, earlier)
        called = outside.copy()
        for node, function in calls.items():
            state = found.before[node]
            if state is not None:
                arriving = _at_end(nodes[node], model, state)
                called[function] = wave_modes.joined(called.get(function, 0), arriving)
        if called == outside:
            return found
        outside, earlier = called, found


def _after(segment: Segment, model: Model, state: int) -> int:
    after = _at_end(segment, model, state)
    if segment.flow != "call":
        return after
    return vgpr_selectors.UNKNOWN if after & wave_modes.SELECTORS else 0


def _at_end(segment: Segment, model: Model, state: int) -> int:
    setting = _setting(segment, model)
    return state if setting is None else state & ~setting[0] | setting[1]


@latest
def _setting(segment: Segment, model: Model) -> "tuple[int, int] | None":
    """The bits that a segment replaces, and what is in force of them after it; None if it replaces none."""
    replaced = after = 0
    for site in segment.sites:
        setting = model.sets_modes(site.item.instruction)
        if setting is not None:
            replaced, after = replaced | setting[0], after & ~setting[0] | setting[1]
    return (replaced, after) if replaced else None

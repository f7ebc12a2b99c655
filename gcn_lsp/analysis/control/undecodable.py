"""Data that control runs into, although no instruction of the target has these bytes."""

from collections.abc import Iterable, Iterator

from gcn_lsp import isa
from gcn_lsp.analysis.control import data_as_code, unreachable
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.machine import results
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.isa.operands import unlisted_encodings
from gcn_lsp.program.program import PlacedItem, Program
from gcn_lsp.records import NamedTuple

_GOES_ON = frozenset(("next", "conditional"))
_LEAVING = "isBarrier"  # LLVM's flag of instructions after which control does not go on
_LEAVES = control_flow.STOPS | control_flow.FLOWS.keys()  # others after which it may not


class Found(NamedTuple):
    """item: the data. word: its bytes that are no instruction, at most four."""

    item: PlacedItem
    word: bytes


def found(program: Program, graph: Graph, target: isa.Target) -> Iterator[Found]:
    """The first such bytes of each run of data among the code."""
    runs = data_as_code.reached(program, graph)
    if not any(_goes_on(graph, run) for run in runs):
        return
    entered = unreachable.entered(program, graph)
    for run, read in zip(runs, data_as_code.read_each(program, runs, target), strict=True):
        place = _undecodable(read, target) if run.node in entered and _goes_on(graph, run) else None
        if place is not None:
            yield place


def _goes_on(graph: Graph, run: data_as_code.Run) -> bool:
    """Whether control that is in the run's node gets to the data, unless it stops."""
    segment = graph.nodes[run.node]
    if not segment.sites:
        return _is_before_code(graph, run.node)
    last = segment.sites[-1]
    if results.is_inside(graph, run.node, *run.numbers[0]):
        return True
    return segment.flow in _GOES_ON and last.mnemonic not in control_flow.STOPS


def _is_before_code(graph: Graph, node: int) -> bool:
    """Whether instructions follow a node that has none: labels at the end of a chunk, or of the section's code."""
    while not graph.nodes[node].sites:
        (node,) = graph.successors[node] or (-1,)
        if node < 0:
            return False
    return True


def _undecodable(read: Iterable[data_as_code.Read], target: isa.Target) -> Found | None:
    for item, word, decoded in read:
        if decoded is None:
            if unlisted_encodings.size(int.from_bytes(word, "little"), target.features):
                return None
            return Found(item, word)
        if _LEAVING in decoded.form.flags or decoded.form.mnemonic in _LEAVES:
            return None
    return None

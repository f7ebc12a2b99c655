"""Solves dataflow problems on the graph of a program, and after an edit only the blocks that it concerns.

`flow.solver` has the blocks. The solution for the version before is looked up by the problem that it solves.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.flow.kept import renewed
from gcn_lsp.flow.solver import Solution, pass_blocks
from gcn_lsp.records import NamedTuple

State = TypeVar("State")
Result = TypeVar("Result")
Value = TypeVar("Value")


class Solutions(NamedTuple):
    """The solutions for a version, by problem, and those for the version before."""

    known: dict[Hashable, Any]
    earlier: dict[Hashable, Any]


@renewed
def of_graph(graph: Graph, earlier: "Solutions | None") -> Solutions:
    """The solutions that are kept with a graph."""
    return Solutions({}, earlier.known if earlier is not None else {})


def of(
    graph: Graph,
    problem: Hashable,
    entries: Mapping[int, State],
    pass_through: Callable[[Value, State], tuple[State, Result]],
    join: Callable[[State, State], State],
    *,
    values: "Sequence[Value] | None" = None,
    jumps_to_labels: bool = False,
) -> Solution[State, Result]:
    """The state before each node of a graph, and the result of passing the node in it.

    problem: a value for the problem, and for all that its functions depend on besides node and state. entries: the
    states in which control enters, by node. pass_through: the state after a node, and the result. values: what it gets
    for each node, by default the segment. jumps_to_labels: whether jumps to addresses in registers lead to every label.
    The rest is as in `flow.solver.pass_blocks`.
    """
    kept = of_graph(graph)
    blocks = graph.shape.blocks_to_labels if jumps_to_labels else graph.shape.blocks
    nodes: Sequence[Any] = graph.nodes if values is None else values
    found = pass_blocks(nodes, blocks, entries, pass_through, join, kept.earlier.pop(problem, None))
    kept.known[problem] = found
    return found

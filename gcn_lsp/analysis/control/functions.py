"""The functions of a program that keep LLVM's calling convention, as far as their declarations and returns show it."""

from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.analysis.control import kernels
from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.flow.kept import once
from gcn_lsp.isa import calling_convention
from gcn_lsp.program.program import Program


class Function(NamedTuple):
    """A function. entry: its node. nodes: those that control reaches from there, without functions that it calls.

    returns: the jumps to the address in s[30:31]. is_global: whether code in other files may call it.
    """

    name: str
    entry: int
    nodes: frozenset[int]
    returns: tuple[tuple[int, Site], ...]
    is_global: bool


def of(program: Program, graph: Graph) -> Iterator[Function]:
    """The functions that `.type` declares and that return by s[30:31]; not kernels."""
    ends = [(node, site) for node, segment in enumerate(graph.nodes) if (site := _return(segment)) is not None]
    names = kernels.functions(program) - kernels.entries(program, graph).keys() if ends else frozenset()
    for name in sorted(names & graph.by_label.keys(), key=lambda each: graph.by_label[each]):
        entry = graph.by_label[name]
        nodes = frozenset(graph.reached([entry]))
        returns = tuple((node, site) for node, site in ends if node in nodes)
        if returns:
            yield Function(name, entry, nodes, returns, program.is_declared(name))


@once
def _return(segment: Segment) -> "Site | None":
    """The return at the end of a segment."""
    last = segment.sites[-1] if segment.sites else None
    if last is None or last.mnemonic not in calling_convention.RETURNS or not last.operands:
        return None
    address = last.operands[-1]
    return last if address.file == "s" and address.first == calling_convention.RETURN_ADDRESS else None

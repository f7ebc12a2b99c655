"""The functions of a program that keep LLVM's calling convention, as far as their declarations and returns show it."""

from collections.abc import Iterator

from gcn_lsp.analysis.control import kernels
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.isa.kernels import calling_convention
from gcn_lsp.isa.machine import control_flow, roles
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


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
    """The functions that `.type` declares and that return by s[30:31]; not kernels.

    A part of a shader, at whose end its epilog goes on, is none, though other functions that return may follow it.
    """
    ends = _returns(graph)
    if not ends:
        return
    entries = kernels.entries(program, graph).keys()
    declared = kernels.functions(program)
    barred = frozenset((last, after) for _, last, after in falling_into(graph, declared | entries))
    for name in sorted((declared - entries) & graph.by_label.keys(), key=lambda each: graph.by_label[each]):
        entry = graph.by_label[name]
        nodes = frozenset(graph.reached([entry], barred=barred))
        returns = tuple((node, site) for node, site in ends if node in nodes)
        if returns:
            yield Function(name, entry, nodes, returns, program.is_declared(name))


class ShaderPart(NamedTuple):
    """A part of a shader: a function with a size that control leaves at its end, where the linker puts the epilog.

    nodes: those with which it ends. last: its last instruction.
    """

    name: str
    nodes: tuple[int, ...]
    last: Site


def parts(program: Program, graph: Graph) -> Iterator[ShaderPart]:
    """The functions that continue in an epilog, which is not in the file; not kernels."""
    if not graph.shape.parted:
        return
    ends = kernels.ends(program)
    names = kernels.functions(program) - kernels.entries(program, graph).keys()
    for name in sorted(names & ends.keys() & graph.by_label.keys(), key=lambda each: graph.by_label[each]):
        entry, end = graph.by_label[name], graph.by_label.get(ends[name])
        if end is None or end <= entry:
            continue
        before = graph.shape.parted.get(end, ())
        inside = graph.reached([entry]) if any(entry <= node < end for node in before) else ()
        last = next((node for node in reversed(range(entry, end)) if graph.nodes[node].sites), None)
        if last is None or graph.nodes[last].sites[-1].mnemonic in control_flow.STOPS:
            continue  # a function that does not return, such as one that ends with `s_trap`
        nodes = tuple(node for node in before if node in inside)
        if nodes:
            yield ShaderPart(name, nodes, graph.nodes[last].sites[-1])


def _return(segment: Segment, _: Model) -> "Site | None":
    """The return at the end of a segment."""
    last = segment.sites[-1] if segment.sites else None
    if last is None or last.mnemonic not in _JUMPS or not last.operands:
        return None
    address = last.operands[-1]
    return last if address.file == "s" and address.first == calling_convention.RETURN_ADDRESS else None


_JUMPS = roles.mnemonics("jump")
_returns = in_segments(_return)


def falling_into(graph: Graph, others: frozenset[str]) -> Iterator[tuple[int, int, int]]:
    """The nodes that fall through into one of the functions `others`, with the last node before it and its own."""
    for after in sorted({graph.by_label[name] for name in others if name in graph.by_label}):
        last = node = _before(graph, after)
        # Labels at the end of a chunk are a node without instructions.
        while node is not None and not graph.nodes[node].sites and others.isdisjoint(graph.nodes[node].labels):
            node = _before(graph, node)
        if node is not None and last is not None and graph.nodes[node].sites:
            yield node, last, after


def _before(graph: Graph, node: int) -> "int | None":
    """The node that falls through into another one, without a branch."""
    return next(
        (
            before
            for before in graph.predecessors[node]
            if graph.nodes[before].flow in ("next", "conditional") and graph.successors[before][0] == node
        ),
        None,
    )
